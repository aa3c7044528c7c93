import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {detectImageType} from '../../source/shared/image-type.ts';

test('an image is known by its first bytes, not by what it is called', () => {
  for (const [bytes, type] of [
    [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'png'],
    [Buffer.from('ffd8ffe000104a46', 'hex'), 'jpg'],
    [Buffer.from('GIF89a..'), 'gif'],
    [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'webp'],
    [Buffer.from('RIFF\0\0\0\0WAVEfmt '), undefined],
    [Buffer.from('89504e47', 'hex'), undefined],
    [Buffer.from('iVBORw0KGgo='), undefined],
    [Buffer.alloc(0), undefined],
  ] as const)
    assert.equal(detectImageType(bytes), type);
});

import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createDecoder} from '../../source/terminal/create-tracker.ts';
import {createRandom} from '../support/random.ts';

/** Bytes that begin, continue, end or break characters of one to four bytes. */
const notice = [
  0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc3, 0xa9, 0xe0, 0xe2, 0x82, 0xac, 0xed, 0xf0, 0x90, 0x91,
  0x8d, 0xf4, 0xf8, 0xff,
];

test('5,000 strings of bytes are read as TextDecoder reads them, cut into any pieces', () => {
  const random = createRandom('utf-8');
  for (let round = 0; round < 5000; round++) {
    const bytes = Uint8Array.from({length: 1 + random.below(12)}, () => random.pick(notice));
    const decoder = createDecoder();
    let text = '';
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(4);
      text += decoder.read(bytes.subarray(at, end));
      assert.equal(decoder.waiting() <= 3, true);
      at = end;
    }

    // What still waits is a character that never ends.
    text += decoder.read(Uint8Array.of(0x21));
    assert.equal(
      text,
      new TextDecoder().decode(Uint8Array.of(...bytes, 0x21)),
      Buffer.from(bytes).toString('hex'),
    );
  }
});

test('a byte order mark is kept', () => {
  assert.equal(createDecoder().read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)), '\uFEFFA');
});

test('a reader may use its buffer again: what waits for its rest is a copy', () => {
  const text = '● works ✓ web, 日本語, 🙂';
  const bytes = Buffer.from(text);
  for (let size = 1; size < 8; size++) {
    const decoder = createDecoder();
    const buffer = Buffer.alloc(size);
    let read = '';
    for (let at = 0; at < bytes.length; at += size) {
      const length = bytes.copy(buffer, 0, at, at + size);
      read += decoder.read(buffer.subarray(0, length));
    }

    assert.equal(read, text, `in pieces of ${size}`);
  }
});

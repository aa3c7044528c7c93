import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createEndsCollector, joinEnds} from '../../../source/daemon/sessions/output-ends.ts';

function collect(text: string, pieceSize: number): string {
  const bytes = Buffer.from(text);
  const ends = createEndsCollector({headBytes: 16, tailBytes: 16});
  for (let at = 0; at < bytes.length; at += pieceSize) ends.add(bytes.subarray(at, at + pieceSize));
  return ends.toText();
}

test('an output that fits is kept whole, however it arrives', () => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  for (const pieceSize of [1, 3, 7, 16, 100]) assert.equal(collect(text, pieceSize), text);
});

test('of a longer output whole lines of both ends are kept, and the gap is marked', () => {
  const text = Array.from({length: 100}, (_, index) => `línea ${index}\n`).join('');
  const retained = 'línea 0\n[… 971 bytes of output are left out here …]\nlínea 99\n';
  for (const pieceSize of [1, 5, 16, 40, 5000]) assert.equal(collect(text, pieceSize), retained);
});

test('lines without an end are cut, and never half a tail is taken for a line', () => {
  const {text, omitted} = joinEnds(Buffer.from('aaaa'), Buffer.from('bb\ncc'), 100);
  assert.equal(text, 'aaaa\n[… 94 bytes of output are left out here …]\ncc');
  assert.equal(omitted, 94);
});

// Time grows with the input and memory does not. Times are compared with each other, never with a
// clock on the wall.
import assert from 'node:assert/strict';
import process from 'node:process';
import {test} from 'node:test';
import {createOutputFilter, createScreen, createTracker} from '../../source/terminal/index.ts';

const megabyte = 1_000_000;

const floods: Readonly<Record<string, (bytes: number) => Uint8Array>> = {
  'a line that does not end': (bytes) => Buffer.alloc(bytes, 'x'),
  'a string that does not end': (bytes) =>
    Buffer.concat([Buffer.from('\u001B]52;c;'), Buffer.alloc(bytes, 'QUJD')]),
  'a sequence that does not end': (bytes) =>
    Buffer.concat([Buffer.from('\u001B['), Buffer.alloc(bytes, '1;')]),
  'escapes and nothing else': (bytes) => Buffer.alloc(bytes, '\u001B'),
  'strings of the longest length that is kept': (bytes) =>
    Buffer.alloc(bytes, `\u001B]0;${'x'.repeat(4080)}\u0007`),
  'queries and nothing else': (bytes) => Buffer.alloc(bytes, '\u001B[6n\u001B[c'),
  'marks on one letter': (bytes) => Buffer.alloc(bytes, '\u0301'),
  'emoji joined without end': (bytes) => Buffer.alloc(bytes, '👩\u200D'),
  'repeats of the largest number': (bytes) => Buffer.alloc(bytes, 'x\u001B[2147483647b'),
  'character sets changed all the time': (bytes) => Buffer.alloc(bytes, '\u001B)0\u000Eq\u000Fq'),
  'bytes that are no UTF-8': (bytes) => Buffer.alloc(bytes, 0xff),
};

type Writer = {readonly write: (piece: Uint8Array) => unknown; readonly close?: () => void};

/**
 * Milliseconds of this process's own time, fed in the pieces that a pipe gives; the best of three,
 * because others use the machine too.
 */
function getCost(bytes: Uint8Array, create: () => Writer): number {
  const costs = Array.from({length: 3}, () => {
    const start = process.cpuUsage();
    let rounds = 0;
    let spent = 0;
    while (spent < 20_000) {
      const writer = create();
      for (let at = 0; at < bytes.length; at += 65_536)
        writer.write(bytes.subarray(at, at + 65_536));
      writer.close?.();
      rounds++;
      spent = process.cpuUsage(start).user;
    }

    return spent / 1000 / rounds;
  });
  return Math.min(...costs);
}

for (const [name, make] of Object.entries(floods)) {
  test(`four times ${name} takes about four times as long`, () => {
    for (const [what, create] of [
      ['the screen', () => createScreen({columns: 80, rows: 24})],
      ['the filter', () => createOutputFilter()],
    ] as const) {
      getCost(make(megabyte / 20), create);
      const ratio =
        getCost(make((4 * megabyte) / 10), create) / getCost(make(megabyte / 10), create);
      assert.ok(ratio < 12, `${what}: four times the input took ${ratio.toFixed(1)} times as long`);
    }
  });
}

test('a line of 10 MB and a string of 10 MB leave nothing behind but the screen', () => {
  const bytes = [
    floods['a line that does not end']!(10 * megabyte),
    floods['a string that does not end']!(10 * megabyte),
    floods['marks on one letter']!(10 * megabyte),
  ];
  const screen = createScreen({columns: 80, rows: 24});
  const tracker = createTracker();
  const before = process.memoryUsage();
  for (const flood of bytes) {
    for (let at = 0; at < flood.length; at += 65_536) {
      screen.write(flood.subarray(at, at + 65_536));
      tracker.write(flood.subarray(at, at + 65_536));
    }

    screen.write(Buffer.from('\u0018'));
  }

  const after = process.memoryUsage();
  assert.equal(screen.history, 200);
  assert.ok(screen.text().every((line) => line.length <= 80 * 16));
  assert.ok(JSON.stringify(tracker.mark()).length < 2000);
  // Without a collection in between this is an upper bound.
  assert.ok(after.heapUsed + after.external - before.heapUsed - before.external < 200 * megabyte);
  screen.close();
});

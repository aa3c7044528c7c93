import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatAsciicast, toFrames} from '../../../source/reports/index.ts';

const moments = [
  {at: 0, offset: 0, columns: 80, rows: 24},
  {at: 500, offset: 4, columns: 80, rows: 24},
  {at: 900, offset: 6, columns: 100, rows: 30},
];

test('a recording keeps its times and sizes, and no character is cut by a border between two moments', () => {
  const bytes = new TextEncoder().encode('abcäxyz');
  const frames = toFrames(
    [
      {offset: 0, bytes: bytes.subarray(0, 5)},
      {offset: 5, bytes: bytes.subarray(5)},
    ],
    moments,
  );
  assert.equal(frames.map(({text}) => text).join(''), 'abcäxyz');
  assert.deepEqual(frames.at(-1), {seconds: 0.9, text: 'yz', resized: {columns: 100, rows: 30}});
});

test('asciicast v2 is a header and one event a line', () => {
  const lines = formatAsciicast(
    [
      {seconds: 0.1, text: 'hi\r\n'},
      {seconds: 0.2, text: '', resized: {columns: 100, rows: 30}},
    ],
    {columns: 80, rows: 24, timestamp: 5000, title: 's1'},
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  assert.deepEqual(lines, [
    {version: 2, width: 80, height: 24, timestamp: 5, title: 's1', env: {TERM: 'xterm-256color'}},
    [0.1, 'o', 'hi\r\n'],
    [0.2, 'r', '100x30'],
  ]);
});

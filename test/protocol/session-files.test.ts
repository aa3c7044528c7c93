import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  encodeMark,
  findNextRetained,
  parseHex,
  parseMarks,
  parseSegmentStarts,
  toHex,
  toSegmentName,
  toTimesName,
} from '../../source/protocol/index.ts';

test('segments are named after their first byte and sort as they count', () => {
  assert.equal(toSegmentName(0), '0000000000000000');
  assert.equal(toSegmentName(Number.MAX_SAFE_INTEGER), '001fffffffffffff');
  assert.equal(toTimesName(255), '00000000000000ff.times');
  assert.deepEqual(
    parseSegmentStarts([
      '00000000000000ff',
      '00000000000000ff.times',
      '000000000000000a',
      '0',
      'x',
      '00000000000000FF',
      'ffffffffffffffff',
    ]),
    [10, 255],
  );
  assert.equal(parseHex(toHex(12_345)), 12_345);
});

test('the next kept byte is the one asked for, or the first after the gap, or the end', () => {
  const segments = [
    {start: 0, end: 10},
    {start: 50, end: 60},
    {start: 60, end: 65},
  ];
  assert.deepEqual(
    [0, 9, 10, 49, 50, 59, 60, 64, 65, 99].map((offset) => findNextRetained(segments, offset)),
    [0, 9, 50, 50, 50, 59, 60, 64, 65, 65],
  );
  assert.equal(findNextRetained([], 5), 0);
});

test('marks are read as they were written; one that is cut off, or damaged, is none', () => {
  const text =
    encodeMark(0, 0, {columns: 80, rows: 24}) +
    encodeMark(15, 900) +
    encodeMark(40, 950, {columns: 90, rows: 30});
  assert.equal(text, '0 0 80x24\n15 900\n40 950 90x30\n');
  const marks = [
    {at: 0, offset: 0, columns: 80, rows: 24},
    {at: 15, offset: 900, columns: 80, rows: 24},
    {at: 40, offset: 950, columns: 90, rows: 30},
  ];
  assert.deepEqual(parseMarks(text), marks);
  assert.deepEqual(parseMarks(`${text}50 9`), marks);
  assert.deepEqual(parseMarks(`${text}rubbish\n-1 5\n`), marks);
  assert.deepEqual(parseMarks('15 900\n'), []);
});

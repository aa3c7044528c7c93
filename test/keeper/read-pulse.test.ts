import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import {test, type TestContext} from 'node:test';
import {countPulse, readPulse, spreadDropped} from '../../source/keeper/read-pulse.ts';
import {encodeMark, sessionFiles, toSegmentName, toTimesName} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {launchWithClient, release, startKeeperFixture} from './support/keeper-fixture.ts';

/** The start of an interval, far from 0. */
const zero = 1_700_000_000_000;

const counted: readonly (readonly [
  string,
  readonly (readonly [number, number])[],
  number,
  number[],
])[] = [
  ['nothing was printed', [], 40_000, [0, 0, 0, 0, 0, 0, 0, 0]],
  ['an interval that goes on does not count yet', [[40_000, 9]], 44_999, [0, 0, 0, 0, 0, 0, 0, 0]],
  ['it counts once it is complete', [[40_000, 9]], 45_000, [0, 0, 0, 0, 0, 0, 0, 9]],
  [
    'both ends of an interval are one interval',
    [
      [35_000, 1],
      [39_999, 2],
    ],
    40_000,
    [0, 0, 0, 0, 0, 0, 0, 3],
  ],
  [
    'eight intervals are kept',
    [
      [0, 1],
      [5000, 2],
      [39_999, 4],
    ],
    40_000,
    [1, 2, 0, 0, 0, 0, 0, 4],
  ],
  [
    'the ninth is forgotten',
    [
      [0, 1],
      [5000, 2],
    ],
    45_000,
    [2, 0, 0, 0, 0, 0, 0, 0],
  ],
  [
    'a clock that was set back counts nothing twice',
    [[90_000, 5]],
    40_000,
    [0, 0, 0, 0, 0, 0, 0, 0],
  ],
];

for (const [what, printed, now, expected] of counted)
  test(`pulse: ${what}`, () => {
    const bytes = printed.map(([at, count]) => ({at: zero + at, bytes: count}));
    assert.deepEqual(countPulse(bytes, zero + now), expected);
  });

test('dropped output is spread at the rate of what came after it, and no byte is lost', () => {
  const spread = spreadDropped(4001, {from: 0, until: 100_000}, {bytes: 1000, ms: 1000});
  assert.equal(spread.length, 5);
  assert.equal(Math.round(spread[0]!.at), 100_000 - 4001);
  assert.equal(
    spread.reduce((total, {bytes}) => total + bytes, 0),
    4001,
  );
  const [all] = spreadDropped(10, {from: 5, until: 5}, {bytes: 0, ms: 0});
  assert.deepEqual(all, {at: 5, bytes: 10});
});

test('the record of times is read from its end, over several segments', (t) => {
  const directory = makeLog(
    t,
    [
      // Twelve thousand marks: more than is read of one file.
      {start: 0, bytes: 24_000, marks: Array.from({length: 12_000}, (_, n) => [n * 10, n * 2])},
      {
        start: 24_000,
        bytes: 50,
        marks: [
          [120_000, 24_000],
          [124_000, 24_020],
        ],
      },
    ],
    124_000,
  );
  // Each interval of the first segment has 500 marks of two bytes.
  assert.deepEqual(
    readPulse(directory, zero + 125_000),
    [1000, 1000, 1000, 1000, 1000, 1000, 1000, 50],
  );
});

test('a flood that the log dropped is there at its likely time', (t) => {
  const directory = makeLog(
    t,
    [
      {start: 0, bytes: 100, marks: [[0, 0]]},
      {
        start: 40_100,
        bytes: 10_001,
        marks: [
          [90_000, 40_100],
          [100_000, 50_100],
        ],
      },
    ],
    100_000,
  );
  // 40 kB before 10 kB in 10 s: 40 s of the same.
  assert.deepEqual(
    readPulse(directory, zero + 105_000),
    [5000, 5000, 5000, 5000, 5000, 10_000, 0, 1],
  );
});

test('without a log, or with a damaged one, the pulse is flat', (t) => {
  const flat = [0, 0, 0, 0, 0, 0, 0, 0];
  assert.deepEqual(readPulse('/nowhere', zero), flat);
  const directory = makeLog(t, [{start: 0, bytes: 0, marks: []}], 0);
  assert.deepEqual(readPulse(directory, zero), flat);
  writeFileSync(path.join(directory, sessionFiles.output, toTimesName(0)), 'x\n-1 7\n\0');
  assert.deepEqual(readPulse(directory, zero), flat);
});

test('a real terminal: every byte is counted, in the interval in which it came', async (t) => {
  const keeper = await startKeeperFixture(
    t,
    'stty raw; printf %01000d 0; sleep 0.2; printf %050d 0',
  );
  const client = await launchWithClient(keeper);
  await client.onMessage('exit');
  await eventually('its interval is complete', () => {
    const later = readPulse(keeper.directory, Date.now() + 10_000);
    return later.reduce((total, bytes) => total + bytes, 0) === 1050;
  });
  await release(keeper, client);
});

type LogSegment = {
  readonly start: number;
  readonly bytes: number;
  readonly marks: readonly (readonly number[])[];
};

/** A log as a keeper leaves it, whose last mark was written `lastMs` after `zero`. */
function makeLog(t: TestContext, segments: readonly LogSegment[], lastMs: number): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'pulse-'));
  t.after(() => {
    rmSync(directory, {recursive: true});
  });
  const folder = path.join(directory, sessionFiles.output);
  mkdirSync(folder);
  for (const {start, bytes, marks} of segments) {
    writeFileSync(path.join(folder, toSegmentName(start)), 'x'.repeat(bytes));
    const size = {columns: 80, rows: 24};
    const lines = marks.map(([at = 0, offset = 0], index) =>
      encodeMark(at, offset, index === 0 ? size : undefined),
    );
    const times = path.join(folder, toTimesName(start));
    writeFileSync(times, lines.join(''));
    utimesSync(times, (zero + lastMs) / 1000, (zero + lastMs) / 1000);
  }

  return directory;
}

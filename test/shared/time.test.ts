import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  formatClock,
  formatClockMinute,
  formatDateLine,
  formatDay,
  formatDuration,
  formatShortDuration,
  hourOfDay,
  localOffset,
} from '../../source/shared/index.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('durations:', () => {
  const cases: readonly [number, string, string][] = [
    [0, '0s', '0s'],
    [-5000, '0s', '0s'],
    [Number.NaN, '0s', '0s'],
    [36_999, '36s', '36s'],
    [59_999, '59s', '59s'],
    [minute, '1m00', '1m'],
    [2 * minute + 4 * second, '2m04', '2m'],
    [2 * minute + 19 * second, '2m19', '2m'],
    [10 * minute - 1, '9m59', '9m'],
    [14 * minute + 59 * second, '14m', '14m'],
    [3 * hour + 5 * minute, '3h 05m', '3h'],
    [2 * day - 1, '47h 59m', '47h'],
    [2 * day, '2d', '2d'],
  ];
  for (const [ms, exact, short] of cases)
    test(`${ms} ms`, () => {
      assert.deepEqual([formatDuration(ms), formatShortDuration(ms)], [exact, short]);
    });
});

describe('clock times:', () => {
  const at = Date.UTC(2026, 10, 17, 23, 1, 24);
  const cases: readonly [number, string, string, number, string, string][] = [
    [0, '23:01:24', '23:01', 23, '2026-11-17', 'Tue 17 Nov 2026'],
    [60, '00:01:24', '00:01', 0, '2026-11-18', 'Wed 18 Nov 2026'],
    [-330, '17:31:24', '17:31', 17, '2026-11-17', 'Tue 17 Nov 2026'],
  ];
  for (const [offset, clock, short, hours, date, line] of cases)
    test(`${offset} minutes from UTC`, () => {
      assert.deepEqual(
        [
          formatClock(at, offset),
          formatClockMinute(at, offset),
          hourOfDay(at, offset),
          formatDay(at, offset),
          formatDateLine(at, offset),
        ],
        [clock, short, hours, date, line],
      );
    });

  test('a time that no date can hold throws nothing', () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1, 253_402_300_800_000])
      assert.equal(formatClock(time).length, 8);
  });

  test('without an offset it is the clock of this machine', () => {
    assert.equal(formatClock(at), formatClock(at, localOffset(at)));
  });
});

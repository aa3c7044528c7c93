import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  clockStepMs,
  formatWaitingTime,
  formatRunningTime,
  formatTaskTime,
} from '../../../source/app/model/format-age.ts';

const toStep = (now: number): number => Math.floor(now / clockStepMs) * clockStepMs;

test('grows by one step of the clock at each, whenever it began, and is never 0s', () => {
  for (const began of [0, 1, 3000, 9999]) {
    const shown = [9999, 10_000, 19_999, 20_000, 30_000, 60_000, 70_000].map((now) =>
      formatRunningTime(toStep(now) - began),
    );
    assert.deepEqual(shown, ['<10s', '10s', '10s', '20s', '30s', '1m00', '1m10'], String(began));
  }
});

test('an age is in its largest unit', () => {
  assert.deepEqual([-1, 0, 1, 50_000, 61_000, 7_200_000].map(formatWaitingTime), [
    '<10s',
    '<10s',
    '10s',
    '50s',
    '1m',
    '2h',
  ]);
  assert.equal(formatWaitingTime(Number.NaN), '<10s');
});

test('what is over took exactly so long', () => {
  assert.equal(formatTaskTime({sign: 'merged', elapsedMs: 35_400}), '35s');
  assert.equal(formatTaskTime({sign: 'works', elapsedMs: 35_400}), '40s');
});

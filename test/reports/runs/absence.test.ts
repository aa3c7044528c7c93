import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {awayMs, formatBrief, measureAbsence} from '../../../source/reports/index.ts';

const minute = 60_000;

describe('how long a person was away is not how long ago they left:', () => {
  const headline = (since: number, came: number, at: number): string => {
    const brief = {
      since: since * minute,
      came: came * minute,
      at: at * minute,
      before: [],
      needs: [],
      failed: [],
      merged: [],
      running: [],
      services: [],
      house: [],
      happened: [],
    };
    return formatBrief(brief, {width: 80, color: false}).split('\n', 1)[0] ?? '';
  };

  for (const [name, [since, came, at], text] of [
    ['just back from an hour', [0, 60, 60], 'You were away for 60 min. Nothing happened.'],
    [
      'back from an hour, and at work since',
      [0, 60, 180],
      'You were away for 60 min, until 2 h ago. Nothing happened.',
    ],
    ['here a moment ago, and asks again', [59, 60, 60], 'The last 60 s. Nothing happened.'],
    ['never away, at work for hours', [0, 9, 300], 'The last 5 h. Nothing happened.'],
    ['away begins at its limit', [0, 10, 10], 'You were away for 10 min. Nothing happened.'],
  ] as const)
    test(name, () => {
      assert.equal(headline(since, came, at), text);
    });

  test('where an older daemon does not tell when they came, they come now', () => {
    assert.deepEqual(measureAbsence({since: 0, at: awayMs}), {awayMs, backMs: 0});
  });
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {buildBriefView} from '../../../source/reports/index.ts';
import {tokenStory} from './token-story.ts';

test('what happened while the person was away', () => {
  const {harness, left, now} = tokenStory();
  const view = buildBriefView(harness.state, harness.events, {since: left, now, offset: 0});
  assert.deepEqual(view.progress, {merged: 1, all: 4});
  assert.ok(view.awayMs! > 3_600_000);
  assert.deepEqual(
    view.needs.map(({sign, number, title, detail}) => [sign, number, title, detail]),
    [
      [
        'stopped',
        2,
        'Say when a token is refreshed',
        'test failed twice: docs.test.js:9 another link leads nowhere',
      ],
      ['asks', 3, 'Count refreshes', 'Overwrite src/metrics.js? [y/N]'],
    ],
  );
  assert.deepEqual(
    view.merged.map(({number, tries, tokens}) => [number, tries, tokens]),
    [[1, 2, 14_000]],
  );
  assert.deepEqual(view.running, []);
  assert.deepEqual(
    view.before.map(({text}) => text),
    ['you asked', 'you approved the plan', 'web starts for you'],
  );
  assert.deepEqual(view.used, {tokens: 14_000, limit: 100_000, tokensSince: 14_000});
});

test('the greeting follows the clock of the machine', () => {
  const {harness, left} = tokenStory();
  const day = 24 * 3_600_000;
  const greetings = [3, 8, 14, 20, 23].map(
    (hour) =>
      buildBriefView(harness.state, [], {since: left, now: day + hour * 3_600_000, offset: 0})
        .greeting,
  );
  assert.deepEqual(greetings, ['night', 'morning', 'afternoon', 'evening', 'night']);
});

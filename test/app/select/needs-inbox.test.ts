import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectNeedsInbox} from '../../../source/app/select/needs-inbox.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {finished, reviewing} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {busy, conflicted, violated} from '../screens/fixtures.ts';

describe('the inbox, oldest first:', () => {
  const cases: readonly [string, () => Harness, readonly string[]][] = [
    ['a plan', () => reviewing(), ['plan - Stop refreshing tokens twice: a plan to approve 10000']],
    [
      'a task that stopped, and a question',
      () => tokenStory().harness,
      [
        'stopped 2 Say when a token is refreshed: stopped after 2 tries 14000',
        'asks 3 Count refreshes: asks a question 10000',
      ],
    ],
    ['a secret', busy, ['asks 2 Say when a token is refreshed: asks for a secret 10000']],
    ['a rule', violated, ['stopped 1 Share the refresh in flight: stopped after 2 tries 10000']],
    [
      'a conflict',
      conflicted,
      ['stopped 1 Share the refresh in flight: stopped after 2 tries 10000'],
    ],
    ['ready', () => finished(), ['ready - Stop refreshing tokens twice: ready to accept 10000']],
  ];
  for (const [name, getHarness, expected] of cases)
    test(name, () => {
      const {state, time} = getHarness();
      assert.deepEqual(
        selectNeedsInbox(state, time + 10_000).needs.map(
          ({sign, number, title, words, waitingMs}) =>
            `${sign} ${number ?? '-'} ${title}: ${words} ${waitingMs}`,
        ),
        expected,
      );
    });
});

test('meanwhile', () => {
  const {state, time} = tokenStory().harness;
  assert.deepEqual(selectNeedsInbox(state, time).meanwhile, {
    plans: 0,
    works: 0,
    checks: 0,
    waits: 1,
    merged: 1,
    all: 4,
  });
});

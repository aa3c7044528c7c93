import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {emptyState, selectRun} from '../../../source/domain/index.ts';
import {
  type Attention,
  type AttentionOptions,
  selectAttention,
  selectRunProgress,
} from '../../../source/app/select/run-progress.ts';
import {type Harness, report} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {atWork, finished, reviewing, thinking, working} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {busy} from '../screens/fixtures.ts';

function getAttention(
  {state, time}: Pick<Harness, 'state' | 'time'>,
  options: Partial<AttentionOptions> = {},
): Attention {
  return selectAttention(state, {now: time, ...options});
}

function format(attention: Attention): string {
  switch (attention.kind) {
    case 'needs':
      return `${attention.count} ${attention.need.title} ${attention.need.text} | ${attention.waitingMs} ${attention.key.verb}`;
    case 'ready':
      return `ready ${attention.objective} into ${attention.branch}`;
    case 'running': {
      const {plans, works, checks, waits} = attention.counts;
      return `plans ${plans}, works ${works}, checks ${checks}, waits ${waits}`;
    }

    case 'trouble':
      return `trouble ${attention.text}`;
    default:
      return attention.kind;
  }
}

describe('row 1:', () => {
  const objective = 'Stop refreshing tokens twice';
  const cases: readonly [
    string,
    () => Pick<Harness, 'state' | 'time'>,
    string,
    Partial<AttentionOptions>?,
  ][] = [
    ['nothing', () => ({state: emptyState, time: 5}), 'idle'],
    ['planning', () => thinking(), 'plans 1, works 0, checks 0, waits 0'],
    [
      'a plan',
      () => reviewing(),
      `1 ${objective} The plan is ready. Nothing changes before you approve it. | 0 read the plan`,
    ],
    [
      'at work',
      () => atWork(['t1'], ['t2', {after: ['t1']}]),
      'plans 0, works 1, checks 0, waits 1',
    ],
    [
      'a secret',
      busy,
      "1 Say when a token is refreshed asks for a secret: Password for 'https://git.example.com': | 0 answer",
    ],
    [
      'the oldest of several',
      () => tokenStory().harness,
      '2 Say when a token is refreshed stopped after 2 tries: test failed | 4000 decide',
    ],
    [
      'the one that is shown',
      () => tokenStory().harness,
      '2 Count refreshes asks: Overwrite src/metrics.js? [y/N] | 0 answer',
      {shown: 'question'},
    ],
    ['ready', () => finished(), `ready ${objective} into main`],
    ['not connected', () => finished(), 'disconnected', {disconnected: {lastSeen: 4}}],
    ['disk full', () => finished(), 'trouble the disk is full', {trouble: 'the disk is full'}],
  ];
  for (const [name, getHarness, expected, options = {}] of cases)
    test(name, () => {
      const harness = getHarness();
      const shown =
        options.shown === undefined
          ? {}
          : {shown: `s${harness.state.sessions.size}/question/${harness.time}`};
      assert.equal(format(getAttention(harness, {...options, ...shown})), expected);
    });
});

describe('row 0, the run in view:', () => {
  test('before the approval the tasks of the plan count', () => {
    const {state} = reviewing([plannedTask('t1'), plannedTask('t2')]);
    assert.deepEqual(selectRunProgress(state, selectRun(state, 'r1')!), {
      merged: 0,
      all: 2,
      tokens: 0,
      cost: undefined,
    });
  });

  test('cost is summed where an agent reports it', () => {
    const harness = working();
    report(harness, {
      type: 'usage-counted',
      session: 's1',
      usage: {input: 48_210, output: 3120, cost: 0.19},
    });
    assert.deepEqual(selectRunProgress(harness.state, selectRun(harness.state, 'r1')!), {
      merged: 0,
      all: 1,
      tokens: 51_330,
      cost: 0.19,
    });
  });

  test('merged tasks', () => {
    const {state} = tokenStory().harness;
    const {merged, all} = selectRunProgress(state, selectRun(state, 'r1')!);
    assert.deepEqual([merged, all], [1, 4]);
  });
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {selectCostView, toPromptsView} from '../../../source/app/select/cost-view.ts';
import {report} from '../../domain/support/harness.ts';
import {finished} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {audit, auditOfTools} from '../screens/fixtures.ts';

test('per task and per try, with what was lost and the share of the budget', () => {
  const {harness} = tokenStory();
  report(harness, {
    type: 'usage-counted',
    session: 's1',
    usage: {input: 5000, output: 1000, cost: 0.19},
  });
  const {state} = harness;
  const view = selectCostView(state, selectRun(state, 'r1')!);
  assert.deepEqual(
    [view.tokens, view.cost, view.merged, view.perMerged, view.budget],
    [20_000, 0.19, 1, {tokens: 20_000, cost: 0.19}, {limit: 100_000, share: 0.2}],
  );
  assert.deepEqual(view.planning, {input: 5000, output: 1000, cost: 0.19});
  const [first, second] = view.tasks;
  assert.deepEqual(first, {
    number: 1,
    title: 'Share the refresh in flight',
    input: 13_000,
    output: 1000,
    cost: undefined,
    tries: [
      {number: 1, input: 9000, output: 700, cost: undefined, isFailed: true},
      {number: 2, input: 4000, output: 300, cost: undefined, isFailed: false},
    ],
  });
  assert.deepEqual(
    second!.tries.map(({isFailed}) => isFailed),
    [true, true],
  );
  assert.deepEqual(view.lost, {tokens: 9700, cost: undefined, share: 0.485});
  assert.deepEqual(view.agents, [{agent: 'playbook', tokens: 20_000, cost: 0.19}]);
  assert.deepEqual([view.cheapest, view.dearest], [undefined, undefined]);
});

test('nothing used, nothing shown', () => {
  const {state} = finished();
  const view = selectCostView(state, selectRun(state, 'r1')!);
  assert.deepEqual(
    [view.tokens, view.cost, view.budget, view.agents],
    [0, undefined, undefined, []],
  );
  assert.deepEqual(view.lost, {tokens: 0, cost: undefined, share: 0});
});

test('prompts of the run, and the tools in every prompt', () => {
  const {harness, now} = tokenStory();
  const {state} = harness;
  const run = selectRun(state, 'r1')!;
  const {prompts} = toPromptsView(state, run, audit);
  assert.deepEqual(
    prompts.map(({number, attempt, tokens, left, parts}) => [
      number,
      attempt,
      tokens,
      left,
      parts.length,
    ])[0],
    [undefined, undefined, 2900, 3100, 4],
  );
  assert.equal(toPromptsView(state, run, auditOfTools(now)).tools.length, 4);
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type PlannedTask, selectRun} from '../../../source/domain/index.ts';
import {formatPlanLines} from '../../../source/plan/index.ts';
import {
  type PlanItem,
  type PlanView,
  selectPlanView,
} from '../../../source/app/select/plan-view.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {reviewing, thinking} from '../../domain/support/stages.ts';
import {planned, richPlan} from '../screens/fixtures.ts';

function getView({state}: Harness): PlanView {
  return selectPlanView(state, selectRun(state, 'r1')!)!;
}

test('every item leads to its line of the plan', () => {
  const view = getView(planned());
  const lines = formatPlanLines(richPlan);
  const items: readonly PlanItem[] = [
    ...view.objective,
    ...view.problem,
    ...view.rootCause,
    ...view.assumptions,
    ...view.invariants,
    ...view.risks,
    ...view.rejected,
    ...view.tasks.flatMap(({item, brief}) => [item, ...brief]),
  ];
  for (const {line, source} of items) assert.equal(lines[line - 1]!.text, source);
  assert.equal(new Set(items.map(({id}) => id)).size, items.length, 'ids are unique');
  assert.deepEqual(
    view.rejected.map(({id, text}) => [id, text]),
    [
      ['rejected[0]', 'A mutex around every request'],
      ['rejected[0]#2', 'Because: It would serialise requests that need no refresh.'],
    ],
  );
  assert.equal(view.risks[0]!.text, richPlan.risks[0]);
});

test('tasks, waves, services, checks and rules', () => {
  const view = getView(planned());
  assert.deepEqual(view.waves, [[1, 2], [3], [4]]);
  assert.deepEqual(
    view.tasks.map(({number, title, after}) => [number, title, after]),
    [
      [1, 'Share the refresh in flight', []],
      [2, 'Say when a token is refreshed', []],
      [3, 'Count refreshes', [1]],
      [4, 'Release', [2, 3]],
    ],
  );
  assert.deepEqual([view.fileCount, view.sharedFiles, view.services], [7, [], ['web']]);
  assert.deepEqual(
    view.proof.map(({name, from, outcome}) => `${name} ${from} ${outcome}`),
    ['test rules unknown', 'build plan unknown'],
  );
  assert.deepEqual(
    view.rules.map(({number, directive, isEnforced}) => [number, directive, isEnforced]),
    [
      ['1.1', 'protect', true],
      ['2.1', 'max 8', true],
    ],
  );
  assert.equal(view.approves.branch, 'main');
  assert.equal(view.approves.isTreeUnchanged, false);
  assert.equal(getView(reviewing()).approves.isTreeUnchanged, true);
});

describe('files in two tasks:', () => {
  const cases: readonly [string, readonly PlannedTask[], readonly string[]][] = [
    ['none', [plannedTask('t1'), plannedTask('t2')], []],
    [
      'at once',
      [plannedTask('t1', {files: ['a', 'b']}), plannedTask('t2', {files: ['b']})],
      ['b 1,2 true'],
    ],
    [
      'one after the other',
      [plannedTask('t1', {files: ['b']}), plannedTask('t2', {files: ['b'], after: ['t1']})],
      ['b 1,2 false'],
    ],
    [
      'by way of another',
      [
        plannedTask('t1', {files: ['b']}),
        plannedTask('t2', {after: ['t1']}),
        plannedTask('t3', {files: ['b'], after: ['t2']}),
      ],
      ['b 1,3 false'],
    ],
    [
      'a glob',
      [plannedTask('t1', {files: ['src/**']}), plannedTask('t2', {files: ['src/x.ts']})],
      ['src/x.ts 1,2 true'],
    ],
  ];
  for (const [name, tasks, expected] of cases)
    test(name, () => {
      assert.deepEqual(
        getView(reviewing(tasks)).sharedFiles.map(
          ({path, tasks: numbers, isAtOnce}) => `${path} ${numbers.join(',')} ${isAtOnce}`,
        ),
        expected,
      );
    });
});

test('no plan, no view; the same plan is read once', () => {
  const {state} = thinking();
  assert.equal(selectPlanView(state, selectRun(state, 'r1')!), undefined);
  const harness = planned();
  assert.equal(getView(harness).tasks, getView(harness).tasks);
});

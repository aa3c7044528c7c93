import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  emptyState,
  evolve,
  hasWorkLeft,
  type PlannedTask,
  selectAwaitedByMerge,
  selectMerger,
  selectRun,
  selectTask,
  type TaskId,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {failed, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  getTypes,
  makeWorktree,
  mergeTask,
  sessionOfTask,
  startSession,
  validate,
  working,
} from './support/stages.ts';

const roomy = {limits: {workers: 8, runs: 1}};

/** Tasks by their names, as `t3<t1` for one that comes after another. */
function harness(...names: readonly string[]): Harness {
  return working(
    names.map((name): PlannedTask => {
      const [id = '', after] = name.split('<');
      return plannedTask(id, after === undefined ? {} : {after: [after]});
    }),
    {},
    roomy,
  );
}

function getStages({state}: Harness): string[] {
  return selectRun(state, 'r1')!.tasks.map(({stage}) => stage.at);
}

function awaited({state}: Harness, id: TaskId): string[] {
  return selectAwaitedByMerge(state, selectRun(state, 'r1')!, selectTask(state, id)!).map(
    (task) => task.id,
  );
}

/** In which order they were merged, when whoever merges is merged until nobody does. */
function mergeAll(at: Harness): string[] {
  const order: string[] = [];
  for (
    let merger = selectMerger(selectRun(at.state, 'r1')!);
    merger !== undefined;
    merger = selectMerger(selectRun(at.state, 'r1')!)
  ) {
    mergeTask(at, merger.id);
    order.push(merger.planned.id);
  }

  return order;
}

for (const [name, order] of [
  ["the plan's", [1, 2, 3, 4]],
  ['the opposite one', [4, 3, 2, 1]],
  ['any', [3, 1, 4, 2]],
] as const) {
  test(`tasks are merged in the order in which they became green, here ${name}`, () => {
    const at = harness('t1', 't2', 't3', 't4');
    for (const number of order) validate(at, `r1.t${number}`);
    assert.deepEqual(
      mergeAll(at),
      order.map((number) => `t${number}`),
    );
    assert.deepEqual(at.events.reduce(evolve, emptyState), at.state, 'replay gives the same order');
  });
}

test("no task waits for a slower sibling, nor for one whose agent's service asked to wait", () => {
  const at = harness('t1', 't2');
  makeWorktree(at, 'r1.t1');
  const session = sessionOfTask(at, 'r1.t1');
  startSession(at, session);
  report(at, {type: 'session-exited', session, code: 1, signal: null});
  conclude(at, 'read-outcome', {
    type: 'attempt-paused',
    task: 'r1.t1',
    attempt: 1,
    until: at.time + 300_000,
    words: 'overloaded',
  });
  assert.deepEqual(getTypes(validate(at, 'r1.t2')), ['change-committed', 'merge-begun']);
  mergeTask(at, 'r1.t2');
  assert.deepEqual(getStages(at), ['attempting', 'merged']);
});

test('a green task names the one that is merged before it', () => {
  const at = harness('t1', 't2', 't3');
  validate(at, 'r1.t3');
  validate(at, 'r1.t2');
  validate(at, 'r1.t1');
  assert.deepEqual([awaited(at, 'r1.t1'), awaited(at, 'r1.t2')], [['r1.t3'], ['r1.t3']]);
  mergeTask(at, 'r1.t3');
  assert.deepEqual(awaited(at, 'r1.t1'), ['r1.t2']);
});

test('one that comes after a task that was granted another attempt waits for it, and says so; when that waits for a person it goes on', () => {
  const at = harness('t1', 't2<t1');
  validate(at, 'r1.t1');
  mergeTask(at, 'r1.t1');
  userCommand(at, {type: 'grant-attempt', task: 'r1.t1'});
  validate(at, 'r1.t2');
  assert.deepEqual([getStages(at)[1], awaited(at, 'r1.t2')], ['validated', ['r1.t1']]);
  assert.deepEqual(getTypes(userCommand(at, {type: 'stop', what: 'r1.t1'})), [
    'task-held',
    'merge-begun',
  ]);
});

test('one that comes after a task that is discarded after it was merged once is merged', () => {
  const at = harness('t1', 't2<t1');
  validate(at, 'r1.t1');
  mergeTask(at, 'r1.t1');
  userCommand(at, {type: 'grant-attempt', task: 'r1.t1'});
  validate(at, 'r1.t2');
  assert.deepEqual(getTypes(userCommand(at, {type: 'discard', what: 'r1.t1'})), [
    'task-discarded',
    'merge-begun',
  ]);
});

for (const [name, refuseMerge] of [
  [
    'a conflict',
    (at: Harness) =>
      conclude(at, 'build-merge', {type: 'merge-conflicted', task: 'r1.t1', paths: ['a']}),
  ],
  [
    'a red merge',
    (at: Harness) => {
      buildMerge(at, 'r1.t1');
      return check(at, 'r1.t1', failed('test'));
    },
  ],
] as const) {
  test(`a task in repair after ${name} goes behind those that are green meanwhile`, () => {
    const at = harness('t1', 't2', 't3');
    validate(at, 'r1.t1');
    validate(at, 'r1.t2');
    report(
      at,
      {
        type: 'worktree-made',
        owner: 'r1.merge',
        path: '/w/r1.merge',
        branch: null,
        commit: 'base',
        tree: 'tree',
      },
      'r1.merge/make',
    );
    refuseMerge(at);
    assert.equal(selectMerger(selectRun(at.state, 'r1')!)?.id, 'r1.t2');
    validate(at, 'r1.t3');
    // Green again, last of all.
    validate(at, 'r1.t1');
    assert.deepEqual(mergeAll(at), ['t2', 't3', 't1']);
  });
}

test('a stopped merge that is resumed does not take the merge worktree away from the one that is checked there', () => {
  const at = harness('t1', 't2');
  validate(at, 'r1.t1');
  buildMerge(at, 'r1.t1');
  const session = sessionOfTask(at, 'r1.t1');
  startSession(at, session);
  userCommand(at, {type: 'stop', what: 'r1.t1'});
  validate(at, 'r1.t2');
  assert.ok(
    !wantedKeys(at).some((key) => key.startsWith('r1.t2/build-merge')),
    'the check that is being stopped still has the worktree',
  );
  report(at, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  buildMerge(at, 'r1.t2');
  userCommand(at, {type: 'resume', what: 'r1.t1'});
  assert.equal(selectMerger(selectRun(at.state, 'r1')!)?.id, 'r1.t2');
  assert.deepEqual(getTypes(check(at, 'r1.t2', passed('test', 'npm test'))), [
    'check-finished',
    'session-asked',
  ]);
});

test("what was built before another candidate was laid out is built again, not checked on the other's files", () => {
  const at = harness('t1', 't2');
  validate(at, 'r1.t1');
  buildMerge(at, 'r1.t1');
  userCommand(at, {type: 'stop', what: 'r1.t1'});
  report(at, {
    type: 'session-exited',
    session: sessionOfTask(at, 'r1.t1'),
    code: null,
    signal: 'SIGTERM',
  });
  validate(at, 'r1.t2');
  buildMerge(at, 'r1.t2');
  check(at, 'r1.t2', failed('test'));
  assert.deepEqual(getTypes(userCommand(at, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'merge-outdated',
  ]);
  assert.ok(wantedKeys(at).includes('r1.t1/build-merge/commit-r1.t1/base'));
});

test('a merge worktree that vanished is made again, and what was laid out there is built again', () => {
  const at = harness('t1');
  validate(at, 'r1.t1');
  buildMerge(at, 'r1.t1');
  const session = sessionOfTask(at, 'r1.t1');
  startSession(at, session);
  assert.deepEqual(getTypes(report(at, {type: 'worktree-vanished', owner: 'r1.merge'})), [
    'worktree-vanished',
    'merge-outdated',
  ]);
  report(at, {type: 'session-exited', session, code: null, signal: 'SIGKILL'});
  report(
    at,
    {
      type: 'worktree-made',
      owner: 'r1.merge',
      path: '/w/r1.merge',
      branch: null,
      commit: 'base',
      tree: 'tree',
    },
    'r1.merge/make',
  );
  assert.ok(
    wantedKeys(at).includes('r1.t1/build-merge/commit-r1.t1/base'),
    wantedKeys(at).join(' '),
  );
});

test('a journal of an older release, in which green tasks have no number, goes on in the order of its plan', () => {
  const at = harness('t1', 't2', 't3');
  for (const id of ['r1.t3', 'r1.t2', 'r1.t1'] as const) validate(at, id);
  const run = selectRun(at.state, 'r1')!;
  const old = {
    ...run,
    tasks: run.tasks.map((task) =>
      task.stage.at === 'validated'
        ? {...task, stage: {at: 'validated' as const, commit: task.stage.commit}}
        : task,
    ),
  };
  assert.deepEqual(
    selectAwaitedByMerge(at.state, old, old.tasks[1]!).map(({id}) => id),
    ['r1.t3'],
  );
  const free = {
    ...old,
    tasks: old.tasks.map((task) => (task.stage.at === 'merging' ? {...task, hold: {at: 1}} : task)),
  };
  assert.deepEqual(
    selectAwaitedByMerge(at.state, free, free.tasks[1]!).map(({id}) => id),
    ['r1.t1'],
  );
});

test('a worktree is worked in until its task is merged, the one for merges until all are', () => {
  const at = harness('t1', 't2');
  const left = (): readonly boolean[] =>
    (['r1.t1', 'r1.t2', 'r1.merge'] as const).map((owner) =>
      hasWorkLeft(selectRun(at.state, 'r1')!, owner),
    );
  assert.deepEqual(left(), [true, true, true]);
  userCommand(at, {type: 'discard', what: 'r1.t1'});
  assert.deepEqual(left(), [false, true, true]);
  userCommand(at, {type: 'discard', what: 'r1.t2'});
  assert.deepEqual(left(), [false, false, false]);
});

test('a candidate that was about to be published when its task was stopped is built anew when another was merged meanwhile', () => {
  const at = working([plannedTask('t1'), plannedTask('t2')]);
  validate(at, 'r1.t1');
  buildMerge(at, 'r1.t1');
  check(at, 'r1.t1', passed('test', 'npm test'));
  check(at, 'r1.t1', passed('build'));
  userCommand(at, {type: 'stop', what: 'r1.t1'});
  validate(at, 'r1.t2');
  mergeTask(at, 'r1.t2');
  assert.deepEqual(getTypes(userCommand(at, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'merge-outdated',
  ]);
  assert.deepEqual(
    wantedKeys(at).filter((key) => key.includes('merge')),
    ['r1.t1/build-merge/commit-r1.t1/merge-r1.t2'],
  );
});

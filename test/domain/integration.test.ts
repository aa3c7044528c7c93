import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  isReady,
  selectAttempt,
  selectRun,
  selectTask,
  selectWorktree,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  finished,
  getTypes,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  validate,
  work,
  working,
} from './support/stages.ts';

const two = [plannedTask('t1'), plannedTask('t2')];

function getStages(harness: Harness): string[] {
  return selectRun(harness.state, 'r1')!.tasks.map(({stage}) => stage.at);
}

const chain = [plannedTask('t1'), plannedTask('t2', {after: ['t1']})];

test('a dependent waits until its predecessor is merged, and starts from the merged result', () => {
  const harness = working(chain);
  assert.deepEqual(getStages(harness), ['preparing', 'waiting']);
  validate(harness, 'r1.t1');
  assert.deepEqual(getStages(harness), ['merging', 'waiting']);
  assert.deepEqual(getTypes(mergeTask(harness, 'r1.t1')), ['task-merged', 'task-begun']);
  const {head} = selectRun(harness.state, 'r1')!;
  assert.equal(head, 'merge-r1.t1');
  assert.ok(wantedKeys(harness).includes('r1.t2/make'));
});

test('no more tasks are at work than the limit allows, over all runs, in plan order', () => {
  const harness = working([plannedTask('t1'), plannedTask('t2'), plannedTask('t3')]);
  assert.deepEqual(getStages(harness), ['preparing', 'preparing', 'waiting']);
  validate(harness, 'r1.t2');
  assert.deepEqual(getStages(harness), ['preparing', 'merging', 'waiting']);
  validate(harness, 'r1.t1');
  assert.deepEqual(
    getStages(harness),
    ['validated', 'merging', 'preparing'],
    'one that waits for its merge makes room',
  );
});

test('a change that passed alone is checked again after merging, and published only when it passes', () => {
  const harness = working();
  validate(harness, 'r1.t1');
  assert.deepEqual(wantedKeys(harness), ['r1.merge/make']);
  assert.deepEqual(getTypes(buildMerge(harness, 'r1.t1')), ['merge-built', 'session-asked']);
  assert.deepEqual(getTypes(check(harness, 'r1.t1', passed('test'))), [
    'check-finished',
    'session-asked',
  ]);
  assert.deepEqual(getTypes(check(harness, 'r1.t1', passed('build'))), [
    'check-finished',
    'merge-validated',
  ]);
  assert.deepEqual(wantedKeys(harness), ['r1.t1/publish-merge/merge-r1.t1']);
});

test('a check that fails after merging fails the attempt: one repair, then stop and explain', () => {
  const harness = working();
  validate(harness, 'r1.t1');
  buildMerge(harness, 'r1.t1');
  assert.deepEqual(getTypes(check(harness, 'r1.t1', failed('test'))), [
    'check-finished',
    'merge-refused',
    'attempt-started',
    'session-asked',
  ]);
  assert.deepEqual(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.repairs, {
    kind: 'check',
    name: 'test',
    code: 'TEST_FAILURE',
    on: 'merge',
    firstFailure: 'expected 1, got 2',
  });
  validate(harness, 'r1.t1');
  buildMerge(harness, 'r1.t1');
  assert.deepEqual(getTypes(check(harness, 'r1.t1', failed('test'))), [
    'check-finished',
    'merge-refused',
    'task-stopped',
  ]);
  assert.equal(
    selectRun(harness.state, 'r1')!.head,
    'base',
    "nothing of it reached the run's branch",
  );
});

test('a conflict goes back to the worker as its one repair, then to the person', () => {
  const harness = working();
  validate(harness, 'r1.t1');
  makeMergeWorktree(harness);
  assert.deepEqual(
    getTypes(
      conclude(harness, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t1',
        paths: ['src/a.ts'],
      }),
    ),
    ['merge-conflicted', 'attempt-started', 'session-asked'],
  );
  assert.deepEqual(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.repairs, {
    kind: 'conflict',
    paths: ['src/a.ts'],
  });
  validate(harness, 'r1.t1');
  assert.deepEqual(
    getTypes(
      conclude(harness, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t1',
        paths: ['src/a.ts'],
      }),
    ),
    ['merge-conflicted', 'task-stopped'],
  );
});

test('a task that fails after merging is repaired on top of what is merged: its change is rebased first, then the agent starts', () => {
  const harness = working(two);
  validate(harness, 'r1.t1');
  validate(harness, 'r1.t2');
  mergeTask(harness, 'r1.t1');
  assert.deepEqual(
    getTypes(
      conclude(harness, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t2',
        paths: ['src/a.ts'],
        hunks: '<<<<<<<',
      }),
    ),
    ['merge-conflicted', 'attempt-started'],
    'no agent yet',
  );
  assert.deepEqual(selectAttempt(selectTask(harness.state, 'r1.t2')!)?.repairs, {
    kind: 'conflict',
    paths: ['src/a.ts'],
    hunks: '<<<<<<<',
  });
  assert.ok(wantedKeys(harness).includes('r1.t2/renew/merge-r1.t1'));
  assert.deepEqual(
    getTypes(
      conclude(harness, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.t2',
        commit: 'merge-r1.t1',
        tree: 'tree-2',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
  assert.deepEqual(selectWorktree(selectRun(harness.state, 'r1')!, 'r1.t2')?.commit, 'merge-r1.t1');
});

test('work is rebased again only when nothing runs in it: a check after merging that times out is stopped first', () => {
  const harness = working(two);
  validate(harness, 'r1.t1');
  validate(harness, 'r1.t2');
  mergeTask(harness, 'r1.t1');
  buildMerge(harness, 'r1.t2');
  const session = sessionOfTask(harness, 'r1.t2');
  startSession(harness, session);
  report(
    harness,
    {
      type: 'check-finished',
      task: 'r1.t2',
      attempt: 1,
      on: 'merge',
      result: {...failed('test'), outcome: 'timed-out'},
    },
    `${session}/run`,
  );
  assert.ok(!wantedKeys(harness).some((key) => key.startsWith('r1.t2/renew')));
  report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  assert.ok(wantedKeys(harness).includes('r1.t2/renew/merge-r1.t1'));
});

test('a check that times out is over when its watcher reports it, and its process is stopped', () => {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  const session = sessionOfTask(harness, 'r1.t1');
  startSession(harness, session);
  const late = {...failed('test'), outcome: 'timed-out' as const};
  const events = report(
    harness,
    {type: 'check-finished', task: 'r1.t1', attempt: 1, on: 'change', result: late},
    `${session}/run`,
  );
  assert.deepEqual(getTypes(events), ['check-finished', 'attempt-failed', 'attempt-started']);
  assert.ok(
    wantedKeys(harness).includes(`${session}/stop`),
    'and the repair waits until it is gone',
  );
});

test('a merge whose check was interrupted is checked again; one whose check is broken waits for a person', () => {
  const harness = working();
  validate(harness, 'r1.t1');
  buildMerge(harness, 'r1.t1');
  const session = sessionOfTask(harness, 'r1.t1');
  startSession(harness, session);
  assert.deepEqual(getTypes(report(harness, {type: 'session-lost', session, why: 'killed'})), [
    'session-lost',
    'attempt-interrupted',
    'session-asked',
  ]);
  assert.deepEqual(getTypes(check(harness, 'r1.t1', {...failed('test'), outcome: 'broken'})), [
    'check-finished',
    'trouble-met',
  ]);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'session-asked',
  ]);
});

test('a candidate built on an older branch is built again', () => {
  const harness = working(two);
  validate(harness, 'r1.t1');
  buildMerge(harness, 'r1.t1');
  userCommand(harness, {type: 'stop', what: 'r1.t1'});
  report(harness, {
    type: 'session-exited',
    session: sessionOfTask(harness, 'r1.t1'),
    code: null,
    signal: 'SIGTERM',
  });
  validate(harness, 'r1.t2');
  mergeTask(harness, 'r1.t2');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'merge-outdated',
  ]);
  assert.ok(wantedKeys(harness).includes('r1.t1/build-merge/commit-r1.t1/merge-r1.t2'));
});

test('comments on merged work go back to the worker as a granted attempt', () => {
  const harness = finished();
  userCommand(harness, {type: 'grant-attempt', task: 'r1.t1', hint: 'rename it'});
  assert.ok(!isReady(selectRun(harness.state, 'r1')!));
  assert.equal(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.hint, 'rename it');
});

test('an attempt at merged work begins on what is merged, so that it does not conflict with itself', () => {
  const harness = finished();
  userCommand(harness, {type: 'grant-attempt', task: 'r1.t1', hint: 'rename it'});
  assert.ok(wantedKeys(harness).includes('r1.t1/renew/merge-r1.t1'));
  assert.deepEqual(
    getTypes(
      conclude(harness, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.t1',
        commit: 'merge-r1.t1',
        tree: 'tree-2',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
});

test('each end of a task gets its summary, and so does the run, once', () => {
  const harness = finished();
  assert.deepEqual(wantedKeys(harness), ['r1.t1/summary-1', 'r1/summary-1']);
  report(
    harness,
    {type: 'summary-written', run: 'r1', task: 'r1.t1', endings: 1, path: 'a.md', hash: 'h1'},
    'r1.t1/summary-1',
  );
  report(
    harness,
    {type: 'summary-written', run: 'r1', endings: 1, path: 'b.md', hash: 'h2'},
    'r1/summary-1',
  );
  assert.deepEqual(wantedKeys(harness), []);
});

test('a check may touch tracked files; the commit is of the tree that was captured', () => {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', {...passed('test'), touched: ['package-lock.json']});
  check(harness, 'r1.t1', passed('build'));
  assert.deepEqual(wantedKeys(harness), [`r1.t1.a1/commit/${change.tree}`]);
});

function makeMergeWorktree(harness: Harness): void {
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.merge',
      path: '/w/r1.merge',
      branch: null,
      commit: 'base',
      tree: 't',
    },
    'r1.merge/make',
  );
}

test('the end of a session that nothing depends on is only recorded', () => {
  const harness = finished();
  userCommand(harness, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/'});
  const id = `s${harness.state.sessions.size}` as const;
  assert.deepEqual(getTypes(runToExit(harness, id)), ['session-exited']);
});

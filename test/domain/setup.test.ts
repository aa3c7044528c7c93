import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  needsSetup,
  selectAttempt,
  selectRun,
  selectTask,
  selectWorktree,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, green, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  getTypes,
  runToExit,
  sessionOfTask,
  startSession,
  work,
  working,
} from './support/stages.ts';

const budget = {attemptWallClock: 600_000};

/** The task's worktree, with what `setup` reads there. */
function make(harness: Harness, reads = 'one'): void {
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.t1',
      path: '/w/t1',
      branch: 'orchestra/r1-t1',
      commit: 'base',
      tree: 'tree-base',
      reads,
    },
    'r1.t1/make',
  );
}

/** Set up, worked on and captured, with what `setup` reads afterwards. */
function worked(reads: string): Harness {
  const harness = working([plannedTask('t1')], budget, {setup: 'npm ci'});
  make(harness);
  runToExit(harness, lastSession(harness));
  const session = sessionOfTask(harness, 'r1.t1');
  runToExit(harness, session);
  report(
    harness,
    {type: 'agent-finished', task: 'r1.t1', attempt: 1, words: 'Done.'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  report(
    harness,
    {type: 'change-captured', task: 'r1.t1', attempt: 1, change: {...change, reads}},
    'r1.t1.a1/capture',
  );
  report(
    harness,
    {type: 'change-judged', task: 'r1.t1', attempt: 1, judgement: green},
    `r1.t1.a1/judge/${change.tree}`,
  );
  return harness;
}

/** At its merge, whose worktree was made with what `setup` reads. */
function merging(): Harness {
  const harness = worked('one');
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  report(
    harness,
    {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'commit-r1.t1'},
    `r1.t1.a1/commit/${change.tree}`,
  );
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.merge',
      path: '/w/merge',
      branch: null,
      commit: 'base',
      tree: 'tree-base',
      reads: 'one',
    },
    'r1.merge/make',
  );
  return harness;
}

function lastSession(harness: Harness): `s${number}` {
  return `s${harness.state.sessions.size}`;
}

function lastPurpose(harness: Harness): unknown {
  return harness.events.findLast((event) => event.type === 'session-asked')?.purpose;
}

describe("setup of a task's worktree", () => {
  test('passes once for the same command and files', () => {
    const harness = worked('one');
    assert.deepEqual(lastPurpose(harness), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'change',
    });
  });

  test('is run again before the checks of a change of what it reads', () => {
    const harness = worked('two');
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'change'});
    assert.deepEqual(getTypes(runToExit(harness, lastSession(harness))), [
      'session-exited',
      'setup-passed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(harness), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'change',
    });
    assert.ok(!needsSetup(harness.state, selectRun(harness.state, 'r1')!, 'r1.t1'));
  });

  test('that a change breaks is the failure of that change', () => {
    const harness = worked('two');
    assert.deepEqual(getTypes(runToExit(harness, lastSession(harness), 1)).slice(0, 3), [
      'session-exited',
      'attempt-failed',
      'attempt-started',
    ]);
    const repairs = selectAttempt(selectTask(harness.state, 'r1.t1')!)?.repairs;
    assert.deepEqual(repairs?.kind === 'check' && [repairs.name, repairs.code, repairs.on], [
      'setup',
      'SETUP_FAILURE',
      'change',
    ]);
  });

  test('that is interrupted runs again, and counts as an interruption', () => {
    const harness = worked('two');
    const decision = report(harness, {
      type: 'session-lost',
      session: lastSession(harness),
      why: 'killed',
    });
    assert.deepEqual(getTypes(decision), ['session-lost', 'attempt-interrupted', 'session-asked']);
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'change'});
    assert.equal(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.interruptions, 1);
  });

  test('that a person stops is stopped, and starts over with the task', () => {
    const harness = worked('two');
    const session = lastSession(harness);
    startSession(harness, session);
    userCommand(harness, {type: 'stop', what: 'r1.t1'});
    assert.ok(wantedKeys(harness).includes(`${session}/stop`));
    report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    assert.equal(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.interruptions, 0);
  });

  test('that takes longer than an attempt may has its clock', () => {
    const harness = worked('two');
    const session = lastSession(harness);
    startSession(harness, session);
    const clock = wantedKeys(harness).find((key) => key.startsWith('r1.t1/setup-clock/'));
    assert.ok(clock !== undefined);
    harness.time += budget.attemptWallClock;
    assert.ok(getTypes(report(harness, {type: 'time-passed'}, clock)).includes('attempt-failed'));
    assert.ok(wantedKeys(harness).includes(`${session}/stop`));
  });

  test('is run again when the project says another command, before the next check', () => {
    const harness = worked('one');
    report(harness, {
      type: 'project-read',
      project: {...harness.state.project, setup: 'npm ci --offline'},
    });
    check(harness, 'r1.t1', passed('test', 'npm test'));
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'change'});
  });

  test('that is new to the project reaches a worktree that is there', () => {
    const harness = working([plannedTask('t1')]);
    make(harness);
    report(harness, {type: 'project-read', project: {...harness.state.project, setup: 'npm ci'}});
    work(harness, 'r1.t1');
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'change'});
  });
});

describe('setup of the worktree for merges', () => {
  test('is run before the first check of the first merge', () => {
    const harness = merging();
    assert.deepEqual(getTypes(buildMerge(harness, 'r1.t1')), ['merge-built', 'session-asked']);
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'merge'});
    assert.deepEqual(getTypes(runToExit(harness, lastSession(harness))), [
      'session-exited',
      'setup-passed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(harness), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'merge',
    });
    assert.deepEqual(selectWorktree(selectRun(harness.state, 'r1')!, 'r1.merge')?.setUp, {
      command: 'npm ci',
    });
  });

  test("that fails is trouble: no attempt and no repair is spent, and it is run again by a person's word", () => {
    const harness = merging();
    buildMerge(harness, 'r1.t1');
    assert.deepEqual(getTypes(runToExit(harness, lastSession(harness), 9)), [
      'session-exited',
      'trouble-met',
    ]);
    assert.deepEqual(selectTask(harness.state, 'r1.t1')!.trouble?.why, {kind: 'setup', code: 9});
    assert.equal(selectTask(harness.state, 'r1.t1')!.stage.at, 'merging');
    assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'merge'});
  });

  test('a candidate that is not what lies there is built again', () => {
    const harness = merging();
    buildMerge(harness, 'r1.t1');
    assert.deepEqual(getTypes(report(harness, {type: 'worktree-vanished', owner: 'r1.merge'})), [
      'worktree-vanished',
      'merge-outdated',
    ]);
  });
});

test('a task that is renewed onto a head with other manifests is set up again before its agent starts', () => {
  const harness = merging();
  buildMerge(harness, 'r1.t1');
  runToExit(harness, lastSession(harness));
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  conclude(harness, 'publish-merge', {type: 'task-merged', task: 'r1.t1', commit: 'merge-r1.t1'});
  userCommand(harness, {type: 'grant-attempt', task: 'r1.t1', hint: 'more'});
  assert.deepEqual(
    getTypes(
      conclude(harness, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.t1',
        commit: 'merge-r1.t1',
        tree: 't',
        reads: 'three',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
  assert.deepEqual(lastPurpose(harness), {for: 'setup', task: 'r1.t1', on: 'change'});
  assert.deepEqual(
    getTypes(runToExit(harness, lastSession(harness), 3)),
    ['session-exited', 'trouble-met'],
    'nobody works where it failed',
  );
});

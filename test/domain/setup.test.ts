import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {attemptOf, needsSetup, runOf, taskOf, worktreeOf} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, green, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  work,
  working,
} from './support/stages.ts';

const budget = {attemptWallClock: 600_000};

/** The task's worktree, with what `setup` reads there. */
function make(house: House, reads = 'one'): void {
  report(
    house,
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
function worked(reads: string): House {
  const house = working([plannedTask('t1')], budget, {setup: 'npm ci'});
  make(house);
  runToExit(house, lastSession(house));
  const session = sessionOfTask(house, 'r1.t1');
  runToExit(house, session);
  report(
    house,
    {type: 'agent-finished', task: 'r1.t1', attempt: 1, words: 'Done.'},
    `r1.t1.a1/read-outcome/${session}`,
  );
  report(
    house,
    {type: 'change-captured', task: 'r1.t1', attempt: 1, change: {...change, reads}},
    'r1.t1.a1/capture',
  );
  report(
    house,
    {type: 'change-judged', task: 'r1.t1', attempt: 1, judgement: green},
    `r1.t1.a1/judge/${change.tree}`,
  );
  return house;
}

/** At its merge, whose worktree was made with what `setup` reads. */
function merging(): House {
  const house = worked('one');
  check(house, 'r1.t1', passed('test', 'npm test'));
  check(house, 'r1.t1', passed('build'));
  report(
    house,
    {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'commit-r1.t1'},
    `r1.t1.a1/commit/${change.tree}`,
  );
  report(
    house,
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
  return house;
}

function lastSession(house: House): `s${number}` {
  return `s${house.state.sessions.size}`;
}

function lastPurpose(house: House): unknown {
  return house.events.findLast((event) => event.type === 'session-asked')?.purpose;
}

describe("setup of a task's worktree", () => {
  test('passes once for the same command and files', () => {
    const house = worked('one');
    assert.deepEqual(lastPurpose(house), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'change',
    });
  });

  test('is run again before the checks of a change of what it reads', () => {
    const house = worked('two');
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'change'});
    assert.deepEqual(typesOf(runToExit(house, lastSession(house))), [
      'session-exited',
      'setup-passed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(house), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'change',
    });
    assert.ok(!needsSetup(house.state, runOf(house.state, 'r1')!, 'r1.t1'));
  });

  test('that a change breaks is the failure of that change', () => {
    const house = worked('two');
    assert.deepEqual(typesOf(runToExit(house, lastSession(house), 1)).slice(0, 3), [
      'session-exited',
      'attempt-failed',
      'attempt-started',
    ]);
    const repairs = attemptOf(taskOf(house.state, 'r1.t1')!)?.repairs;
    assert.deepEqual(repairs?.kind === 'check' && [repairs.name, repairs.code, repairs.on], [
      'setup',
      'SETUP_FAILURE',
      'change',
    ]);
  });

  test('that is cut short is run again, and is an interruption', () => {
    const house = worked('two');
    const decision = report(house, {
      type: 'session-lost',
      session: lastSession(house),
      why: 'killed',
    });
    assert.deepEqual(typesOf(decision), ['session-lost', 'attempt-interrupted', 'session-asked']);
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'change'});
    assert.equal(attemptOf(taskOf(house.state, 'r1.t1')!)?.interruptions, 1);
  });

  test('that a person stops is stopped, and begun anew with the task', () => {
    const house = worked('two');
    const session = lastSession(house);
    startSession(house, session);
    wish(house, {type: 'stop', what: 'r1.t1'});
    assert.ok(wantedKeys(house).includes(`${session}/stop`));
    report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    assert.equal(attemptOf(taskOf(house.state, 'r1.t1')!)?.interruptions, 0);
  });

  test('that takes longer than an attempt may has its clock', () => {
    const house = worked('two');
    const session = lastSession(house);
    startSession(house, session);
    const clock = wantedKeys(house).find((key) => key.startsWith('r1.t1/setup-clock/'));
    assert.ok(clock !== undefined);
    house.time += budget.attemptWallClock;
    assert.ok(typesOf(report(house, {type: 'time-passed'}, clock)).includes('attempt-failed'));
    assert.ok(wantedKeys(house).includes(`${session}/stop`));
  });

  test('is run again when the project says another command, before the next check', () => {
    const house = worked('one');
    report(house, {
      type: 'project-read',
      project: {...house.state.project, setup: 'npm ci --offline'},
    });
    check(house, 'r1.t1', passed('test', 'npm test'));
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'change'});
  });

  test('that is new to the project reaches a worktree that is there', () => {
    const house = working([plannedTask('t1')]);
    make(house);
    report(house, {type: 'project-read', project: {...house.state.project, setup: 'npm ci'}});
    work(house, 'r1.t1');
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'change'});
  });
});

describe('setup of the worktree for merges', () => {
  test('is run before the first check of the first merge', () => {
    const house = merging();
    assert.deepEqual(typesOf(buildMerge(house, 'r1.t1')), ['merge-built', 'session-asked']);
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'merge'});
    assert.deepEqual(typesOf(runToExit(house, lastSession(house))), [
      'session-exited',
      'setup-passed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(house), {
      for: 'check',
      task: 'r1.t1',
      attempt: 1,
      check: 'test',
      on: 'merge',
    });
    assert.deepEqual(worktreeOf(runOf(house.state, 'r1')!, 'r1.merge')?.setUp, {command: 'npm ci'});
  });

  test("that fails is trouble: no attempt and no repair is spent, and it is run again by a person's word", () => {
    const house = merging();
    buildMerge(house, 'r1.t1');
    assert.deepEqual(typesOf(runToExit(house, lastSession(house), 9)), [
      'session-exited',
      'trouble-met',
    ]);
    assert.deepEqual(taskOf(house.state, 'r1.t1')!.trouble?.why, {kind: 'setup', code: 9});
    assert.equal(taskOf(house.state, 'r1.t1')!.stage.at, 'merging');
    assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'merge'});
  });

  test('a candidate that is not what lies there is built again', () => {
    const house = merging();
    buildMerge(house, 'r1.t1');
    assert.deepEqual(typesOf(report(house, {type: 'worktree-vanished', owner: 'r1.merge'})), [
      'worktree-vanished',
      'merge-outdated',
    ]);
  });
});

test('a task that is renewed onto a head with other manifests is set up again before its agent starts', () => {
  const house = merging();
  buildMerge(house, 'r1.t1');
  runToExit(house, lastSession(house));
  check(house, 'r1.t1', passed('test', 'npm test'));
  check(house, 'r1.t1', passed('build'));
  conclude(house, 'publish-merge', {type: 'task-merged', task: 'r1.t1', commit: 'merge-r1.t1'});
  wish(house, {type: 'grant-attempt', task: 'r1.t1', hint: 'more'});
  assert.deepEqual(
    typesOf(
      conclude(house, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.t1',
        commit: 'merge-r1.t1',
        tree: 't',
        reads: 'three',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
  assert.deepEqual(lastPurpose(house), {for: 'setup', task: 'r1.t1', on: 'change'});
  assert.deepEqual(
    typesOf(runToExit(house, lastSession(house), 3)),
    ['session-exited', 'trouble-met'],
    'nobody works where it failed',
  );
});

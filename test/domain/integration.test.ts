import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  attemptOf,
  isReady,
  needsOf,
  runOf,
  taskOf,
  worktreeOf,
  type Project,
} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, failed, passed, plannedTask} from './support/samples.ts';
import {
  buildMerge,
  check,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  validate,
  work,
  working,
} from './support/stages.ts';

function stagesOf(house: House): string[] {
  return runOf(house.state, 'r1')!.tasks.map(({stage}) => stage.at);
}

const two = [plannedTask('t1'), plannedTask('t2')];
const chain = [plannedTask('t1'), plannedTask('t2', {after: ['t1']})];

test('a dependent waits until its predecessor is merged, and starts from the merged result', () => {
  const house = working(chain);
  assert.deepEqual(stagesOf(house), ['preparing', 'waiting']);
  validate(house, 'r1.t1');
  assert.deepEqual(stagesOf(house), ['merging', 'waiting']);
  assert.deepEqual(typesOf(mergeTask(house, 'r1.t1')), ['task-merged', 'task-begun']);
  const {head} = runOf(house.state, 'r1')!;
  assert.equal(head, 'merge-r1.t1');
  assert.ok(wantedKeys(house).includes('r1.t2/make'));
});

test('no more tasks are at work than the limit allows, over all runs, in plan order', () => {
  const house = working([plannedTask('t1'), plannedTask('t2'), plannedTask('t3')]);
  assert.deepEqual(stagesOf(house), ['preparing', 'preparing', 'waiting']);
  validate(house, 'r1.t2');
  assert.deepEqual(stagesOf(house), ['preparing', 'merging', 'waiting']);
  validate(house, 'r1.t1');
  assert.deepEqual(
    stagesOf(house),
    ['validated', 'merging', 'preparing'],
    'one that waits for its merge makes room',
  );
});

test('what was green alone is checked again beside the others, and published only when it is green', () => {
  const house = working();
  validate(house, 'r1.t1');
  assert.deepEqual(wantedKeys(house), ['r1.merge/make']);
  assert.deepEqual(typesOf(buildMerge(house, 'r1.t1')), ['merge-built', 'session-asked']);
  assert.deepEqual(typesOf(check(house, 'r1.t1', passed('test'))), [
    'check-finished',
    'session-asked',
  ]);
  assert.deepEqual(typesOf(check(house, 'r1.t1', passed('build'))), [
    'check-finished',
    'merge-validated',
  ]);
  assert.deepEqual(wantedKeys(house), ['r1.t1/publish-merge/merge-r1.t1']);
});

test('red beside the others is the failure of the attempt: repaired once, then stop and explain', () => {
  const house = working();
  validate(house, 'r1.t1');
  buildMerge(house, 'r1.t1');
  assert.deepEqual(typesOf(check(house, 'r1.t1', failed('test'))), [
    'check-finished',
    'merge-refused',
    'attempt-started',
    'session-asked',
  ]);
  assert.deepEqual(attemptOf(taskOf(house.state, 'r1.t1')!)?.repairs, {
    kind: 'check',
    name: 'test',
    code: 'TEST_FAILURE',
    on: 'merge',
    firstFailure: 'expected 1, got 2',
  });
  validate(house, 'r1.t1');
  buildMerge(house, 'r1.t1');
  assert.deepEqual(typesOf(check(house, 'r1.t1', failed('test'))), [
    'check-finished',
    'merge-refused',
    'task-stopped',
  ]);
  assert.equal(runOf(house.state, 'r1')!.head, 'base', "nothing of it reached the run's branch");
});

test('a conflict goes back to the worker as its one repair, then to the person', () => {
  const house = working();
  validate(house, 'r1.t1');
  makeMergeWorktree(house);
  assert.deepEqual(
    typesOf(
      conclude(house, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t1',
        paths: ['src/a.ts'],
      }),
    ),
    ['merge-conflicted', 'attempt-started', 'session-asked'],
  );
  assert.deepEqual(attemptOf(taskOf(house.state, 'r1.t1')!)?.repairs, {
    kind: 'conflict',
    paths: ['src/a.ts'],
  });
  validate(house, 'r1.t1');
  assert.deepEqual(
    typesOf(
      conclude(house, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t1',
        paths: ['src/a.ts'],
      }),
    ),
    ['merge-conflicted', 'task-stopped'],
  );
});

test('a task that is red beside the others repairs on top of what is merged: its work is laid over first, then the agent starts', () => {
  const house = working(two);
  validate(house, 'r1.t1');
  validate(house, 'r1.t2');
  mergeTask(house, 'r1.t1');
  assert.deepEqual(
    typesOf(
      conclude(house, 'build-merge', {
        type: 'merge-conflicted',
        task: 'r1.t2',
        paths: ['src/a.ts'],
        hunks: '<<<<<<<',
      }),
    ),
    ['merge-conflicted', 'attempt-started'],
    'no agent yet',
  );
  assert.deepEqual(attemptOf(taskOf(house.state, 'r1.t2')!)?.repairs, {
    kind: 'conflict',
    paths: ['src/a.ts'],
    hunks: '<<<<<<<',
  });
  assert.ok(wantedKeys(house).includes('r1.t2/renew/merge-r1.t1'));
  assert.deepEqual(
    typesOf(
      conclude(house, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.t2',
        commit: 'merge-r1.t1',
        tree: 'tree-2',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
  assert.deepEqual(worktreeOf(runOf(house.state, 'r1')!, 'r1.t2')?.commit, 'merge-r1.t1');
});

test('work is laid over anew only when nobody is at it: a check after merging that takes too long is stopped first', () => {
  const house = working(two);
  validate(house, 'r1.t1');
  validate(house, 'r1.t2');
  mergeTask(house, 'r1.t1');
  buildMerge(house, 'r1.t2');
  const session = sessionOfTask(house, 'r1.t2');
  startSession(house, session);
  report(
    house,
    {
      type: 'check-finished',
      task: 'r1.t2',
      attempt: 1,
      on: 'merge',
      result: {...failed('test'), outcome: 'timed-out'},
    },
    `${session}/run`,
  );
  assert.ok(!wantedKeys(house).some((key) => key.startsWith('r1.t2/renew')));
  report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  assert.ok(wantedKeys(house).includes('r1.t2/renew/merge-r1.t1'));
});

test('a check that takes too long is over when the one who watches it says so, and its process is stopped', () => {
  const house = working();
  makeWorktree(house, 'r1.t1');
  work(house, 'r1.t1');
  const session = sessionOfTask(house, 'r1.t1');
  startSession(house, session);
  const late = {...failed('test'), outcome: 'timed-out' as const};
  const events = report(
    house,
    {type: 'check-finished', task: 'r1.t1', attempt: 1, on: 'change', result: late},
    `${session}/run`,
  );
  assert.deepEqual(typesOf(events), ['check-finished', 'attempt-failed', 'attempt-started']);
  assert.ok(wantedKeys(house).includes(`${session}/stop`), 'and the repair waits until it is gone');
});

test('a merge whose check was cut short is checked again; one whose check is broken waits for a person', () => {
  const house = working();
  validate(house, 'r1.t1');
  buildMerge(house, 'r1.t1');
  const session = sessionOfTask(house, 'r1.t1');
  startSession(house, session);
  assert.deepEqual(typesOf(report(house, {type: 'session-lost', session, why: 'killed'})), [
    'session-lost',
    'attempt-interrupted',
    'session-asked',
  ]);
  assert.deepEqual(typesOf(check(house, 'r1.t1', {...failed('test'), outcome: 'broken'})), [
    'check-finished',
    'trouble-met',
  ]);
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'session-asked',
  ]);
});

test('a candidate built on an older branch is built anew', () => {
  const house = working(two);
  validate(house, 'r1.t1');
  buildMerge(house, 'r1.t1');
  wish(house, {type: 'stop', what: 'r1.t1'});
  report(house, {
    type: 'session-exited',
    session: sessionOfTask(house, 'r1.t1'),
    code: null,
    signal: 'SIGTERM',
  });
  validate(house, 'r1.t2');
  mergeTask(house, 'r1.t2');
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1.t1'})), [
    'task-resumed',
    'merge-outdated',
  ]);
  assert.ok(wantedKeys(house).includes('r1.t1/build-merge/commit-r1.t1/merge-r1.t2'));
});

test("a run whose tasks are all merged waits to be accepted, and is brought home on the person's word", () => {
  const house = finished();
  assert.ok(isReady(runOf(house.state, 'r1')!));
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'accept' && need.commit),
    ['merge-r1.t1'],
  );
  assert.match(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'older'}).refused ?? '',
    /r1 is at merge-r1\.t1 now, not at/,
  );
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  assert.deepEqual(wantedKeys(house), ['r1/bring-home/merge-r1.t1', 'r1.t1/summary-1']);
  conclude(house, 'bring-home', {type: 'run-accepted', run: 'r1', commit: 'home'});
  assert.deepEqual(runOf(house.state, 'r1')!.stage, {at: 'accepted', commit: 'home'});
});

test('accepted work keeps the worktrees of its tasks until the person tidies them', () => {
  const house = finished();
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  assert.match(
    wish(house, {type: 'tidy-worktree', owner: 'r1.t1'}).refused ?? '',
    /still needs the worktree/,
  );
  conclude(house, 'bring-home', {type: 'run-accepted', run: 'r1', commit: 'home'});
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.endsWith('/remove')),
    ['r1.plan/remove', 'r1.merge/remove'],
  );
  wish(house, {type: 'tidy-worktree', owner: 'r1.t1'});
  assert.ok(wantedKeys(house).includes('r1.t1/remove'));
  report(house, {type: 'worktree-removed', owner: 'r1.t1', kept: null}, 'r1.t1/remove');
  assert.ok(!wantedKeys(house).includes('r1.t1/remove'));
});

test('an acceptance that is refused tells why and can be given again', () => {
  const house = finished();
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(house, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'your branch has changes in src/t1.ts',
  });
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'accept' && need.refusal),
    ['your branch has changes in src/t1.ts'],
  );
  assert.equal(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused,
    undefined,
  );
});

test('a run that is not ready is not accepted, and is told what is missing', () => {
  const house = working(two);
  assert.equal(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'base'}).refused,
    'r1 is not ready: r1.t1 is preparing, r1.t2 is preparing',
  );
});

test('comments on merged work go back to the worker as a granted attempt', () => {
  const house = finished();
  wish(house, {type: 'grant-attempt', task: 'r1.t1', hint: 'rename it'});
  assert.ok(!isReady(runOf(house.state, 'r1')!));
  assert.equal(attemptOf(taskOf(house.state, 'r1.t1')!)?.hint, 'rename it');
});

test('an attempt at merged work begins on what is merged, so that it does not conflict with itself', () => {
  const house = finished();
  wish(house, {type: 'grant-attempt', task: 'r1.t1', hint: 'rename it'});
  assert.ok(wantedKeys(house).includes('r1.t1/renew/merge-r1.t1'));
  assert.deepEqual(
    typesOf(
      conclude(house, 'renew-worktree', {
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
  const house = finished();
  assert.deepEqual(wantedKeys(house), ['r1.t1/summary-1', 'r1/summary-1']);
  report(
    house,
    {type: 'summary-written', run: 'r1', task: 'r1.t1', endings: 1, path: 'a.md', hash: 'h1'},
    'r1.t1/summary-1',
  );
  report(
    house,
    {type: 'summary-written', run: 'r1', endings: 1, path: 'b.md', hash: 'h2'},
    'r1/summary-1',
  );
  assert.deepEqual(wantedKeys(house), []);
});

test('a check may touch tracked files; the commit is of the tree that was captured', () => {
  const house = working();
  makeWorktree(house, 'r1.t1');
  work(house, 'r1.t1');
  check(house, 'r1.t1', {...passed('test'), touched: ['package-lock.json']});
  check(house, 'r1.t1', passed('build'));
  assert.deepEqual(wantedKeys(house), [`r1.t1.a1/commit/${change.tree}`]);
});

function finished(project?: Partial<Project>): House {
  const house = working([plannedTask('t1')], {}, project);
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  return house;
}

function makeMergeWorktree(house: House): void {
  report(
    house,
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

test('the end of a session that nobody counts on is a fact and no more', () => {
  const house = finished();
  wish(house, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/'});
  const id = `s${house.state.sessions.size}` as const;
  assert.deepEqual(typesOf(runToExit(house, id)), ['session-exited']);
});

test('an acceptance is of the commit that was shown; the refusal of an older one says what is new', () => {
  const house = working(two);
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  validate(house, 'r1.t2');
  mergeTask(house, 'r1.t2');
  assert.match(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused ?? '',
    /r1 is at merge-r1\.t2 now, not at merge-r1\.t1: r1\.t2 was merged since you looked\. Look at it again/,
  );
  assert.match(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'never'}).refused ?? '',
    /not at never: r1\.t2 was merged since you looked/,
  );
  assert.deepEqual(wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t2'}).events[0], {
    type: 'accept-asked',
    run: 'r1',
    commit: 'merge-r1.t2',
    at: house.time,
  });
});

test("the way is the person's, else the project's; it is journaled, and a refusal leaves nothing of it behind", () => {
  const house = finished({accept: 'rebase'});
  const asked = wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1', into: 'dev'})
    .events[0];
  assert.deepEqual(asked, {
    type: 'accept-asked',
    run: 'r1',
    commit: 'merge-r1.t1',
    way: 'rebase',
    into: 'dev',
    at: house.time,
  });
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.includes('bring-home')),
    ['r1/bring-home/merge-r1.t1/rebase'],
  );
  conclude(house, 'bring-home', {type: 'accept-refused', run: 'r1', why: 'edits'});
  const {stage} = runOf(house.state, 'r1')!;
  assert.deepEqual(['way' in stage, 'into' in stage, 'commit' in stage], [false, false, false]);
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1', way: 'merge'});
  conclude(house, 'bring-home', {
    type: 'run-accepted',
    run: 'r1',
    commit: 'c',
    signed: true,
    into: 'dev',
  });
  assert.deepEqual(runOf(house.state, 'r1')!.stage, {
    at: 'accepted',
    commit: 'c',
    into: 'dev',
    isSigned: true,
  });
});

test('where the project wants what is accepted signed, only a signed commit or a person\'s "no" is taken', () => {
  const house = finished({sign: 'accept'});
  const accept = {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'} as const;
  assert.match(
    wish(house, accept).refused ?? '',
    /"sign: accept", and this was not signed.*orchestra accept r1 --commit merge-r1\.t1/,
  );
  assert.deepEqual(typesOf(wish(house, {...accept, signed: 'signed-1'})), ['accept-asked']);
  assert.deepEqual(typesOf(wish(finished({sign: 'accept'}), {...accept, sign: false})), [
    'accept-asked',
  ]);
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  isBaselineOver,
  selectBaseline,
  selectNeeds,
  selectRedOnBase,
  selectRun,
  selectStanding,
  selectTask,
} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  userCommand,
  wantedKeys,
} from './support/harness.ts';
import {base, change, getPlan, passed, plannedTask, request} from './support/samples.ts';
import {
  makeMerge,
  onBase,
  recall,
  reviewed,
  sessionOnBase,
  testGreen,
  testRed,
  withBase,
} from './support/baseline.ts';
import {
  approve,
  check,
  getTypes,
  makeWorktree,
  runToExit,
  startSession,
  work,
} from './support/stages.ts';

describe('the base', () => {
  test('is looked up first, then checked in the worktree for merges, while the plan waits for a person', () => {
    const harness = reviewed();
    assert.deepEqual(
      wantedKeys(harness).filter((key) => !key.includes('/prepare/')),
      ['r1/recall-baseline/1', 'r1.merge/make'],
    );
    makeMerge(harness);
    assert.equal(
      selectBaseline(selectRun(harness.state, 'r1')!).session,
      undefined,
      'nothing is run that may be known',
    );
    assert.deepEqual(getTypes(recall(harness)), ['baseline-recalled', 'session-asked']);
    assert.deepEqual(getTypes(onBase(harness, testGreen)), ['baseline-checked', 'session-asked']);
    assert.deepEqual(getTypes(onBase(harness, passed('build'))), ['baseline-checked']);
    assert.ok(isBaselineOver(harness.state, selectRun(harness.state, 'r1')!));
    assert.deepEqual(getTypes(approve(harness)), ['plan-approved', 'task-begun']);
  });

  test('that is known from an earlier run needs no session', () => {
    const harness = reviewed();
    recall(harness, [testGreen, passed('build')]);
    assert.ok(isBaselineOver(harness.state, selectRun(harness.state, 'r1')!));
    assert.equal(harness.state.live.length, 0);
  });

  test("is set up before it is checked; where that fails it is told, tried again at a person's word, and keeps nobody from approving", () => {
    const harness = reviewed({setup: 'npm ci'});
    recall(harness);
    makeMerge(harness);
    const decision = runToExit(harness, sessionOnBase(harness), 9);
    assert.deepEqual(getTypes(decision), ['session-exited', 'baseline-failed']);
    assert.ok(isBaselineOver(harness.state, selectRun(harness.state, 'r1')!));
    assert.deepEqual(getTypes(userCommand(harness, {type: 'baseline-again', run: 'r1'})), [
      'baseline-asked-again',
      'session-asked',
    ]);
    assert.deepEqual(getTypes(runToExit(harness, sessionOnBase(harness))), [
      'session-exited',
      'worktree-set-up',
      'session-asked',
    ]);
    assert.deepEqual(getTypes(approve(harness)), ['plan-approved', 'task-begun']);
  });

  test('that is interrupted again and again is given up; a failure then counts as usual', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    const types: string[] = [];
    for (let times = 0; times < 3; times++)
      types.push(
        ...getTypes(
          report(harness, {type: 'session-lost', session: sessionOnBase(harness), why: 'killed'}),
        ),
      );
    assert.deepEqual(types.slice(-2), ['baseline-interrupted', 'baseline-failed']);
    approve(harness);
    makeWorktree(harness, 'r1.t1');
    work(harness, 'r1.t1');
    assert.ok(getTypes(check(harness, 'r1.t1', testRed)).includes('attempt-failed'));
  });

  test('says nothing where it is red and a service that the plan relies on does not run', () => {
    const web = {name: 'web', command: 'npm start', port: 3000};
    const harness = reviewed({services: [web]});
    userCommand(harness, {type: 'declare-service', spec: web});
    userCommand(harness, {
      type: 'edit-plan',
      run: 'r1',
      plan: getPlan({...plannedTask('t1'), services: ['web']}),
      hash: 'plan-2',
    });
    recall(harness);
    makeMerge(harness);
    onBase(harness, testRed);
    const run = selectRun(harness.state, 'r1')!;
    assert.deepEqual(
      [
        selectBaseline(run).results[0]?.lacks,
        selectRedOnBase(run),
        selectStanding(harness.state, run, testRed),
      ],
      [['web'], [], 'red'],
    );
    assert.deepEqual(
      selectNeeds(harness.state).map((need) => need.kind === 'plan' && need.red),
      [undefined],
    );
  });

  test('is checked again when it moves, and a result of the old one says nothing', () => {
    const harness = withBase(testRed);
    report(harness, {type: 'base-moved', run: 'r1', base: 'newer'});
    assert.deepEqual(
      selectNeeds(harness.state).map((need) => need.kind === 'plan' && need.red),
      [undefined],
    );
    recall(harness);
    assert.ok(wantedKeys(harness).includes('r1.merge/renew/newer'));
    assert.deepEqual(
      getTypes(
        conclude(harness, 'renew-worktree', {
          type: 'worktree-renewed',
          owner: 'r1.merge',
          commit: 'newer',
          tree: 't',
        }),
      ),
      ['worktree-renewed', 'session-asked'],
    );
  });

  test('follows a plan that is edited: a check that is new is run, one that is known is not', () => {
    const harness = withBase(testGreen);
    const plan = {
      ...getPlan(plannedTask('t1')),
      validation: [{name: 'lint', command: 'npm run lint'}],
    };
    userCommand(harness, {type: 'edit-plan', run: 'r1', plan, hash: 'plan-2'});
    assert.deepEqual(getTypes(recall(harness)), ['baseline-recalled', 'session-asked']);
    const purpose = harness.events.findLast((event) => event.type === 'session-asked')?.purpose;
    assert.deepEqual(purpose, {for: 'baseline', run: 'r1', check: 'lint', command: 'npm run lint'});
  });

  test('ends with the plan that is rejected, and is no crash', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    const session = sessionOnBase(harness);
    startSession(harness, session);
    userCommand(harness, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: 'smaller'});
    assert.ok(wantedKeys(harness).includes(`${session}/stop`));
    assert.equal(selectBaseline(selectRun(harness.state, 'r1')!).interruptions, 0);
  });

  test('is not checked by two at once: the next waits until the one before has ended', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    const session = sessionOnBase(harness);
    startSession(harness, session);
    userCommand(harness, {type: 'stop', what: 'r1'});
    userCommand(harness, {type: 'resume', what: 'r1'});
    assert.equal(selectBaseline(selectRun(harness.state, 'r1')!).session, undefined);
    assert.deepEqual(
      getTypes(report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'})),
      ['session-exited', 'session-asked'],
    );
  });

  test('is stopped with its run, and starts over when the run resumes', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    const session = sessionOnBase(harness);
    startSession(harness, session);
    userCommand(harness, {type: 'stop', what: session});
    assert.ok(wantedKeys(harness).includes(`${session}/stop`));
    report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1'})), [
      'run-resumed',
      'session-asked',
    ]);
    assert.equal(selectBaseline(selectRun(harness.state, 'r1')!).interruptions, 0);
  });

  test('of a run from an older journal is not checked', () => {
    const harness = createHarness();
    report(harness, {
      type: 'project-read',
      project: {setup: 'npm ci', services: [], limits: {workers: 2, runs: 1}},
    });
    userCommand(harness, {type: 'start-run', request, budget: {}});
    conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
    assert.ok(!wantedKeys(harness).some((key) => key.includes('baseline')));
  });
});

describe('the base and the merges share a worktree', () => {
  /** Its checks are green, and it is committed. */
  function validated(harness: Harness): void {
    makeWorktree(harness, 'r1.t1');
    work(harness, 'r1.t1');
    check(harness, 'r1.t1', testGreen);
    check(harness, 'r1.t1', passed('build'));
    report(
      harness,
      {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'commit-r1.t1'},
      `r1.t1.a1/commit/${change.tree}`,
    );
  }

  test('nothing is merged there while the base is checked', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    approve(harness);
    validated(harness);
    assert.equal(selectTask(harness.state, 'r1.t1')!.stage.at, 'merging');
    assert.ok(!wantedKeys(harness).some((key) => key.includes('/build-merge/')));
    runToExit(harness, sessionOnBase(harness));
    assert.ok(
      !wantedKeys(harness).some((key) => key.includes('/build-merge/')),
      'nor before what it showed is read, and the next check is begun',
    );
    conclude(harness, 'read-baseline', {
      type: 'baseline-checked',
      run: 'r1',
      base: 'base',
      result: testGreen,
    });
    onBase(harness, passed('build'));
    assert.ok(wantedKeys(harness).some((key) => key.includes('/build-merge/')));
  });

  test('a candidate is built again after the base was checked out over it', () => {
    const harness = withBase(testGreen);
    approve(harness);
    validated(harness);
    conclude(harness, 'build-merge', {
      type: 'merge-built',
      task: 'r1.t1',
      candidate: 'merge-r1.t1',
      onto: 'base',
    });
    report(harness, {
      type: 'rules-changed',
      run: 'r1',
      rules: {
        ...base.rules,
        hash: 'rules-2',
        checks: [...base.rules.checks, {name: 'lint', command: 'npm run lint'}],
      },
    });
    for (const session of harness.state.live)
      report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    recall(harness);
    conclude(harness, 'renew-worktree', {
      type: 'worktree-renewed',
      owner: 'r1.merge',
      commit: 'base',
      tree: 'tree-base',
    });
    onBase(harness, passed('lint'));
    assert.ok(getTypes(approve(harness)).includes('merge-outdated'));
  });

  test('once something is merged the base is not checked any more', () => {
    const harness = withBase(testGreen);
    approve(harness);
    validated(harness);
    conclude(harness, 'build-merge', {
      type: 'merge-built',
      task: 'r1.t1',
      candidate: 'merge-r1.t1',
      onto: 'base',
    });
    check(harness, 'r1.t1', testGreen);
    check(harness, 'r1.t1', passed('build'));
    conclude(harness, 'publish-merge', {type: 'task-merged', task: 'r1.t1', commit: 'merge-r1.t1'});
    report(harness, {type: 'rules-changed', run: 'r1', rules: {...base.rules, hash: 'rules-2'}});
    assert.ok(!wantedKeys(harness).some((key) => key.includes('baseline')));
    assert.match(
      userCommand(harness, {type: 'baseline-again', run: 'r1'}).refused ?? '',
      /cannot be checked now/,
    );
  });
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  attemptOf,
  baselineOf,
  isBaselineOver,
  needsOf,
  redOnBase,
  runOf,
  standingOf,
  taskOf,
  wanted,
  type BaselineDecision,
  type CheckResult,
} from '../../source/domain/index.ts';
import {conclude, createHouse, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, failed, ground, passed, planOf, plannedTask, request} from './support/samples.ts';
import {
  choose,
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
  makeWorktree,
  runToExit,
  startSession,
  typesOf,
  work,
} from './support/stages.ts';

describe('the base', () => {
  test('is looked up first, then checked in the worktree for merges, while the plan waits for a person', () => {
    const house = reviewed();
    assert.deepEqual(
      wantedKeys(house).filter((key) => !key.includes('/prepare/')),
      ['r1/recall-baseline/1', 'r1.merge/make'],
    );
    makeMerge(house);
    assert.equal(
      baselineOf(runOf(house.state, 'r1')!).session,
      undefined,
      'nothing is run that may be known',
    );
    assert.deepEqual(typesOf(recall(house)), ['baseline-recalled', 'session-asked']);
    assert.deepEqual(typesOf(onBase(house, testGreen)), ['baseline-checked', 'session-asked']);
    assert.deepEqual(typesOf(onBase(house, passed('build'))), ['baseline-checked']);
    assert.ok(isBaselineOver(house.state, runOf(house.state, 'r1')!));
    assert.deepEqual(typesOf(approve(house)), ['plan-approved', 'task-begun']);
  });

  test('that is known from an earlier run needs no session', () => {
    const house = reviewed();
    recall(house, [testGreen, passed('build')]);
    assert.ok(isBaselineOver(house.state, runOf(house.state, 'r1')!));
    assert.equal(house.state.live.length, 0);
  });

  test("is set up before it is checked; where that fails it is told, tried again at a person's word, and keeps nobody from approving", () => {
    const house = reviewed({setup: 'npm ci'});
    recall(house);
    makeMerge(house);
    const decision = runToExit(house, sessionOnBase(house), 9);
    assert.deepEqual(typesOf(decision), ['session-exited', 'baseline-failed']);
    assert.ok(isBaselineOver(house.state, runOf(house.state, 'r1')!));
    assert.deepEqual(typesOf(wish(house, {type: 'baseline-again', run: 'r1'})), [
      'baseline-asked-again',
      'session-asked',
    ]);
    assert.deepEqual(typesOf(runToExit(house, sessionOnBase(house))), [
      'session-exited',
      'worktree-set-up',
      'session-asked',
    ]);
    assert.deepEqual(typesOf(approve(house)), ['plan-approved', 'task-begun']);
  });

  test('that is cut short again and again is given up; red then counts as ever', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    const types: string[] = [];
    for (let times = 0; times < 3; times++)
      types.push(
        ...typesOf(
          report(house, {type: 'session-lost', session: sessionOnBase(house), why: 'killed'}),
        ),
      );
    assert.deepEqual(types.slice(-2), ['baseline-interrupted', 'baseline-failed']);
    approve(house);
    makeWorktree(house, 'r1.t1');
    work(house, 'r1.t1');
    assert.ok(typesOf(check(house, 'r1.t1', testRed)).includes('attempt-failed'));
  });

  test('says nothing where it is red and a service that the plan relies on does not run', () => {
    const web = {name: 'web', command: 'npm start', port: 3000};
    const house = reviewed({services: [web]});
    wish(house, {type: 'declare-service', spec: web});
    wish(house, {
      type: 'edit-plan',
      run: 'r1',
      plan: planOf({...plannedTask('t1'), services: ['web']}),
      hash: 'plan-2',
    });
    recall(house);
    makeMerge(house);
    onBase(house, testRed);
    const run = runOf(house.state, 'r1')!;
    assert.deepEqual(
      [baselineOf(run).results[0]?.lacks, redOnBase(run), standingOf(house.state, run, testRed)],
      [['web'], [], 'red'],
    );
    assert.deepEqual(
      needsOf(house.state).map((need) => need.kind === 'plan' && need.red),
      [undefined],
    );
  });

  test('is checked again when it moves, and a result of the old one says nothing', () => {
    const house = withBase(testRed);
    report(house, {type: 'base-moved', run: 'r1', base: 'newer'});
    assert.deepEqual(
      needsOf(house.state).map((need) => need.kind === 'plan' && need.red),
      [undefined],
    );
    recall(house);
    assert.ok(wantedKeys(house).includes('r1.merge/renew/newer'));
    assert.deepEqual(
      typesOf(
        conclude(house, 'renew-worktree', {
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
    const house = withBase(testGreen);
    const plan = {
      ...planOf(plannedTask('t1')),
      validation: [{name: 'lint', command: 'npm run lint'}],
    };
    wish(house, {type: 'edit-plan', run: 'r1', plan, hash: 'plan-2'});
    assert.deepEqual(typesOf(recall(house)), ['baseline-recalled', 'session-asked']);
    const purpose = house.events.findLast((event) => event.type === 'session-asked')?.purpose;
    assert.deepEqual(purpose, {for: 'baseline', run: 'r1', check: 'lint', command: 'npm run lint'});
  });

  test('ends with the plan that is rejected, and is no crash', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    const session = sessionOnBase(house);
    startSession(house, session);
    wish(house, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: 'smaller'});
    assert.ok(wantedKeys(house).includes(`${session}/stop`));
    assert.equal(baselineOf(runOf(house.state, 'r1')!).interruptions, 0);
  });

  test('is not checked by two at once: the next waits until the one before has ended', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    const session = sessionOnBase(house);
    startSession(house, session);
    wish(house, {type: 'stop', what: 'r1'});
    wish(house, {type: 'resume', what: 'r1'});
    assert.equal(baselineOf(runOf(house.state, 'r1')!).session, undefined);
    assert.deepEqual(
      typesOf(report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'})),
      ['session-exited', 'session-asked'],
    );
  });

  test('is stopped with its run, and begun anew when that goes on', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    const session = sessionOnBase(house);
    startSession(house, session);
    wish(house, {type: 'stop', what: session});
    assert.ok(wantedKeys(house).includes(`${session}/stop`));
    report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1'})), [
      'run-resumed',
      'session-asked',
    ]);
    assert.equal(baselineOf(runOf(house.state, 'r1')!).interruptions, 0);
  });

  test('of a run from an older journal is not checked', () => {
    const house = createHouse();
    report(house, {
      type: 'project-read',
      project: {setup: 'npm ci', services: [], limits: {workers: 2, runs: 1}},
    });
    wish(house, {type: 'start-run', request, budget: {}});
    conclude(house, 'survey', {type: 'run-surveyed', run: 'r1', ground});
    assert.ok(!wantedKeys(house).some((key) => key.includes('baseline')));
  });
});

describe('the base and the merges share a worktree', () => {
  /** Its checks are green, and it is committed. */
  function validated(house: House): void {
    makeWorktree(house, 'r1.t1');
    work(house, 'r1.t1');
    check(house, 'r1.t1', testGreen);
    check(house, 'r1.t1', passed('build'));
    report(
      house,
      {type: 'change-committed', task: 'r1.t1', attempt: 1, commit: 'commit-r1.t1'},
      `r1.t1.a1/commit/${change.tree}`,
    );
  }

  test('nothing is merged there while the base is checked', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    approve(house);
    validated(house);
    assert.equal(taskOf(house.state, 'r1.t1')!.stage.at, 'merging');
    assert.ok(!wantedKeys(house).some((key) => key.includes('/build-merge/')));
    onBase(house, testGreen);
    onBase(house, passed('build'));
    assert.ok(wantedKeys(house).some((key) => key.includes('/build-merge/')));
  });

  test('a candidate under which the base was laid out again is built again', () => {
    const house = withBase(testGreen);
    approve(house);
    validated(house);
    conclude(house, 'build-merge', {
      type: 'merge-built',
      task: 'r1.t1',
      candidate: 'merge-r1.t1',
      onto: 'base',
    });
    report(house, {
      type: 'rules-changed',
      run: 'r1',
      rules: {
        ...ground.rules,
        hash: 'rules-2',
        checks: [...ground.rules.checks, {name: 'lint', command: 'npm run lint'}],
      },
    });
    for (const session of house.state.live)
      report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
    recall(house);
    conclude(house, 'renew-worktree', {
      type: 'worktree-renewed',
      owner: 'r1.merge',
      commit: 'base',
      tree: 'tree-base',
    });
    onBase(house, passed('lint'));
    assert.ok(typesOf(approve(house)).includes('merge-outdated'));
  });

  test('once something is merged the base is not checked any more', () => {
    const house = withBase(testGreen);
    approve(house);
    validated(house);
    conclude(house, 'build-merge', {
      type: 'merge-built',
      task: 'r1.t1',
      candidate: 'merge-r1.t1',
      onto: 'base',
    });
    check(house, 'r1.t1', testGreen);
    check(house, 'r1.t1', passed('build'));
    conclude(house, 'publish-merge', {type: 'task-merged', task: 'r1.t1', commit: 'merge-r1.t1'});
    report(house, {type: 'rules-changed', run: 'r1', rules: {...ground.rules, hash: 'rules-2'}});
    assert.ok(!wantedKeys(house).some((key) => key.includes('baseline')));
    assert.match(
      wish(house, {type: 'baseline-again', run: 'r1'}).refused ?? '',
      /cannot be checked any more/,
    );
  });
});

describe('a check of the rules that is red on the base', () => {
  for (const outcome of ['failed', 'timed-out', 'broken'] as const) {
    test(`(${outcome}) waits for a decision before the plan is approved`, () => {
      const house = withBase({...testRed, outcome});
      assert.match(
        approve(house).refused ?? '',
        /test .* on the base of r1, without any change; say first what is done about it/,
      );
      assert.deepEqual(
        needsOf(house.state).map((need) => need.kind === 'plan' && need.red),
        [['test']],
      );
      choose(house, 'count');
      assert.equal(approve(house).refused, undefined);
    });
  }

  test('of the plan itself is shown, and keeps nobody from approving: the plan may be what makes it green', () => {
    const house = reviewed();
    recall(house);
    makeMerge(house);
    onBase(house, testGreen);
    onBase(house, failed('build'));
    assert.equal(approve(house).refused, undefined);
  });

  const rows: readonly {
    readonly choice: BaselineDecision | undefined;
    readonly now: CheckResult;
    readonly then: string;
  }[] = [
    {choice: undefined, now: testRed, then: 'red-on-base'},
    {choice: undefined, now: {...testRed, outcome: 'timed-out'}, then: 'red-on-base'},
    {choice: undefined, now: {...testRed, outcome: 'broken'}, then: 'broken'},
    {choice: undefined, now: testGreen, then: 'passed'},
    {choice: 'count', now: testRed, then: 'red'},
    {choice: 'mend', now: testRed, then: 'red'},
    {choice: 'ignore', now: testRed, then: 'passed'},
    {choice: 'ignore', now: {...testRed, outcome: 'broken'}, then: 'passed'},
    {choice: 'no-new', now: {...testRed, failures: ['a']}, then: 'passed'},
    {choice: 'no-new', now: {...testRed, failures: ['a', 'b']}, then: 'passed'},
    {choice: 'no-new', now: {...testRed, failures: ['a', 'c']}, then: 'red'},
    {choice: 'no-new', now: testRed, then: 'red'},
    {choice: 'no-new', now: {...testRed, outcome: 'timed-out'}, then: 'red'},
  ];
  for (const {choice, now, then} of rows) {
    test(`${choice ?? 'undecided'}: ${now.outcome}${now.failures === undefined ? '' : ` (${now.failures.join(', ')})`} on the change is ${then}`, () => {
      const house = withBase({...testRed, failures: ['a', 'b']});
      if (choice === 'mend')
        wish(house, {
          type: 'choose-baseline',
          run: 'r1',
          check: 'test',
          choice,
          plan: planOf(plannedTask('t2'), plannedTask('t1', {after: ['t2']})),
          hash: 'plan-2',
        });
      else if (choice !== undefined) choose(house, choice);
      assert.equal(standingOf(house.state, runOf(house.state, 'r1')!, now), then);
    });
  }

  test('and could not even be started there says nothing about the base: red on the change counts', () => {
    const house = withBase({...testRed, outcome: 'broken'});
    assert.equal(standingOf(house.state, runOf(house.state, 'r1')!, testRed), 'red');
  });

  test('found out after the approval spends no attempt, before and after it is known', () => {
    const house = reviewed();
    approve(house);
    recall(house);
    makeWorktree(house, 'r1.t1');
    report(
      house,
      {
        type: 'worktree-made',
        owner: 'r1.merge',
        path: '/w/merge',
        branch: null,
        commit: 'base',
        tree: 't',
      },
      'r1.merge/make',
    );
    work(house, 'r1.t1');
    assert.deepEqual(
      typesOf(check(house, 'r1.t1', testRed)),
      ['check-finished'],
      'it waits for the base',
    );
    assert.deepEqual(typesOf(onBase(house, testRed)), [
      'baseline-checked',
      'session-asked',
      'trouble-met',
    ]);
    assert.equal(attemptOf(taskOf(house.state, 'r1.t1')!)?.step.at, 'checking');
    onBase(house, passed('build'));
    assert.deepEqual(typesOf(choose(house, 'ignore')), ['baseline-chosen', 'session-asked']);
    assert.equal(taskOf(house.state, 'r1.t1')!.trouble, undefined);
    assert.equal(taskOf(house.state, 'r1.t1')!.attempts.length, 1);
  });

  test("counted by the person's word is the failure that it is; resumed without a decision, the check is run once more", () => {
    const house = withBase(testGreen);
    const waiting = reviewed();
    approve(waiting);
    recall(waiting);
    makeWorktree(waiting, 'r1.t1');
    report(
      waiting,
      {
        type: 'worktree-made',
        owner: 'r1.merge',
        path: '/w/merge',
        branch: null,
        commit: 'base',
        tree: 't',
      },
      'r1.merge/make',
    );
    work(waiting, 'r1.t1');
    onBase(waiting, testRed);
    onBase(waiting, passed('build'));
    check(waiting, 'r1.t1', testRed);
    assert.deepEqual(typesOf(wish(waiting, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    check(waiting, 'r1.t1', testRed);
    assert.deepEqual(typesOf(choose(waiting, 'count')).slice(0, 2), [
      'baseline-chosen',
      'attempt-failed',
    ]);
    assert.equal(runOf(house.state, 'r1')!.stage.at, 'reviewing');
  });

  test('is mended by a plan that comes with the decision, and which is approved as it then is', () => {
    const house = withBase(testRed);
    const plan = planOf(plannedTask('t2'), plannedTask('t1', {after: ['t2']}));
    wish(house, {
      type: 'choose-baseline',
      run: 'r1',
      check: 'test',
      choice: 'mend',
      plan,
      hash: 'plan-2',
    });
    const {stage} = runOf(house.state, 'r1')!;
    assert.deepEqual(
      stage.at === 'reviewing' && [
        stage.proposal.hash,
        stage.proposal.plan.tasks.map(({id}) => id),
      ],
      ['plan-2', ['t2', 't1']],
    );
    assert.match(
      wish(house, {type: 'approve-plan', run: 'r1', plan: 'plan-1', rules: 'rules-1', base: 'base'})
        .refused ?? '',
      /the plan changed/,
    );
  });
});

describe('a decision about the base', () => {
  const refusals: readonly (readonly [string, CheckResult, Parameters<typeof wish>[1], RegExp])[] =
    [
      [
        'about a check that is not there',
        testRed,
        {type: 'choose-baseline', run: 'r1', check: 'none', choice: 'ignore'},
        /no check "none"; its checks are test, build/,
      ],
      [
        'about one that is green',
        testGreen,
        {type: 'choose-baseline', run: 'r1', check: 'test', choice: 'ignore'},
        /green on the base/,
      ],
      [
        'to compare what has no names',
        testRed,
        {type: 'choose-baseline', run: 'r1', check: 'test', choice: 'no-new'},
        /does not name what failed/,
      ],
      [
        'to mend without a plan',
        testRed,
        {type: 'choose-baseline', run: 'r1', check: 'test', choice: 'mend'},
        /needs the plan/,
      ],
      ['about a run that is not there', testRed, {type: 'baseline-again', run: 'r7'}, /no run r7/],
    ];
  for (const [what, base, asked, words] of refusals) {
    test(`${what} is refused`, () => {
      assert.match(wish(withBase(base), asked).refused ?? '', words);
    });
  }

  test('to mend comes too late for a task that is at work', () => {
    const house = withBase(testRed);
    choose(house, 'count');
    approve(house);
    makeWorktree(house, 'r1.t1');
    const plan = planOf(plannedTask('t2'), plannedTask('t1', {after: ['t2']}));
    assert.match(
      wish(house, {
        type: 'choose-baseline',
        run: 'r1',
        check: 'test',
        choice: 'mend',
        plan,
        hash: 'plan-2',
      }).refused ?? '',
      /r1\.t1 is at work already/,
    );
  });

  test('to run it again takes back what was decided, and is not answered from what is kept', () => {
    const house = withBase(testRed);
    choose(house, 'ignore');
    assert.deepEqual(typesOf(wish(house, {type: 'baseline-again', run: 'r1', check: 'test'})), [
      'baseline-asked-again',
      'session-asked',
    ]);
    assert.ok(!wanted(house.state).some((effect) => effect.do === 'recall-baseline'));
  });
});

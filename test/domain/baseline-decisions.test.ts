import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type BaselineDecision,
  type CheckResult,
  selectAttempt,
  selectNeeds,
  selectRun,
  selectStanding,
  selectTask,
  wanted,
} from '../../source/domain/index.ts';
import {report, userCommand} from './support/harness.ts';
import {failed, getPlan, passed, plannedTask} from './support/samples.ts';
import {
  choose,
  makeMerge,
  onBase,
  recall,
  reviewed,
  testGreen,
  testRed,
  withBase,
} from './support/baseline.ts';
import {approve, check, getTypes, makeWorktree, work} from './support/stages.ts';

describe('a check of the rules that is red on the base', () => {
  for (const outcome of ['failed', 'timed-out', 'broken'] as const) {
    test(`(${outcome}) waits for a decision before the plan is approved`, () => {
      const harness = withBase({...testRed, outcome});
      assert.match(
        approve(harness).refused ?? '',
        /test .* on the unchanged base of r1; decide first what to do about it/,
      );
      assert.deepEqual(
        selectNeeds(harness.state).map((need) => need.kind === 'plan' && need.red),
        [['test']],
      );
      choose(harness, 'count');
      assert.equal(approve(harness).refused, undefined);
    });
  }

  test('of the plan itself is shown, and keeps nobody from approving: the plan may be what makes it green', () => {
    const harness = reviewed();
    recall(harness);
    makeMerge(harness);
    onBase(harness, testGreen);
    onBase(harness, failed('build'));
    assert.equal(approve(harness).refused, undefined);
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
      const harness = withBase({...testRed, failures: ['a', 'b']});
      if (choice === 'mend')
        userCommand(harness, {
          type: 'choose-baseline',
          run: 'r1',
          check: 'test',
          choice,
          plan: getPlan(plannedTask('t2'), plannedTask('t1', {after: ['t2']})),
          hash: 'plan-2',
        });
      else if (choice !== undefined) choose(harness, choice);
      assert.equal(selectStanding(harness.state, selectRun(harness.state, 'r1')!, now), then);
    });
  }

  test('and could not even be started there says nothing about the base: red on the change counts', () => {
    const harness = withBase({...testRed, outcome: 'broken'});
    assert.equal(selectStanding(harness.state, selectRun(harness.state, 'r1')!, testRed), 'red');
  });

  test('found out after the approval spends no attempt, before and after it is known', () => {
    const harness = reviewed();
    approve(harness);
    recall(harness);
    makeWorktree(harness, 'r1.t1');
    report(
      harness,
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
    work(harness, 'r1.t1');
    assert.deepEqual(
      getTypes(check(harness, 'r1.t1', testRed)),
      ['check-finished'],
      'it waits for the base',
    );
    assert.deepEqual(getTypes(onBase(harness, testRed)), [
      'baseline-checked',
      'session-asked',
      'trouble-met',
    ]);
    assert.equal(selectAttempt(selectTask(harness.state, 'r1.t1')!)?.step.at, 'checking');
    onBase(harness, passed('build'));
    assert.deepEqual(getTypes(choose(harness, 'ignore')), ['baseline-chosen', 'session-asked']);
    assert.equal(selectTask(harness.state, 'r1.t1')!.trouble, undefined);
    assert.equal(selectTask(harness.state, 'r1.t1')!.attempts.length, 1);
  });

  test("counted by the person's word is the failure that it is; resumed without a decision, the check is run once more", () => {
    const harness = withBase(testGreen);
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
    assert.deepEqual(getTypes(userCommand(waiting, {type: 'resume', what: 'r1.t1'})), [
      'task-resumed',
      'session-asked',
    ]);
    check(waiting, 'r1.t1', testRed);
    assert.deepEqual(getTypes(choose(waiting, 'count')).slice(0, 2), [
      'baseline-chosen',
      'attempt-failed',
    ]);
    assert.equal(selectRun(harness.state, 'r1')!.stage.at, 'reviewing');
  });

  test('is mended by a plan that comes with the decision, and which is approved as it then is', () => {
    const harness = withBase(testRed);
    const plan = getPlan(plannedTask('t2'), plannedTask('t1', {after: ['t2']}));
    userCommand(harness, {
      type: 'choose-baseline',
      run: 'r1',
      check: 'test',
      choice: 'mend',
      plan,
      hash: 'plan-2',
    });
    const {stage} = selectRun(harness.state, 'r1')!;
    assert.deepEqual(
      stage.at === 'reviewing' && [
        stage.proposal.hash,
        stage.proposal.plan.tasks.map(({id}) => id),
      ],
      ['plan-2', ['t2', 't1']],
    );
    assert.match(
      userCommand(harness, {
        type: 'approve-plan',
        run: 'r1',
        plan: 'plan-1',
        rules: 'rules-1',
        base: 'base',
      }).refused ?? '',
      /the plan changed/,
    );
  });
});

describe('a decision about the base', () => {
  const refusals: readonly (readonly [
    string,
    CheckResult,
    Parameters<typeof userCommand>[1],
    RegExp,
  ])[] = [
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
      /passed on the base/,
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
  for (const [what, base, asked, text] of refusals) {
    test(`${what} is refused`, () => {
      assert.match(userCommand(withBase(base), asked).refused ?? '', text);
    });
  }

  test('to mend comes too late for a task that is at work', () => {
    const harness = withBase(testRed);
    choose(harness, 'count');
    approve(harness);
    makeWorktree(harness, 'r1.t1');
    const plan = getPlan(plannedTask('t2'), plannedTask('t1', {after: ['t2']}));
    assert.match(
      userCommand(harness, {
        type: 'choose-baseline',
        run: 'r1',
        check: 'test',
        choice: 'mend',
        plan,
        hash: 'plan-2',
      }).refused ?? '',
      /r1\.t1 has already started/,
    );
  });

  test('to run it again takes back what was decided, and is not answered from what is kept', () => {
    const harness = withBase(testRed);
    choose(harness, 'ignore');
    assert.deepEqual(
      getTypes(userCommand(harness, {type: 'baseline-again', run: 'r1', check: 'test'})),
      ['baseline-asked-again', 'session-asked'],
    );
    assert.ok(!wanted(harness.state).some((effect) => effect.do === 'recall-baseline'));
  });
});

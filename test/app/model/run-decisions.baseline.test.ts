import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {planHash} from '../../../source/plan/index.ts';
import {
  type CheckResult,
  evolve,
  type Run,
  selectRun,
  type UserCommand,
} from '../../../source/domain/index.ts';
import {rules} from '../../domain/support/samples.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, open, planned, press} from '../screens/fixtures.ts';

const test1 = rules.checks[0]!;

type Reviewed = Run & {readonly stage: Extract<Run['stage'], {readonly at: 'reviewing'}>};

/** The plan screen, with what `test` shows on the base. */
function atPlan(result: Partial<CheckResult> | undefined): Fixture {
  const harness = planned();
  const {
    stage: {proposal},
  } = selectRun(harness.state, 'r1') as Reviewed;
  // What is red for want of a service says nothing.
  const alone = evolve(harness.state, {
    type: 'plan-edited',
    at: harness.time,
    run: 'r1',
    plan: {...proposal.plan, tasks: proposal.plan.tasks.map((task) => ({...task, services: []}))},
    hash: proposal.hash,
  });
  const state =
    result === undefined
      ? alone
      : evolve(alone, {
          type: 'baseline-checked',
          at: harness.time,
          run: 'r1',
          base: 'base',
          result: {
            check: test1,
            outcome: 'failed',
            firstFailure: 'expected 1, got 2',
            touched: [],
            ...result,
          },
        });
  const fixture = open(state, harness.time + 60_000, {columns: 100, rows: 60});
  press(fixture, 'enter', 'p');
  return fixture;
}

function shown({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('a check that is red on the base, on the plan screen:', () => {
  test('is shown with its first failure and the keys that decide', () => {
    const text = shown(atPlan({}));
    assert.match(
      text,
      /! test failed before any change: {2}M mend it first {2}W go without it {2}N no new failures/,
    );
    assert.match(text, /1 test npm test\n +failed on the base: expected 1, got 2/);
    assert.match(text, /First decide about the check that failed before any change\./);
  });

  test('nothing of it is shown where nothing is known', () => {
    assert.doesNotMatch(shown(atPlan(undefined)), /on the base/);
  });

  test('green needs no key', () => {
    assert.doesNotMatch(shown(atPlan({outcome: 'passed'})), /mend it|First decide/);
  });

  const keys: readonly (readonly [string, string])[] = [
    ['W', 'ignore'],
    ['N', 'no-new'],
    ['C', 'count'],
  ];
  for (const [key, choice] of keys) {
    test(`${key} decides: ${choice}`, () => {
      const fixture = atPlan({});
      press(fixture, key);
      assert.deepEqual(fixture.commands, [
        {type: 'choose-baseline', run: 'r1', check: 'test', choice},
      ]);
    });
  }

  test('M has it mended by a first task of the plan that is shown', () => {
    const fixture = atPlan({});
    press(fixture, 'M');
    const [command] = fixture.commands as readonly UserCommand[];
    assert.ok(command?.type === 'choose-baseline' && command.plan !== undefined);
    assert.deepEqual([command.choice, command.hash], ['mend', planHash(command.plan)]);
    assert.match(command.plan.tasks[0]!.title, /Repair the check test/);
  });

  test('R checks it again', () => {
    const fixture = atPlan({});
    press(fixture, 'R');
    assert.deepEqual(fixture.commands, [{type: 'baseline-again', run: 'r1'}]);
  });

  for (const key of ['M', 'W', 'N', 'C', 'R']) {
    test(`${key} decides nothing where nothing is red`, () => {
      const fixture = atPlan({outcome: 'passed'});
      press(fixture, key);
      assert.deepEqual(fixture.commands, []);
    });
  }
});

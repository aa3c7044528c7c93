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
import {textOfLine} from '../../../source/app/model/line.ts';
import {planBody} from '../../../source/app/screens/plan-body.ts';
import {rules} from '../../domain/support/samples.ts';
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

function shown(fixture: Fixture): string {
  const {head, rows} = planBody({
    model: fixture.model,
    state: fixture.state,
    size: {columns: 100, rows: 60},
    now: fixture.now,
  });
  return [...head, ...rows].map(textOfLine).join('\n');
}

describe('a check that is red on the base, on the plan screen:', () => {
  test('is shown with its first failure and the keys that decide', () => {
    const text = shown(atPlan({}));
    assert.match(
      text,
      /! test red before any change: M mend {2}I ignore {2}N no new failures {2}C count/,
    );
    assert.match(text, /The base, without any change/);
    assert.match(text, /test: red\n\s+expected 1, got 2/);
    assert.match(
      text,
      /M mends it by a first task, I ignores it, N accepts no new failures, C counts/,
    );
  });

  test('nothing of it is shown where nothing is known', () => {
    assert.doesNotMatch(shown(atPlan(undefined)), /The base/);
  });

  test('green needs no key', () => {
    assert.doesNotMatch(shown(atPlan({outcome: 'passed'})), /mends it/);
  });

  const keys: readonly (readonly [string, string])[] = [
    ['I', 'ignore'],
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
    assert.match(command.plan.tasks[0]!.title, /Mend the check test/);
  });

  test('B checks it again', () => {
    const fixture = atPlan({});
    press(fixture, 'B');
    assert.deepEqual(fixture.commands, [{type: 'baseline-again', run: 'r1'}]);
  });

  for (const key of ['M', 'I', 'N', 'C', 'B']) {
    test(`${key} decides nothing where nothing is red`, () => {
      const fixture = atPlan({outcome: 'passed'});
      press(fixture, key);
      assert.deepEqual(fixture.commands, []);
    });
  }
});

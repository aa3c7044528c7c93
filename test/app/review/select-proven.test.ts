import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Judgement, type Rule, selectRun, type State} from '../../../source/domain/index.ts';
import {selectProofs} from '../../../source/app/review/select-proven.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {mergeTask, validate, working} from '../../domain/support/stages.ts';
import {done, violated} from '../screens/fixtures.ts';
import {shop} from '../screens/review-fixture.ts';

function proofs(state: State, subject: `r${number}` | `r${number}.t${number}`): string[] {
  return selectProofs(state, subject).map(({kind, text}) => `${kind}: ${text}`);
}

test('a run that is ready: tasks, checks and rules', () => {
  assert.deepEqual(proofs(shop().state, 'r1'), [
    'proven: 3 tasks merged, one by one',
    'proven: test, build green after each',
    'proven: 2 rules kept, none broken',
  ]);
});

test('a run that is under way claims no more than is so', () => {
  const harness = working([plannedTask('t1'), plannedTask('t2')]);
  assert.deepEqual(proofs(harness.state, 'r1'), ['open: 0 of 2 tasks merged so far']);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  assert.deepEqual(proofs(harness.state, 'r1').slice(0, 2), [
    'open: 1 of 2 tasks merged so far',
    'proven: test, build green after each',
  ]);
});

test('a task: merged, checked, or what it broke', () => {
  assert.deepEqual(proofs(done().state, 'r1.t1'), [
    'proven: merged',
    'proven: test, build green after each',
    'proven: 2 rules kept, none broken',
  ]);
  assert.deepEqual(proofs(violated().state, 'r1.t1'), [
    'broken: 1.1 is broken: src/api/token.ts is protected',
  ]);
  const validated = working([plannedTask('t1')]);
  validate(validated, 'r1.t1');
  assert.deepEqual(proofs(validated.state, 'r1.t1').slice(0, 2), [
    'proven: test passed',
    'proven: build passed',
  ]);
  assert.deepEqual(proofs(working([plannedTask('t1')]).state, 'r1.t1'), [
    'open: no check was run yet',
  ]);
});

/** A merged run with one rule, which no directive could decide. */
function withRule(rule: Omit<Rule, 'number' | 'line'>): State {
  const {state} = done();
  const run = selectRun(state, 'r1')!;
  assert.ok(run.stage.at === 'working');
  const [task] = run.tasks;
  const [attempt] = task!.attempts;
  assert.ok(attempt?.step.at === 'passed');
  const number = '9.1';
  const judgement: Judgement = {outside: [], rules: [{number, verdict: 'not-checkable'}]};
  const {ground} = run.stage;
  const rules = {...ground.rules, rules: [{...rule, number, line: 1}]};
  return {
    ...state,
    runs: withLedgerEntry(state.runs, 1, {
      ...run,
      stage: {...run.stage, ground: {...ground, rules}},
      tasks: [{...task!, attempts: [{...attempt, step: {...attempt.step, judgement}}]}],
    }),
  };
}

test('a rule that no check can decide is left to the person, by its words', () => {
  const text = 'small pure functions over classes';
  assert.deepEqual(proofs(withRule({text}), 'r1').slice(2), [
    'open: 9.1 is yours to judge: small pure functions over classes',
  ]);
});

test('a rule that a check proves is not left to the person, unless the check is not of the run', () => {
  assert.deepEqual(proofs(withRule({text: 'The tests pass.', check: 'test'}), 'r1').slice(1), [
    'proven: test, build green after each',
  ]);
  assert.deepEqual(proofs(withRule({text: 'It is small.', check: 'size'}), 'r1').slice(2), [
    'open: 9.1 is yours to judge: It is small.',
  ]);
});

test('a run that is not there proves nothing', () => {
  assert.deepEqual(proofs(done().state, 'r7'), []);
});

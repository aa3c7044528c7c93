import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Attempt,
  selectAttempt,
  selectTask,
  type StopReason,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {makeWorktree, runToExit, thinking, working} from './support/stages.ts';

const t1 = 'r1.t1';

function attempting(): Harness {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, t1);
  return harness;
}

function attemptUnderWay(harness: Harness): Attempt {
  return selectAttempt(selectTask(harness.state, t1)!)!;
}

function getStop(harness: Harness): StopReason | undefined {
  const {stage} = selectTask(harness.state, t1)!;
  return stage.at === 'stopped' ? stage.why : undefined;
}

test('a kill that is only visible in the outcome file is the same interruption; the third stops the task', () => {
  const harness = attempting();
  for (const session of ['s2', 's3', 's4'] as const) {
    runToExit(harness, session, 137);
    const {events} = conclude(harness, 'read-outcome', {
      type: 'attempt-interrupted',
      task: t1,
      attempt: 1,
      session,
      words: 'It was stopped by SIGKILL.',
    });
    assert.deepEqual(
      events.map(({type}) => type),
      ['attempt-interrupted', session === 's4' ? 'task-stopped' : 'session-asked'],
    );
    assert.equal(attemptUnderWay(harness).number, 1);
  }

  assert.deepEqual(getStop(harness), {kind: 'interrupted', times: 3});
});

test('only the reader of the outcome can report an interruption, and only for the session of the attempt', () => {
  const harness = attempting();
  runToExit(harness, 's2', 137);
  const of = {type: 'attempt-interrupted', task: t1, attempt: 1} as const;
  assert.match(report(harness, {...of, session: 's2'}).refused ?? '', /concludes read-outcome/);
  assert.match(
    report(harness, {...of, session: 's1'}, 'r1.t1.a1/read-outcome/s2').refused ?? '',
    /attempt-interrupted/,
  );
});

test('a planner is killed in the same way: it plans on in the same round, and the third time there is no plan', () => {
  const harness = thinking();
  for (const session of ['s1', 's2', 's3'] as const) {
    runToExit(harness, session, 137);
    const {events} = conclude(harness, 'read-plan', {
      type: 'planning-interrupted',
      run: 'r1',
      round: 1,
      words: 'It was stopped by SIGKILL.',
    });
    assert.deepEqual(
      events.map(({type}) => type),
      ['planning-interrupted', session === 's3' ? 'planning-failed' : 'session-asked'],
    );
  }
});

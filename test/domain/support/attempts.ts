import {
  type Attempt,
  selectAttempt,
  selectTask,
  type StopReason,
} from '../../../source/domain/index.ts';
import {conclude, type Harness} from './harness.ts';
import {plannedTask} from './samples.ts';
import {makeWorktree, runToExit, sessionOfTask, working} from './stages.ts';

const t1 = 'r1.t1';

export function attempting(budget = {}, project = {}): Harness {
  const harness = working([plannedTask('t1')], budget, project);
  makeWorktree(harness, t1);
  return harness;
}

export function attemptUnderWay(harness: Harness): Attempt {
  return selectAttempt(selectTask(harness.state, t1)!)!;
}

export function getStop(harness: Harness): StopReason | undefined {
  const {stage} = selectTask(harness.state, t1)!;
  return stage.at === 'stopped' ? stage.why : undefined;
}

export function agentFails(harness: Harness): void {
  const {number} = attemptUnderWay(harness);
  runToExit(harness, sessionOfTask(harness, t1), 1);
  conclude(harness, 'read-outcome', {
    type: 'agent-failed',
    task: t1,
    attempt: number,
    words: 'exit 1',
  });
}

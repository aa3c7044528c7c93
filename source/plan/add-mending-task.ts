import type {CheckResult, Plan, PlannedTask} from '../domain/index.ts';

/**
 * Adds a first task that makes a failing check pass. All other tasks come after it, so that they
 * build on the repair.
 */
export function addMendingTask(
  plan: Plan,
  {check: {name, command}, outcome, firstFailure = ''}: CheckResult,
): Plan {
  const id = `t${Math.max(0, ...plan.tasks.map((task) => Number(task.id.slice(1)))) + 1}`;
  const task: PlannedTask = {
    id,
    title: `Repair the check ${name}`,
    brief:
      `The check ${name} (${command}) ${describeOutcome(outcome)} before anything was ` +
      'changed. Repair its cause so that it passes. Do not weaken the check, and change ' +
      'nothing ' +
      `else.${firstFailure === '' ? '' : `\nThe first failure: ${firstFailure.slice(0, maxFailure).trim()}`}`,
    files: ['**'],
    after: [],
    services: [],
  };
  return {
    ...plan,
    tasks: [task, ...plan.tasks.map((other) => ({...other, after: [id, ...other.after]}))],
  };
}

const maxFailure = 2000;

function describeOutcome(outcome: CheckResult['outcome']): string {
  if (outcome === 'timed-out') return 'timed out';
  return outcome === 'broken' ? 'cannot run' : 'failed';
}

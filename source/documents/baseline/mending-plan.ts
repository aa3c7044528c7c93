import type {CheckResult, Plan, PlannedTask} from '../../domain/index.ts';

const maxFailure = 2000;

/** The plan with a first task that makes a check green, before all others: they come after it, and work on what it mended. */
export function mendingPlan(
  plan: Plan,
  {check: {name, command}, outcome, firstFailure = ''}: CheckResult,
): Plan {
  const id = `t${Math.max(0, ...plan.tasks.map((task) => Number(task.id.slice(1)))) + 1}`;
  const state =
    outcome === 'timed-out' ? 'takes too long' : outcome === 'broken' ? 'cannot be run' : 'is red';
  const task: PlannedTask = {
    id,
    title: `Mend the check ${name}`,
    brief: `The check ${name} (${command}) ${state} before anything was changed. Make it green by mending its cause; do not weaken the check, and change nothing else.${firstFailure === '' ? '' : `\nThe first failure: ${firstFailure.slice(0, maxFailure).trim()}`}`,
    files: ['**'],
    after: [],
    services: [],
  };
  return {
    ...plan,
    tasks: [task, ...plan.tasks.map((other) => ({...other, after: [id, ...other.after]}))],
  };
}

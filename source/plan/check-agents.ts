import {nearest} from '../shared/index.ts';
import type {PlannedTask} from '../domain/index.ts';
import {fault, type PlanIssue} from './check-plan.ts';

/** The agents that a task may name, and what is known about their models. */
export type PlanAgents = {
  /** The agent of a task that names none. */
  readonly worker: string;
  /** Those that can be started here. */
  readonly available: readonly string[];
  /** Those that are not installed. */
  readonly missing: readonly string[];
  /** Why an agent cannot use this model, or cannot do without one. */
  readonly modelProblem: (agent: string, model: string | undefined) => string | undefined;
};

/** An agent that cannot work is found before the approval rather than by its task. */
export function checkAgents(tasks: readonly PlannedTask[], agents: PlanAgents): PlanIssue[] {
  return tasks.flatMap((task, index) => checkAgent(task, index, agents));
}

function checkAgent(
  {agent, model}: PlannedTask,
  index: number,
  {worker, available, missing, modelProblem}: PlanAgents,
): PlanIssue[] {
  if (agent !== undefined && agent !== worker && !available.includes(agent)) {
    const meant = nearest(agent, available);
    return [
      fault(
        ['tasks', index, 'agent'],
        `"${agent}" is ${missing.includes(agent) ? 'not installed' : 'not an agent here'}. ` +
          `${meant === undefined ? '' : `Did you mean "${meant}"? `}A task may name: ` +
          `${[...new Set([worker, ...available])].join(', ')}.`,
      ),
    ];
  }

  if (agent === undefined && model === undefined) return [];
  const problem = modelProblem(agent ?? worker, model);
  return problem === undefined
    ? []
    : [fault(['tasks', index, model === undefined ? 'agent' : 'model'], `${problem}.`)];
}

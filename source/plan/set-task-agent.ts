import type {Plan} from '../domain/index.ts';
import {without} from '../shared/index.ts';

/** What to change; an empty name means the run's agent, or the agent's default model. */
export type TaskAgent = {readonly agent?: string; readonly model?: string};

/** The plan with another agent or model for one task. */
export function setTaskAgent(plan: Plan, id: string, {agent, model}: TaskAgent): Plan {
  return {
    ...plan,
    tasks: plan.tasks.map((task) => {
      if (task.id !== id) return task;
      const withAgent =
        agent === undefined ? task : {...without(task, 'agent'), ...(agent !== '' && {agent})};
      return model === undefined
        ? withAgent
        : {...without(withAgent, 'model'), ...(model !== '' && {model})};
    }),
  };
}

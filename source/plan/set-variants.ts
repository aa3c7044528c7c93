import {type Plan, type PlannedTask, rootOfVariant} from '../domain/index.ts';
import {without} from '../shared/index.ts';

/** So many agents may work on the same task side by side. */
export const maxVariants = 8;

/**
 * The plan with one variant of a task for each of these agents; an empty name is the run's agent.
 * The first is the task itself. One agent alone leaves the task without variants. Variants that
 * stay keep their ids; each stands right after the ones before it.
 */
export function setVariants(plan: Plan, id: string, agents: readonly string[]): Plan {
  const known = plan.tasks.find((task) => task.id === id);
  if (known === undefined) return plan;
  const rootId = rootOfVariant(known);
  const old = plan.tasks.filter((task) => rootOfVariant(task) === rootId);
  const root = old.find((task) => task.id === rootId) ?? known;
  const free = createIds(plan.tasks);
  const variants = agents.map((agent, index): PlannedTask => {
    const before = index === 0 ? root : old.filter((task) => task !== root)[index - 1];
    return {
      ...withAgent(root, agent, before),
      id: before?.id ?? free(),
      ...(index === 0 ? {} : {variantOf: root.id}),
    };
  });
  return {
    ...plan,
    tasks: plan.tasks.flatMap((task) => {
      if (task === root) return variants;
      return old.includes(task) ? [] : [task];
    }),
  };
}

/** A model belongs to its agent: it stays where the agent does. */
function withAgent(root: PlannedTask, agent: string, before: PlannedTask | undefined): PlannedTask {
  const named = agent === '' ? {} : {agent};
  const model =
    before !== undefined && (before.agent ?? '') === agent && before.model !== undefined
      ? {model: before.model}
      : {};
  return {...without(root, 'agent', 'model', 'variantOf'), ...named, ...model};
}

/** Ids above all that the plan has, so that no id is used for another task again. */
function createIds(tasks: readonly PlannedTask[]): () => string {
  let last = Math.max(0, ...tasks.map(({id}) => Number(id.slice(1))));
  return () => {
    last += 1;
    return `t${last}`;
  };
}

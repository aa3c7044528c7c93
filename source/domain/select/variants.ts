import {toTaskId} from '../ids.ts';
import type {PlannedTask} from '../plan.ts';
import type {Run} from '../run.ts';
import type {Task} from '../task.ts';

/** The id, in the plan, of the task that this one is a variant of: another task's, or its own. */
export function rootOfVariant({id, variantOf}: Pick<PlannedTask, 'id' | 'variantOf'>): string {
  return variantOf ?? id;
}

/** All variants of a task, itself included, in the order of the plan; usually it alone. */
export function selectVariants({tasks}: Pick<Run, 'tasks'>, {planned}: Task): Task[] {
  const root = rootOfVariant(planned);
  return tasks.filter((task) => rootOfVariant(task.planned) === root);
}

/**
 * The variant that counts: a person picked it, or it is merged or being merged because the others
 * were discarded.
 */
export function selectPicked(run: Pick<Run, 'tasks'>, task: Task): Task | undefined {
  const variants = selectVariants(run, task);
  return variants.length === 1
    ? undefined
    : variants.find(
        ({picked, stage}) =>
          stage.at !== 'discarded' &&
          (picked === true || stage.at === 'merging' || stage.at === 'merged'),
      );
}

/** Several variants are left and nobody picked one. None of them is merged before that. */
export function isUndecided(run: Pick<Run, 'tasks'>, task: Task): boolean {
  return (
    task.stage.at !== 'discarded' &&
    selectPicked(run, task) === undefined &&
    selectVariants(run, task).filter(({stage}) => stage.at !== 'discarded').length > 1
  );
}

/** What a later task waits for: of several variants the one that counts, or else one that is left. */
export function selectStandIn(run: Run, id: string): Task | undefined {
  const named = run.tasks.find((task) => task.id === toTaskId(run.id, id));
  if (named === undefined) return undefined;
  return (
    selectPicked(run, named) ??
    selectVariants(run, named).find(({stage}) => stage.at !== 'discarded') ??
    named
  );
}

/** The variants of each task that has some, in the order of the plan. */
export function selectVariantGroups({tasks}: Pick<Run, 'tasks'>): Task[][] {
  return [...Map.groupBy(tasks, ({planned}) => rootOfVariant(planned)).values()].filter(
    ({length}) => length > 1,
  );
}

/** Those that nobody decided about, each by the variants that are left. */
export function selectUndecidedGroups(run: Pick<Run, 'tasks'>): Task[][] {
  return selectVariantGroups(run)
    .map((variants) => variants.filter(({stage}) => stage.at !== 'discarded'))
    .filter(([first]) => first !== undefined && isUndecided(run, first));
}

/** The tasks of a run to count: of several variants the one that counts, or else one that is left. */
export function selectCountedTasks(run: Run): Task[] {
  return run.tasks.filter((task) => {
    const [root = task] = selectVariants(run, task);
    return selectStandIn(run, root.planned.id) === task;
  });
}

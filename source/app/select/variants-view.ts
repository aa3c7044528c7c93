import {
  isTaskId,
  type Run,
  runIdIn,
  selectAttempt,
  selectRun,
  selectTask,
  selectVariants,
  type State,
  type Task,
  selectUndecidedGroups,
  selectVariantGroups,
  type TaskId,
} from '../../domain/index.ts';
import {buildVariantGroup, type Variant, type VariantGroup} from '../../reports/index.ts';
import type {Model} from '../model/model.ts';
import {selectTaskLabel, type TaskLabel} from './task-label.ts';

/** The variants of one task as their screen shows them. */
export type VariantsView = Omit<VariantGroup, 'variants'> & {
  readonly variants: readonly ShownVariant[];
};

export type ShownVariant = Variant & {readonly label: TaskLabel};

/** Undefined if there is no task with variants in view. */
export function selectVariantsView(
  id: TaskId | undefined,
  state: State,
  now: number,
): VariantsView | undefined {
  const task = id === undefined ? undefined : selectTask(state, id);
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  if (task === undefined || run === undefined) return undefined;
  const group = buildVariantGroup(state, run, task, now);
  return {
    ...group,
    variants: group.variants.flatMap((variant) => {
      const own = selectTask(state, variant.task);
      return own === undefined ? [] : [{...variant, label: selectTaskLabel(state, run, own, now)}];
    }),
  };
}

/** The variant under the cursor of the screen. */
export function selectMarkedVariant(
  model: Pick<Model, 'compared' | 'places'>,
  state: State,
): Task | undefined {
  const variants = listVariants(model.compared, state);
  return variants[Math.max(0, Math.min(variants.length - 1, model.places.variants.cursor))];
}

/** All variants of the same task, itself included; empty for a task without others. */
export function listVariants(id: TaskId | undefined, state: State): readonly Task[] {
  const task = id === undefined ? undefined : selectTask(state, id);
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  const variants = run === undefined || task === undefined ? [] : selectVariants(run, task);
  return variants.length > 1 ? variants : [];
}

/** The variants, other than this one, whose work there is something to compare with. */
export function listComparable(id: TaskId, state: State): readonly TaskId[] {
  return listVariants(id, state)
    .filter((task) => task.id !== id && selectAttempt(task) !== undefined)
    .map((task) => task.id);
}

/**
 * The task whose variants are shown for what the person looked at: its own, else those that nobody
 * decided about, else any of the run.
 */
export function selectCompared(
  about: string | undefined,
  run: Run | undefined,
  state: State,
): TaskId | undefined {
  const [own] = about !== undefined && isTaskId(about) ? listVariants(about, state) : [];
  if (own !== undefined || run === undefined) return own?.id;
  const [[open] = []] = selectUndecidedGroups(run);
  const [[root] = []] = selectVariantGroups(run);
  return (open ?? root)?.id;
}

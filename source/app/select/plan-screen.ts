import {type PlannedTask, type Run, selectRun, type State} from '../../domain/index.ts';
import {displayWidth, wrapLine} from '../../shared/index.ts';
import type {Model} from '../model/model.ts';
import {fixedRows} from '../model/size-class.ts';
import {type PlanEntry, toEntryOfLine, toPlanEntries} from './plan-entries.ts';
import {type PlanView, selectPlanView} from './plan-view.ts';
import {formatCheckFacts} from './plan-texts.ts';

/** The plan screen as data: its entries, and where its comments stand. */
export type ShownPlan = {
  readonly run: Run;
  readonly view: PlanView;
  readonly entries: readonly PlanEntry[];
  readonly entryOfLine: ReadonlyMap<number, PlanEntry>;
  /** Proof, rules and hashes stand beside the plan. Otherwise they follow it. */
  readonly hasColumn: boolean;
  /** It waits for approval. */
  readonly isWaiting: boolean;
};

/** The same with the entry that the cursor is on. */
export type PlanScreenView = ShownPlan & {readonly cursor: number};

type ShownPlanModel = Pick<Model, 'run' | 'size' | 'isScreenReader'>;
type PlanScreenModel = ShownPlanModel & Pick<Model, 'places'>;

/** Undefined if the run in view has no plan. */
export function selectPlanScreen(model: PlanScreenModel, state: State): PlanScreenView | undefined {
  const plan = selectShownPlan(model, state);
  return plan === undefined ? undefined : {...plan, cursor: selectPlanCursor(model, plan)};
}

export function selectPlanCursor({places}: PlanScreenModel, {entries}: ShownPlan): number {
  return Math.max(0, Math.min(entries.length - 1, places.plan.cursor));
}

/** The same object for as long as nothing of it changes, so that moving the cursor renders two rows. */
export function selectShownPlan(model: ShownPlanModel, state: State): ShownPlan | undefined {
  const {run, size, isScreenReader} = model;
  const known = shownPlans.get(state);
  const isSameModel =
    known?.run === run && known?.size === size && known.isScreenReader === isScreenReader;
  if (known !== undefined && isSameModel) return known.plan;
  const plan = toShownPlan(model, state);
  shownPlans.set(state, {run, size, isScreenReader, plan});
  return plan;
}

const shownPlans = new WeakMap<
  State,
  Readonly<ShownPlanModel> & {readonly plan: ShownPlan | undefined}
>();

function toShownPlan(model: ShownPlanModel, state: State): ShownPlan | undefined {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  const view = run === undefined ? undefined : selectPlanView(state, run);
  if (run === undefined || view === undefined) return undefined;
  const hasColumn = hasSpaceForColumn(model, view);
  const entries = toPlanEntries(view, {hasColumn});
  return {
    run,
    view,
    entries,
    entryOfLine: toEntryOfLine(entries, view),
    hasColumn,
    isWaiting: run.stage.at === 'reviewing',
  };
}

/** The task under the cursor; undefined where the cursor is on something else. */
export function selectPlanTask(model: PlanScreenModel, state: State): PlannedTask | undefined {
  const shown = selectPlanScreen(model, state);
  const entry = shown?.entries[shown.cursor];
  const stage = shown?.run.stage;
  if (entry?.kind !== 'task' || stage === undefined || !('proposal' in stage)) return undefined;
  return stage.proposal.plan.tasks[entry.task.number - 1];
}

export function countPlanEntries(model: PlanScreenModel, state: State): number {
  return selectShownPlan(model, state)?.entries.length ?? 0;
}

/** The width of the column, with its frames. */
export function planColumnCells({columns}: Model['size']): number {
  return columns >= 140 ? 52 : 40;
}

const minColumnsForColumn = 110;
const frameCells = 4;

/** The column does not scroll, so it is there only if all of it is. */
function hasSpaceForColumn(
  {size, isScreenReader}: Pick<ShownPlanModel, 'size' | 'isScreenReader'>,
  view: PlanView,
): boolean {
  if (isScreenReader || size.columns < minColumnsForColumn) return false;
  const cells = planColumnCells(size) - frameCells;
  const rowsOf = (text: string, width: number): number => wrapLine(text, Math.max(4, width)).length;
  const proof = view.proof.reduce(
    (sum, check) =>
      sum +
      rowsOf(`${check.name} ${check.command}`, cells - 2) +
      formatCheckFacts(check).reduce((rows, {text}) => rows + rowsOf(text, cells - 2), 0),
    0,
  );
  const rules = view.rules.reduce(
    (sum, {number, text, directive}) =>
      sum + rowsOf(text, cells - Math.max(3, number.length) - displayWidth(directive) - 4),
    0,
  );
  return proof + rules + otherColumnRows <= size.rows - fixedRows(size) - decisionRows;
}

/** Frames, the sentences below checks and rules, the hashes. */
const otherColumnRows = 17;
const decisionRows = 2;

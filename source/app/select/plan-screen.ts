import {type Run, selectRun, type State} from '../../domain/index.ts';
import {displayWidth, wrapLine} from '../../shared/index.ts';
import type {Model} from '../model/model.ts';
import {fixedRows} from '../model/size-class.ts';
import {type PlanEntry, toEntryOfLine, toPlanEntries} from './plan-entries.ts';
import {type PlanView, selectPlanView} from './plan-view.ts';
import {formatCheckFacts} from './plan-texts.ts';

/** The plan screen as data: its entries, and where its comments stand. */
export type PlanScreenView = {
  readonly run: Run;
  readonly view: PlanView;
  readonly entries: readonly PlanEntry[];
  readonly cursor: number;
  readonly entryOfLine: ReadonlyMap<number, PlanEntry>;
  /** Proof, rules and hashes stand beside the plan. Otherwise they follow it. */
  readonly hasColumn: boolean;
  /** It waits for approval. */
  readonly isWaiting: boolean;
};

type PlanScreenModel = Pick<Model, 'run' | 'size' | 'isScreenReader' | 'places'>;

/** Undefined if the run in view has no plan. */
export function selectPlanScreen(model: PlanScreenModel, state: State): PlanScreenView | undefined {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  const view = run === undefined ? undefined : selectPlanView(state, run);
  if (run === undefined || view === undefined) return undefined;
  const hasColumn = hasSpaceForColumn(model, view);
  const entries = toPlanEntries(view, {hasColumn});
  return {
    run,
    view,
    entries,
    cursor: Math.max(0, Math.min(entries.length - 1, model.places.plan.cursor)),
    entryOfLine: toEntryOfLine(entries, view),
    hasColumn,
    isWaiting: run.stage.at === 'reviewing',
  };
}

export function countPlanEntries(model: PlanScreenModel, state: State): number {
  return selectPlanScreen(model, state)?.entries.length ?? 0;
}

/** The width of the column, with its frames. */
export function planColumnCells({columns}: Model['size']): number {
  return columns >= 140 ? 52 : 40;
}

const minColumnsForColumn = 110;
const frameCells = 4;

/** The column does not scroll, so it is there only if all of it is. */
function hasSpaceForColumn(
  {size, isScreenReader}: Pick<PlanScreenModel, 'size' | 'isScreenReader'>,
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

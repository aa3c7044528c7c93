import {nextChange, previousChange, restoreCursor} from '../review/move-cursor.ts';
import type {DiffFile} from '../review/parse-diff.ts';
import {
  isSideBySide,
  selectFileIndex,
  selectFileInView,
  selectItemAtCursor,
  selectItems,
  selectReviewFiles,
  selectSideBySide,
  toReviewKey,
} from '../review/select-review.ts';
import {selectItemOfRow} from '../review/side-by-side.ts';
import {countViewed, isViewed, nextUnviewed, toggleViewed} from '../review/viewed.ts';
import {noChange, type Result, withEffects, withNotice} from './action.ts';
import type {Model} from './model.ts';
import {type Movement, movePlace, withPlace} from './places.ts';
import {
  isTaskId,
  type RunId,
  selectOpenRuns,
  selectRun,
  selectVariantGroups,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {askDaemon, openReview, openScreen} from './open-screen.ts';
import {listComparable, selectMarkedVariant} from '../select/variants-view.ts';

/** Moves in the files or in the diff, whichever has the focus. */
export function moveInReview(model: Model, movement: Movement): Model {
  return model.reviewFocus === 'files' ? stepFile(model, movement) : moveInDiff(model, movement);
}

/** By items; with old and new side by side, by rows. */
function moveInDiff(model: Model, movement: Movement): Model {
  const inView = selectFileInView(model);
  if (inView === undefined) return model;
  const {items, cursor} = inView;
  const page = model.viewports['diff']?.items ?? 10;
  if (!isSideBySide(model)) {
    const moved = movePlace({cursor, top: 0}, movement, items.items.length, page);
    return withDiffCursor(model, moved.cursor);
  }

  const {rows, rowOf} = selectSideBySide(items);
  const moved = movePlace({cursor: rowOf[cursor] ?? 0, top: 0}, movement, rows.length, page);
  const row = rows[moved.cursor];
  return row === undefined || moved.cursor === rowOf[cursor]
    ? model
    : withDiffCursor(model, selectItemOfRow(row));
}

export function stepFile(model: Model, movement: Movement): Model {
  const files = selectReviewFiles(model);
  const page = model.viewports['files']?.items ?? 10;
  const {cursor} = movePlace(
    {cursor: selectFileIndex(model, files), top: 0},
    movement,
    files.length,
    page,
  );
  return cursor === selectFileIndex(model, files) ? model : openFile(model, cursor);
}

/** Shows a file. The cursor is on its first change. */
export function openFile(model: Model, index: number): Model {
  const file = selectReviewFiles(model)[index];
  const first = file === undefined ? 0 : (selectItems(model, file).changes[0] ?? 0);
  return withDiffCursor(withPlace(model, 'files', {cursor: index, top: 0}), first);
}

/** Goes to the next or previous change; beyond the last one of a file, into the next file. */
export function stepChange(model: Model, direction: 'next' | 'previous', now: number): Model {
  const focused: Model = {...model, reviewFocus: 'diff'};
  const inView = selectFileInView(focused);
  if (inView === undefined) return model;
  const {items, cursor} = inView;
  const to = direction === 'next' ? nextChange(items, cursor) : previousChange(items, cursor);
  if (to !== undefined) return withDiffCursor(focused, to);
  const files = selectReviewFiles(focused);
  const index = selectFileIndex(focused, files) + (direction === 'next' ? 1 : -1);
  const file = files[index];
  if (file === undefined)
    return withNotice(
      focused,
      direction === 'next' ? 'This is the last change.' : 'This is the first change.',
      now,
    );
  const opened = openFile(focused, index);
  return direction === 'next'
    ? opened
    : withDiffCursor(opened, selectItems(opened, file).changes.at(-1) ?? 0);
}

/** Marks the file in view as viewed and goes to the next one that is not; or takes the mark back. */
export function markViewed(model: Model, now: number): Model {
  const files = selectReviewFiles(model);
  const file = files[selectFileIndex(model, files)];
  if (file === undefined) return model;
  const viewed = toggleViewed(model.viewed, file);
  const marked: Model = {...model, viewed};
  if (!isViewed(viewed, file)) return marked;
  const next = nextUnviewed(viewed, files, file.path);
  if (next !== undefined) return openFile(marked, files.indexOf(next));
  return countViewed(viewed, files) === files.length
    ? withNotice(marked, 'All files are viewed.', now, 'good')
    : marked;
}

/** Opens or closes the fold under the cursor; undefined if there is none. */
export function toggleFold(model: Model): Model | undefined {
  const item = selectItemAtCursor(model);
  const file = selectFileInView(model)?.file;
  if (item?.kind !== 'fold' || file === undefined) return undefined;
  const open = new Set(model.openFolds.get(file.path));
  if (!open.delete(item.id)) open.add(item.id);
  return {...model, openFolds: new Map(model.openFolds).set(file.path, open)};
}

export function toggleSideBySide(model: Model): Model {
  return {...model, sideBySide: !isSideBySide(model)};
}

/**
 * Keeps the cursor on its line when folds open, comments come and go, or the change is another one
 * than before. A diff that has just come begins at its first change.
 */
export function retainDiffCursor(before: Model, after: Model): Model {
  if (after.screen !== 'review' || before.places.diff !== after.places.diff) return after;
  const now = selectFileInView(after);
  if (now === undefined) return after;
  const old = toReviewKey(before) === toReviewKey(after) ? selectFileInView(before) : undefined;
  if (old === undefined) return withDiffCursor(after, now.items.changes[0] ?? 0);
  if (old.items === now.items || !isSameFile(old.file, now.file)) return after;
  return withDiffCursor(after, restoreCursor(old.items, old.cursor, now.items));
}

function isSameFile(one: DiffFile, other: DiffFile): boolean {
  return one.path === other.path;
}

function withDiffCursor(model: Model, cursor: number): Model {
  return cursor === model.places.diff.cursor ? model : withPlace(model, 'diff', {cursor, top: 0});
}

/**
 * How a variant differs from another one: from the list the first other, in the review one after
 * the other, and then its own change again.
 */
export function compareVariants(model: Model, state: State, now: number): Result {
  const isInReview = model.screen === 'review';
  const subject = isInReview ? model.subject : selectMarkedVariant(model, state)?.id;
  const others = subject === undefined || !isTaskId(subject) ? [] : listComparable(subject, state);
  if (subject === undefined || others.length === 0)
    return noChange(withNotice(model, 'There is no other variant to compare it with.', now));
  const at = isInReview && model.against !== undefined ? others.indexOf(model.against) + 1 : 0;
  const opened = isInReview ? noChange(model) : openScreen(model, 'review', state);
  return openReview(opened.model, subject, others[at]);
}

/**
 * In the review: the run, then each of its tasks with an attempt. In the audit: the next run. Among
 * variants: the next task that has some.
 */
export function nextSubject(model: Model, state: State): Result {
  if (model.screen === 'audit') {
    const runs = selectOpenRuns(state).map(({id}) => id);
    const run = runs[(runs.indexOf(model.run ?? 'r0') + 1) % Math.max(1, runs.length)];
    return run === undefined
      ? noChange(model)
      : withEffects({...model, run}, askDaemon('audit', {about: 'audit', run}));
  }

  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run === undefined) return noChange(model);
  if (model.screen === 'variants') {
    const groups = selectVariantGroups(run).flatMap(([root]) => root?.id ?? []);
    const compared = groups[(groups.findIndex((id) => id === model.compared) + 1) % groups.length];
    return noChange(withPlace({...model, compared}, 'variants', {cursor: 0, top: 0}));
  }

  const all: (RunId | TaskId)[] = [
    run.id,
    ...run.tasks.filter(({attempts}) => attempts.length > 0).map(({id}) => id),
  ];
  return openReview(model, all[(all.indexOf(model.subject ?? run.id) + 1) % all.length]);
}

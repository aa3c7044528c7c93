import {isTaskId, type Run, runIdIn, selectRun, type State, type Task} from '../../domain/index.ts';
import {selectTaskNumber} from '../../reports/index.ts';
import {memoizeByObject, pathMatcher} from '../../shared/index.ts';
import type {DiffComment, Model} from '../model/model.ts';
import {listColumns, toSizeClass} from '../model/size-class.ts';
import {createDiffItemsCache, type DiffItem, type DiffItems, type DiffPlace} from './diff-items.ts';
import {addCommentedFiles} from './file-tree.ts';
import type {DiffFile} from './parse-diff.ts';
import {type SideBySide, toSideBySide} from './side-by-side.ts';

/** Unsent comments on the change in view. */
export function selectDiffComments({
  comments,
  subject,
}: Pick<Model, 'comments' | 'subject'>): readonly DiffComment[] {
  return comments.filter(({of, sentAs}) => of === subject && sentAs === undefined);
}

/** What the review shows, as the answer with its diff is named: `r1.t2`, or `r1.t2 against r1.t1`. */
export function toReviewKey({subject, against}: Pick<Model, 'subject' | 'against'>): string {
  return against === undefined ? (subject ?? '') : `${subject ?? ''} against ${against}`;
}

/**
 * The files of the change in view, then files that only have comments: those comments will be sent,
 * so they are shown.
 */
export function selectReviewFiles(
  model: Pick<Model, 'answers' | 'comments' | 'subject' | 'against'>,
): readonly DiffFile[] {
  const {diff} = model.answers;
  if (diff?.of !== toReviewKey(model) || !('value' in diff)) return [];
  const {comments, subject} = model;
  return withCommented(diff.value.read)({comments, subject});
}

/** The same list as long as the comments are the same: components compare it. */
const withCommented = memoizeByObject((read: readonly DiffFile[]) => {
  let last: {readonly of: CommentsOfSubject; readonly files: readonly DiffFile[]} | undefined;
  return (of: CommentsOfSubject): readonly DiffFile[] => {
    if (last?.of.comments !== of.comments || last.of.subject !== of.subject)
      last = {of, files: addCommentedFiles(read, selectDiffComments(of))};
    return last.files;
  };
});

type CommentsOfSubject = Pick<Model, 'comments' | 'subject'>;

/** The place of the file in view among the files. */
export function selectFileIndex(
  {places}: Pick<Model, 'places'>,
  files: readonly DiffFile[],
): number {
  return Math.max(0, Math.min(files.length - 1, places.files.cursor));
}

type FileInView = {
  readonly file: DiffFile;
  readonly items: DiffItems;
  /** The index of the item under the cursor. */
  readonly cursor: number;
};

/** The file whose diff is shown; undefined if there is none. */
export function selectFileInView(model: Model): FileInView | undefined {
  const files = selectReviewFiles(model);
  const file = files[selectFileIndex(model, files)];
  if (file === undefined) return undefined;
  const items = selectItems(model, file);
  const cursor = Math.max(0, Math.min(items.items.length - 1, model.places.diff.cursor));
  return {file, items, cursor};
}

/** The diff of a file as items. The same object as long as nothing of it changed. */
export function selectItems(model: Model, file: DiffFile): DiffItems {
  return buildItems(file, {
    comments: selectDiffComments(model),
    openFolds: model.openFolds.get(file.path) ?? noFolds,
    field: selectCommentField(model, file.path),
  });
}

const buildItems = createDiffItemsCache();
const noFolds: ReadonlySet<string> = new Set();

/** The item under the cursor. */
export function selectItemAtCursor(model: Model): DiffItem | undefined {
  const inView = selectFileInView(model);
  return inView?.items.items[inView.cursor];
}

/** The line on which a comment is being written. */
function selectCommentField({field, subject}: Model, path: string): DiffPlace | undefined {
  const purpose = field?.for;
  return purpose?.what === 'comment-diff' && purpose.of === subject && purpose.path === path
    ? {line: purpose.line, source: purpose.text}
    : undefined;
}

/** Old and new side by side: as the person chose, else where there is room. */
export function isSideBySide({
  sideBySide,
  size,
  isScreenReader,
}: Pick<Model, 'sideBySide' | 'size' | 'isScreenReader'>): boolean {
  if (isScreenReader) return false;
  const sizeClass = toSizeClass(size);
  return sideBySide ?? (sizeClass === 'wide' || sizeClass === 'huge');
}

/**
 * The width of the old side beside the new one. Yoga rounds the width of a text up, so a side of
 * half a cell more would lose the end of its lines.
 */
export function selectHalfColumns(model: Pick<Model, 'size' | 'isScreenReader'>): number {
  const {size} = model;
  const files = hasFilesBeside(model) ? listColumns(size, 'wide') : 0;
  return Math.floor((size.columns - files - 1) / 2);
}

/** The width of the line numbers of a file. */
export const selectDigits: (file: DiffFile) => number = memoizeByObject(({hunks}: DiffFile) => {
  const last = hunks.at(-1)?.lines ?? [];
  const max = last.reduce(
    (line, {oldLine = 0, newLine = 0}) => Math.max(line, oldLine, newLine),
    0,
  );
  return Math.max(4, String(max).length);
});

/** `task 2`, or `task 2 against 1`; undefined for the change of a run. */
export function formatReviewed(
  {subject, against}: Pick<Model, 'subject' | 'against'>,
  state: State,
): string | undefined {
  const run = subject === undefined ? undefined : selectRun(state, runIdIn(subject));
  if (subject === undefined || run === undefined || !isTaskId(subject)) return undefined;
  const task = `task ${selectTaskNumber(run, subject) ?? subject}`;
  return against === undefined
    ? task
    : `${task} against ${selectTaskNumber(run, against) ?? against}`;
}

/** The number of the task that changed a file; the reviewed task itself, if it is one. */
export function selectTaskOf(
  {subject}: Pick<Model, 'subject'>,
  state: State,
  path: string,
): number | undefined {
  if (subject === undefined) return undefined;
  const run = selectRun(state, runIdIn(subject));
  if (isTaskId(subject)) return run === undefined ? undefined : selectTaskNumber(run, subject);
  return run === undefined ? undefined : fileTasks(run)(path);
}

const fileTasks = memoizeByObject(selectFileTasks);

export const selectSideBySide: (items: DiffItems) => SideBySide = memoizeByObject(toSideBySide);

/** Files and diff stand side by side; in a smaller window, or for a screen reader, one at a time. */
export function hasFilesBeside({
  size,
  isScreenReader,
}: Pick<Model, 'size' | 'isScreenReader'>): boolean {
  const sizeClass = toSizeClass(size);
  return (
    !isScreenReader && (sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge')
  );
}

/**
 * The number of the task that changed a file of the run's diff.
 *
 * Each task's own change, as it passed its checks, names its files: the task that was merged last
 * wins. A path that no change names (a merge or a person made it) belongs to the only merged task
 * that planned it, or to none.
 */
export function selectFileTasks(run: Run): (path: string) => number | undefined {
  const {tasks} = run;
  const toNumber = ({id}: Task): number => selectTaskNumber(run, id) ?? 0;
  const merged = tasks
    .flatMap((task) => (task.stage.at === 'merged' ? [{task, since: task.stage.since}] : []))
    .sort((one, other) => one.since - other.since)
    .map(({task}) => task);
  // A merged task that got a new attempt is under way again; what was merged of it counts less
  // than what is merged now.
  const reopened = tasks.filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded');
  const changed = new Map(
    [...reopened, ...merged].flatMap((task) =>
      listChangedPaths(task).map((path) => [path, toNumber(task)] as const),
    ),
  );
  const planned = merged.map((task) => ({
    number: toNumber(task),
    matches: pathMatcher(task.planned.files),
  }));
  return (path) => {
    const own = changed.get(path);
    if (own !== undefined) return own;
    const [one, ...others] = planned.filter(({matches}) => matches(path));
    return others.length === 0 ? one?.number : undefined;
  };
}

function listChangedPaths({attempts}: Task): readonly string[] {
  const step = attempts.findLast((attempt) => attempt.step.at === 'passed')?.step;
  return step?.at === 'passed' ? step.change.files.map(({path}) => path) : [];
}

import type {DiffComment} from '../model/model.ts';
import {type HunkItems, type LineItem, toLineItems, toLineNumber} from './diff-lines.ts';
import type {DiffFile} from './parse-diff.ts';

/** One row of a file's diff, or a comment's card. The cursor is the index of an item. */
export type DiffItem = LineItem | FoldItem | GapItem | CommentItem | FieldItem | NoticeItem;

/** Unchanged lines, hidden unless `isOpen`; then they follow it. */
export type FoldItem = {
  readonly kind: 'fold';
  /** A comment divides a fold: both parts have the same id, and open together. */
  readonly id: string;
  readonly count: number;
  /** Line numbers of the new file, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
};

/** Lines that git left out: there is no text to open. */
export type GapItem = {
  readonly kind: 'hunk-gap';
  readonly count: number;
  /** The first line below it. */
  readonly before: number;
  readonly heading: string;
};

export type CommentItem = {
  readonly kind: 'comment';
  readonly comment: DiffComment;
  /** Its line is no longer part of the diff. Such comments stand at the end. */
  readonly isStray: boolean;
};

/** Where a comment is being written. */
export type FieldItem = {readonly kind: 'field'; readonly line: number};

export type NoticeItem = {readonly kind: 'notice'; readonly text: string};

export type DiffItems = {
  readonly items: readonly DiffItem[];
  /** For each change, the index of its first line. */
  readonly changes: readonly number[];
};

/** A place in a file, as comments name it: line number and text. */
export type DiffPlace = {readonly line: number; readonly source: string};

export type DiffItemsOptions = {
  /** Comments on other files are ignored. */
  readonly comments: readonly DiffComment[];
  readonly openFolds: ReadonlySet<string>;
  /** The line on which a comment is being written. A comment that is edited is not shown. */
  readonly field?: DiffPlace | undefined;
};

/** What the app asks the daemon for: enough that folds open, and bounded for long files. */
export const reviewContext = 200;

/** The diff of one file as a list of items. */
export function buildDiffItems(file: DiffFile, options: DiffItemsOptions): DiffItems {
  return weave(file, toLineItems(file), options);
}

/**
 * `buildDiffItems` that gives the same object for the same file, comments, folds and field, so that
 * moving the cursor builds nothing. Pairs of lines are found once per file.
 */
export function createDiffItemsCache(): typeof buildDiffItems {
  const lines = new WeakMap<DiffFile, readonly HunkItems[]>();
  const results = new WeakMap<DiffFile, {options: DiffItemsOptions; items: DiffItems}>();
  return (file, options) => {
    const own = {
      ...options,
      comments: options.comments.filter(({path}) => path === file.path),
    };
    const last = results.get(file);
    if (last !== undefined && isSameOptions(last.options, own)) return last.items;
    const hunks = lines.get(file) ?? toLineItems(file);
    lines.set(file, hunks);
    const items = weave(file, hunks, own);
    results.set(file, {options: own, items});
    return items;
  };
}

function isSameOptions(one: DiffItemsOptions, other: DiffItemsOptions): boolean {
  return (
    one.openFolds === other.openFolds &&
    one.field?.line === other.field?.line &&
    one.field?.source === other.field?.source &&
    one.comments.length === other.comments.length &&
    one.comments.every((comment, index) => comment === other.comments[index])
  );
}

/** Unchanged lines that stay visible before and after a change. */
const shownContext = 3;

/** A fold takes a row itself, so it must save one. */
const minFolded = 2;

function weave(
  file: DiffFile,
  hunks: readonly HunkItems[],
  {comments, openFolds, field}: DiffItemsOptions,
): DiffItems {
  const items: DiffItem[] = toNotices(file);
  const changes: number[] = [];
  const attached = attach(
    hunks,
    comments.filter(({path}) => path === file.path),
    field,
  );
  for (const {omitted, heading, lines} of hunks) {
    const [first] = lines;
    if (omitted > 0 && first !== undefined)
      items.push({kind: 'hunk-gap', count: omitted, before: toLineNumber(first), heading});
    const folds = findFolds(lines, (line) => attached.has(line));
    let nextFold = folds.shift();
    let wasChange = false;
    for (let index = 0; index < lines.length; index++) {
      if (nextFold?.start === index) {
        const isOpen = openFolds.has(nextFold.id);
        items.push(toFoldItem(lines, nextFold, isOpen));
        // Its lines are unchanged and have nothing attached.
        if (isOpen) for (const line of lines.slice(index, nextFold.end)) items.push(line);
        index = nextFold.end - 1;
        nextFold = folds.shift();
        wasChange = false;
        continue;
      }

      const line = lines[index];
      if (line === undefined) continue;
      const isChange = line.kind !== 'context';
      if (isChange && !wasChange) changes.push(items.length);
      wasChange = isChange;
      items.push(line);
      if (attached.size > 0) items.push(...(attached.get(line) ?? []));
    }
  }

  items.push(...(attached.get(undefined) ?? []));
  return {items, changes};
}

type Attachment = CommentItem | FieldItem;

/**
 * What stands below each line; below no line (`undefined`) what has lost its line. Each comment is
 * there once: if two lines have the same number and text, the one of the new file has it.
 */
function attach(
  hunks: readonly HunkItems[],
  comments: readonly DiffComment[],
  field: DiffPlace | undefined,
): ReadonlyMap<LineItem | undefined, readonly Attachment[]> {
  const attached = new Map<LineItem | undefined, Attachment[]>();
  if (comments.length === 0 && field === undefined) return attached;
  const add = (line: LineItem | undefined, item: Attachment): void => {
    attached.set(line, [...(attached.get(line) ?? []), item]);
  };

  const findLine = createLineFinder(hunks);
  for (const comment of comments) {
    const isEdited =
      field?.line === comment.line &&
      field.source === comment.source &&
      comment.sentAs === undefined;
    if (isEdited) continue;
    const line = findLine(comment);
    add(line, {kind: 'comment', comment, isStray: line === undefined});
  }

  if (field !== undefined) add(findLine(field), {kind: 'field', line: field.line});
  return attached;
}

function createLineFinder(hunks: readonly HunkItems[]): (place: DiffPlace) => LineItem | undefined {
  const [byOld, byNew] = [new Map<number, LineItem>(), new Map<number, LineItem>()];
  for (const {lines} of hunks)
    for (const line of lines) {
      if (line.newLine !== undefined) byNew.set(line.newLine, line);
      else if (line.oldLine !== undefined) byOld.set(line.oldLine, line);
    }

  return ({line, source}) =>
    [byNew.get(line), byOld.get(line)].find((found) => found?.source === source);
}

type Fold = {readonly id: string; readonly start: number; readonly end: number};

/** Runs of unchanged lines that are far from a change and have nothing attached. */
function findFolds(lines: readonly LineItem[], isShown: (line: LineItem) => boolean): Fold[] {
  const folds: Fold[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && lines[end]?.kind === 'context') end += 1;
    const from = start === 0 ? start : start + shownContext;
    const to = end === lines.length ? end : end - shownContext;
    if (to - from >= minFolded)
      folds.push(...divideFold(lines, {id: toFoldId(lines[start]), start: from, end: to}, isShown));
    start = end + 1;
  }

  return folds;
}

function toFoldId(first: LineItem | undefined): string {
  return `fold ${first?.oldLine ?? 0}`;
}

function divideFold(
  lines: readonly LineItem[],
  {id, start, end}: Fold,
  isShown: (line: LineItem) => boolean,
): Fold[] {
  const parts: Fold[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    const line = lines[at];
    if (at < end && (line === undefined || !isShown(line))) continue;
    if (at - from >= minFolded) parts.push({id, start: from, end: at});
    from = at + 1;
  }

  return parts;
}

function toFoldItem(lines: readonly LineItem[], {id, start, end}: Fold, isOpen: boolean): FoldItem {
  return {
    kind: 'fold',
    id,
    count: end - start,
    from: lines[start]?.newLine ?? 0,
    to: lines[end - 1]?.newLine ?? 0,
    isOpen,
  };
}

function toNotices(file: DiffFile): NoticeItem[] {
  const texts = [
    ...(file.before === undefined ? [] : [`Renamed from ${file.before}.`]),
    ...file.notices,
  ];
  if (file.hunks.length === 0 && texts.length === 0) texts.push(explainNoLines(file));
  return texts.map((text) => ({kind: 'notice', text}));
}

function explainNoLines({how, isGone}: DiffFile): string {
  if (isGone === true) return 'It is no longer part of the change. Your comments are still sent.';
  if (how === 'A') return 'A new, empty file.';
  return how === 'D' ? 'It was empty, and is deleted.' : 'None of its lines changed.';
}

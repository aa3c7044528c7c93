import type {DiffItem, DiffItems} from './diff-items.ts';
import {toLineNumber} from './diff-lines.ts';

/** The first line of the next change, or undefined: then the next file is meant. */
export function nextChange({changes}: DiffItems, cursor: number): number | undefined {
  return changes[countUpTo(changes, cursor)];
}

/** The first line of this change, or of the change before if the cursor is on it already. */
export function previousChange({changes}: DiffItems, cursor: number): number | undefined {
  return changes[countUpTo(changes, cursor - 1) - 1];
}

/** For `change 2 of 3`. The number is 0 above the first change. */
export function changeNumber(
  {changes}: DiffItems,
  cursor: number,
): {readonly number: number; readonly of: number} {
  return {number: countUpTo(changes, cursor), of: changes.length};
}

/** How many starts are at most at the index. */
function countUpTo(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }

  return low;
}

/** A name that stays the same when folds open and comments come and go: for React and the cursor. */
export function toItemKey(item: DiffItem): string {
  switch (item.kind) {
    case 'context':
    case 'added':
    case 'removed':
      return `line ${item.oldLine ?? ''}:${item.newLine ?? ''}`;
    case 'fold':
      return `${item.id} ${item.from}`;
    case 'hunk-gap':
      return `gap ${item.before}`;
    case 'comment': {
      const {line, source, text, sentAs = ''} = item.comment;
      return `comment ${line} ${source} ${text} ${sentAs}`;
    }

    case 'field':
      return 'field';
    case 'notice':
      return `notice ${item.text}`;
  }
}

/** The cursor on the same item after the items were built again, or on the nearest one. */
export function restoreCursor(before: DiffItems, cursor: number, after: DiffItems): number {
  const item = before.items[cursor];
  if (item === undefined || before === after) return clamp(cursor, after);
  const key = toItemKey(item);
  const same = after.items.findIndex((one) => toItemKey(one) === key);
  if (same !== -1) return same;
  const line = lineOf(item);
  const nearest =
    line === undefined
      ? -1
      : after.items.findIndex((one) => isAtLine(one, line) || (lineOf(one) ?? 0) >= line);
  return nearest === -1 ? clamp(cursor, after) : nearest;
}

function clamp(cursor: number, {items}: DiffItems): number {
  return Math.max(0, Math.min(items.length - 1, cursor));
}

function isAtLine(item: DiffItem, line: number): boolean {
  return item.kind === 'fold' && item.from <= line && line <= item.to;
}

function lineOf(item: DiffItem): number | undefined {
  switch (item.kind) {
    case 'context':
    case 'added':
    case 'removed':
      return toLineNumber(item);
    case 'fold':
      return item.from;
    case 'hunk-gap':
      return item.before;
    case 'comment':
      return item.comment.line;
    case 'field':
      return item.line;
    case 'notice':
      return undefined;
  }
}

import type {DiffItem, DiffItems} from './diff-items.ts';
import type {LineItem} from './diff-lines.ts';

/**
 * A row of two columns, by the indexes of its items: old and new line, or one item across both. An
 * unchanged line is on both sides.
 */
export type SideBySideRow =
  | {readonly left: number | undefined; readonly right: number | undefined}
  | {readonly across: number};

export type SideBySide = {
  readonly rows: readonly SideBySideRow[];
  /** For each item, its row: the cursor stays an index of items. */
  readonly rowOf: readonly number[];
};

/** Old and new side by side: lines that replace each other share a row. */
export function toSideBySide({items}: DiffItems): SideBySide {
  const rows: SideBySideRow[] = [];
  let index = 0;
  while (index < items.length) {
    const end = findBlockEnd(items, index);
    if (end === index) {
      rows.push(items[index]?.kind === 'context' ? {left: index, right: index} : {across: index});
      index += 1;
      continue;
    }

    pushBlock(rows, items, index, end);
    index = end;
  }

  const rowOf = Array<number>(items.length).fill(0);
  for (let row = 0; row < rows.length; row++) {
    const entry = rows[row];
    if (entry === undefined) continue;
    if ('across' in entry) rowOf[entry.across] = row;
    else {
      if (entry.left !== undefined) rowOf[entry.left] = row;
      if (entry.right !== undefined) rowOf[entry.right] = row;
    }
  }

  return {rows, rowOf};
}

/** The item that the cursor is on in a row: the new line where there is one. */
export function selectItemOfRow(row: SideBySideRow): number {
  if ('across' in row) return row.across;
  return row.right ?? row.left ?? 0;
}

/** A block is changed lines with the comments between them. */
function findBlockEnd(items: readonly DiffItem[], start: number): number {
  if (!isChanged(items[start])) return start;
  let end = start;
  while (end < items.length && (isChanged(items[end]) || isAttached(items[end]))) end += 1;
  return end;
}

function isChanged(item: DiffItem | undefined): item is LineItem {
  return item?.kind === 'added' || item?.kind === 'removed';
}

function isAttached(item: DiffItem | undefined): boolean {
  return item?.kind === 'field' || (item?.kind === 'comment' && !item.isStray);
}

function pushBlock(
  rows: SideBySideRow[],
  items: readonly DiffItem[],
  start: number,
  end: number,
): void {
  const [left, right]: [number[], number[]] = [[], []];
  for (let index = start; index < end; index++) {
    const kind = items[index]?.kind;
    if (kind === 'removed') left.push(index);
    if (kind === 'added') right.push(index);
  }

  let [leftAt, rightAt] = [0, 0];
  const push = (one: number | undefined, other: number | undefined): void => {
    rows.push({left: one, right: other});
    for (const index of [one, other])
      if (index !== undefined)
        for (let at = index + 1; at < end && isAttached(items[at]); at++) rows.push({across: at});
  };

  const pushUntil = (leftEnd: number, rightEnd: number): void => {
    while (leftAt < leftEnd || rightAt < rightEnd)
      push(
        leftAt < leftEnd ? left[leftAt++] : undefined,
        rightAt < rightEnd ? right[rightAt++] : undefined,
      );
  };

  for (const [at, pair] of findPairs(items, left, right)) {
    pushUntil(at, pair);
    push(left[leftAt++], right[rightAt++]);
  }

  pushUntil(left.length, right.length);
}

/** Positions in both columns of the lines that replace each other, in order. */
function findPairs(
  items: readonly DiffItem[],
  left: readonly number[],
  right: readonly number[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let position = 0;
  for (const [at, index] of left.entries()) {
    const item = items[index];
    const line = isChanged(item) ? item.pair?.line : undefined;
    if (line === undefined) continue;
    // Pairs never cross, so the search goes on where the last pair was.
    while (position < right.length && !isNewLine(items[right[position] ?? 0], line)) position += 1;

    if (position < right.length) pairs.push([at, position]);
  }

  return pairs;
}

function isNewLine(item: DiffItem | undefined, line: number): boolean {
  return isChanged(item) && item.newLine === line;
}

import {displayWidth} from '../../shared/index.ts';
import {pairLines} from './pair-lines.ts';
import type {DiffFile, DiffHunk, DiffLine} from './parse-diff.ts';
import {findChangedRanges, type TextRange} from './word-diff.ts';

/** A line of the diff, ready to be drawn. `text` is foreign and not sanitised yet. */
export type LineItem = {
  readonly kind: 'context' | 'added' | 'removed';
  readonly oldLine: number | undefined;
  readonly newLine: number | undefined;
  /** The line as shown: tabs are spaces, a carriage return at its end is gone or `␍`. */
  readonly text: string;
  /** The line as it is in the file. A comment names its line by it. */
  readonly source: string;
  /** Characters at its end that are not in `text`, because the line is very long. */
  readonly omitted: number;
  /** The line of the other side that this one replaces, or that replaces it. */
  readonly pair: {readonly line: number; readonly text: string} | undefined;
  readonly hasNoNewline: boolean;
};

export type HunkItems = Omit<DiffHunk, 'lines'> & {readonly lines: readonly LineItem[]};

/** All lines of a file with their pairs. It depends on the file alone. */
export function toLineItems({hunks}: DiffFile): readonly HunkItems[] {
  const marksReturns = hasBothLineEnds(hunks);
  let costLeft = maxPairingCost;
  return hunks.map(({lines, ...hunk}) => {
    const items: Mutable<LineItem>[] = lines.map((line) => toLineItem(line, marksReturns));
    for (const {removed, added} of listBlocks(items)) {
      const cost = computePairingCost(removed.length, added.length);
      const isAffordable = cost <= costLeft;
      if (isAffordable) costLeft -= cost;
      setPairs(removed, added, isAffordable ? 'each' : 'quick');
    }

    return {...hunk, lines: items};
  });
}

/** The words of a line that differ from those of its pair. */
export function selectChangedRanges({kind, text, pair}: LineItem): readonly TextRange[] {
  if (pair === undefined) return [];
  return kind === 'removed'
    ? findChangedRanges(text, pair.text).removed
    : findChangedRanges(pair.text, text).added;
}

/** The line number by which a comment names the line. */
export function toLineNumber({oldLine, newLine}: Pick<LineItem, 'oldLine' | 'newLine'>): number {
  return newLine ?? oldLine ?? 0;
}

type Mutable<T> = {-readonly [Key in keyof T]: T[Key]};

/** Splitting a line into words takes about as long as five comparisons of split lines. */
function computePairingCost(removed: number, added: number): number {
  return 5 * (removed + added) + removed * added;
}

/**
 * About 10 ms: 900 blocks of two lines, or five of eighty. What is beyond in a very large change is
 * compared quickly.
 */
const maxPairingCost = 10_000;

/** Longer lines are cut. */
export const maxLineCharacters = 2000;

const tabWidth = 4;

function toLineItem(line: DiffLine, marksReturns: boolean): Mutable<LineItem> {
  const {kind, oldLine, newLine, text: source} = line;
  const text = toShownText(source, marksReturns);
  const shown = text.length > maxLineCharacters ? cutText(text) : text;
  return {
    kind,
    oldLine,
    newLine,
    text: shown,
    source,
    omitted: text.length - shown.length,
    pair: undefined,
    hasNoNewline: line.hasNoNewline === true,
  };
}

function toShownText(source: string, marksReturns: boolean): string {
  let text = source;
  if (text.endsWith('\r')) text = `${text.slice(0, -1)}${marksReturns ? '␍' : ''}`;
  return text.includes('\t') ? expandTabs(text) : text;
}

/** A long line is cut first: the rest of it is only counted. */
function expandTabs(text: string): string {
  let shown = '';
  let cells = 0;
  for (const part of text.slice(0, maxLineCharacters).split(/(\t)/)) {
    const spaces = tabWidth - (cells % tabWidth);
    shown += part === '\t' ? ' '.repeat(spaces) : part;
    cells += part === '\t' ? spaces : displayWidth(part);
  }

  return shown + text.slice(maxLineCharacters);
}

function cutText(text: string): string {
  return text.slice(0, maxLineCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** Whether the change mixes line ends. Only then carriage returns are shown. */
function hasBothLineEnds(hunks: readonly DiffHunk[]): boolean {
  let [withReturn, without] = [false, false];
  for (const {lines} of hunks)
    for (const {kind, text} of lines) {
      if (kind === 'context') continue;
      if (text.endsWith('\r')) withReturn = true;
      else without = true;
      if (withReturn && without) return true;
    }

  return false;
}

type Block<Item> = {readonly removed: Item[]; readonly added: Item[]};

/** Blocks of changed lines that have both removed and added ones. */
function listBlocks<Item extends LineItem>(lines: readonly Item[]): Block<Item>[] {
  const blocks: Block<Item>[] = [];
  let block: Block<Item> = {removed: [], added: []};
  const end = (): void => {
    if (block.removed.length > 0 && block.added.length > 0) blocks.push(block);
    block = {removed: [], added: []};
  };

  for (const line of lines) {
    if (line.kind === 'context') end();
    else block[line.kind].push(line);
  }

  end();
  return blocks;
}

function setPairs(
  removed: readonly Mutable<LineItem>[],
  added: readonly Mutable<LineItem>[],
  how: 'each' | 'quick',
): void {
  const pairs = pairLines(
    removed.map(({text}) => text),
    added.map(({text}) => text),
    how,
  );
  for (const [index, pair] of pairs.entries()) {
    const [old, fresh] = [removed[index], pair === undefined ? undefined : added[pair]];
    if (old === undefined || fresh === undefined) continue;
    old.pair = {line: toLineNumber(fresh), text: fresh.text};
    fresh.pair = {line: toLineNumber(old), text: old.text};
  }
}

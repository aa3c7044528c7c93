import {sanitizeText, wrapText} from '../shared/index.ts';

export type LinesChanged = {
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** The lines that differ, without those that both texts begin or end with. */
export function compareLines(before: string, after: string): LinesChanged {
  const [old, next] = [toLines(before), toLines(after)];
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  return {
    removed: old.slice(start, old.length - end),
    added: next.slice(start, next.length - end),
  };
}

function toLines(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** `+9 -1`; empty if nothing changed. */
export function formatCounts({removed, added}: LinesChanged): string {
  return [
    added.length > 0 ? `+${added.length}` : '',
    removed.length > 0 ? `-${removed.length}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const maxShown = 4;
const maxLineLength = 120;

/** The first lines of a change, each behind its sign, with the removed ones first. */
export function formatChangedLines({removed, added}: LinesChanged): readonly string[] {
  const removedShown = removed.slice(0, added.length === 0 ? maxShown : maxShown / 2);
  const addedShown = added.slice(0, maxShown - removedShown.length);
  return [
    ...removedShown.map((line) => `  - ${line.slice(0, maxLineLength)}`.trimEnd()),
    ...addedShown.map((line) => `  + ${line.slice(0, maxLineLength)}`.trimEnd()),
  ];
}

const codes = {dim: 2, bad: 31, good: 32} as const;

export type PaintOptions = {
  readonly color: boolean;
  /** Wraps at words to this width; undefined wraps nothing. */
  readonly columns: number | undefined;
};

/**
 * Sanitises text for the terminal and, with `color`, paints its signs the way other agents are
 * shown: `●`, `✓`, `✗`, and lines of a diff.
 */
export function paintText(text: string, {color, columns}: PaintOptions): string {
  return sanitizeText(text)
    .split('\n')
    .flatMap((line) => {
      const rows = columns === undefined ? [line] : wrapText(line, columns);
      return color ? rows.map((row) => paintRow(row, line)) : rows;
    })
    .join('\n');
}

/** Rows of a wrapped diff line keep its tone. */
function paintRow(row: string, line: string): string {
  if (/^ {2,4}\+ /.test(line)) return paint(row, 'good');
  if (/^ {2,4}- /.test(line)) return paint(row, 'bad');
  if (/^[…─·] /.test(line)) return paint(row, 'dim');
  if (!row.startsWith('● ') && !/^ {2}[✓✗]/.test(row)) return row;
  return row
    .replace(/^●/, paint('●', 'good'))
    .replace(/(?<= )✓/, paint('✓', 'good'))
    .replace(/(?<= )✗.*/, (rest) => paint(rest, 'bad'));
}

function paint(text: string, tone: keyof typeof codes): string {
  return `\u001B[${codes[tone]}m${text}\u001B[0m`;
}

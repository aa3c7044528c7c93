import {cutLine, displayWidth, sanitizeText, takeHead, wrapLine} from '../../shared/index.ts';
import type {ActionName} from '../keymap/action-name.ts';

/**
 * Foreign text as one line of the chrome. It contains nothing that controls the terminal, hides or
 * reorders text, and only characters whose width Ink, the emulator and terminals agree on.
 */
export function safeLine(text: string): string {
  if (plainAscii.test(text)) return text;
  return (
    sanitizeText(text.replaceAll('\t', '    ').replaceAll(/[\n\v\f\r]+/g, ' '))
      // Variation selectors and skin tones change the width of the character before; a flag
      // combines two letters.
      .replaceAll(/\p{Variation_Selector}|\p{Emoji_Modifier}/gu, '')
      .replaceAll(/\p{Regional_Indicator}/gu, (letter) =>
        String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1_f1_e6 + 0x41),
      )
  );
}

/** A safe line, cut or padded to a number of cells. */
export function fit(line: string, cells: number): string {
  const shown = cutLine(line, cells);
  return shown + ' '.repeat(Math.max(0, cells - displayWidth(shown)));
}

/** A safe text wrapped to a number of cells. */
export function wrap(text: string, cells: number): string[] {
  return wrapLine(text, Math.max(4, cells));
}

const plainAscii = /^[\u0020-\u007E]*$/;

/**
 * An age in minutes, hours or days. It changes at most once a minute, so that ages cause few
 * frames.
 */
function formatCoarseAge(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return '<1 min';
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

export function formatAgo(milliseconds: number): string {
  return `${formatCoarseAge(milliseconds)} ago`;
}

/** Foreign text as wrapped rows with an indent; `first` is put before the first row. */
export function paragraph(
  text: string,
  columns: number,
  {
    first = '',
    indent = first.length,
    tone = 'plain',
  }: {readonly first?: string; readonly indent?: number; readonly tone?: Tone} = {},
): Line[] {
  return text
    .split('\n')
    .flatMap((one) => wrap(safeLine(one), columns - indent))
    .map((row, index) => [
      span(`${index === 0 ? first.padEnd(indent) : ' '.repeat(indent)}${row}`, tone),
    ]);
}

/** The width of prose in a wide window. */
export const maxProseColumns = 110;

export function heading(text: string): Line {
  return [span(text, 'title')];
}

export {formatCount} from '../../shared/index.ts';

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * The meaning of a piece of text. Themes map tones to styles; words and marks carry the same
 * information without colour.
 */
export type Tone =
  | 'plain'
  | 'strong'
  | 'title'
  | 'quiet'
  | 'good'
  | 'bad'
  | 'needs'
  | 'accent'
  | 'bar'
  | 'bar-needs'
  | 'cursor'
  | 'caret'
  | 'added'
  | 'removed'
  | 'keyword'
  | 'string'
  | 'comment'
  | 'number'
  | 'name';

export type Span = {
  readonly text: string;
  readonly tone: Tone;
  /** What a click on it does. */ readonly press?: Pressed;
};

/** An action, and the key for actions that depend on it (digits). */
export type Pressed = {readonly action: ActionName; readonly chord: string};

/** One row of the chrome. Its texts are safe, because only `span` creates them. */
export type Line = readonly Span[];

/** Foreign text with a tone, made safe for one line. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return {text: safeLine(text), tone};
}

/** Spans that can be clicked to run an action. */
export function button(action: ActionName, ...spans: readonly Span[]): Line {
  return pressable({action, chord: ''}, ...spans);
}

export function pressable(press: Pressed, ...spans: readonly Span[]): Line {
  return spans.map((one) => ({...one, press}));
}

/** The action of a click on a cell of the line. */
export function pressAt(of: Line, column: number): Pressed | undefined {
  let end = 0;
  return of.find(({text}) => (end += displayWidth(text)) > column)?.press;
}

export function line(text: string, tone: Tone = 'plain'): Line {
  return [span(text, tone)];
}

export const blank: Line = [];

export function widthOfLine(of: Line): number {
  return of.reduce((sum, {text}) => sum + displayWidth(text), 0);
}

/** Cuts the line with an ellipsis or pads it to exactly this many cells. */
export function fitLine(of: Line, cells: number, filler: Tone = 'plain'): Line {
  const width = widthOfLine(of);
  if (width === cells) return of;
  if (width < cells) return [...of, {text: ' '.repeat(cells - width), tone: filler}];
  const shown: Span[] = [];
  let left = cells;
  for (const piece of of) {
    const own = displayWidth(piece.text);
    const isLast = own >= left;
    const text = isLast
      ? cutLine(piece.text, own === left && widthOfLine(of) > cells ? left - 1 : left)
      : piece.text;
    shown.push({
      ...piece,
      text: isLast && !text.endsWith('…') ? `${takeHead(text, left - 1)}…` : text,
    });
    left -= displayWidth(shown.at(-1)?.text ?? '');
    if (isLast) break;
  }

  return left > 0 ? [...shown, {text: ' '.repeat(left), tone: filler}] : shown;
}

/** Left and right on one row. If both do not fit, the left one is cut. */
export function ends(left: Line, right: Line, cells: number, filler: Tone = 'plain'): Line {
  const space = cells - widthOfLine(right);
  return space < 8 ? fitLine(left, cells, filler) : [...fitLine(left, space, filler), ...right];
}

/** Exactly this many rows of this many cells. */
export function fill(
  lines: readonly Line[],
  {columns, rows}: {readonly columns: number; readonly rows: number},
): Line[] {
  return Array.from({length: Math.max(0, rows)}, (_, row) => fitLine(lines[row] ?? blank, columns));
}

/** The line under the cursor: the whole row in one tone, with a mark if the first cell is free. */
export function underCursor(of: Line, cells: number): Line {
  return fitLine(of, cells).map(({text}, index) => ({
    text: index === 0 && text.startsWith(' ') ? `▸${text.slice(1)}` : text,
    tone: 'cursor' as const,
  }));
}

export function textOfLine(of: Line): string {
  return of.map(({text}) => text).join('');
}

/** Breaks a line into rows at any character: for code, in which every space counts. */
export function breakLine(of: Line, cells: number): Line[] {
  if (widthOfLine(of) <= cells) return [of];
  const rows: Line[] = [];
  let row: Span[] = [];
  let left = cells;
  for (const piece of of) {
    let {text} = piece;
    let head = takeHead(text, left);
    while (head.length < text.length) {
      rows.push([...row, {...piece, text: head}]);
      text = text.slice(head.length);
      [row, left] = [[], cells];
      head = takeHead(text, left);
    }

    row.push({...piece, text});
    left -= displayWidth(text);
  }

  return [...rows, row];
}

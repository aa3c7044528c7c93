import {cutLine, displayWidth, headOf} from '../../base/index.ts';
import {safeLine} from './cell-text.ts';
import type {Deed} from './deed.ts';

/** What a piece of text is for. Colour only underlines what words and marks say. */
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

/** Something that a key does, and for a row of keys, as numbers are, which of them. */
export type Pressed = {readonly does: Deed; readonly chord: string};

/** One row of the chrome. Its texts are safe: only `span` makes one. */
export type Line = readonly Span[];

/** Somebody's words in a tone; whatever is in them, they are one safe piece of one line. */
export function span(text: string, tone: Tone = 'plain'): Span {
  return {text: safeLine(text), tone};
}

/** A key and what it does, as one piece that can be clicked. */
export function button(does: Deed, ...spans: readonly Span[]): Line {
  return pressable({does, chord: ''}, ...spans);
}

export function pressable(press: Pressed, ...spans: readonly Span[]): Line {
  return spans.map((one) => ({...one, press}));
}

/** What a click on this cell of the line does. */
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

/** Cut, with a mark, or filled with spaces: exactly so many cells. */
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
      text: isLast && !text.endsWith('…') ? `${headOf(text, left - 1)}…` : text,
    });
    left -= displayWidth(shown.at(-1)?.text ?? '');
    if (isLast) break;
  }

  return left > 0 ? [...shown, {text: ' '.repeat(left), tone: filler}] : shown;
}

/** Left and right on one row; where there is no room for both the left one is cut. */
export function ends(left: Line, right: Line, cells: number, filler: Tone = 'plain'): Line {
  const room = cells - widthOfLine(right);
  return room < 8 ? fitLine(left, cells, filler) : [...fitLine(left, room, filler), ...right];
}

/** Exactly so many rows of so many cells. */
export function fill(
  lines: readonly Line[],
  {columns, rows}: {readonly columns: number; readonly rows: number},
): Line[] {
  return Array.from({length: Math.max(0, rows)}, (_, row) => fitLine(lines[row] ?? blank, columns));
}

/** The line under the cursor: the whole row in one tone, and a mark where there is room for one. */
export function underCursor(of: Line, cells: number): Line {
  return fitLine(of, cells).map(({text}, index) => ({
    text: index === 0 && text.startsWith(' ') ? `▸${text.slice(1)}` : text,
    tone: 'cursor' as const,
  }));
}

export function textOfLine(of: Line): string {
  return of.map(({text}) => text).join('');
}

/** One line as rows of at most so many cells, broken anywhere: for code, in which every space counts. */
export function breakLine(of: Line, cells: number): Line[] {
  if (widthOfLine(of) <= cells) return [of];
  const rows: Line[] = [];
  let row: Span[] = [];
  let left = cells;
  for (const piece of of) {
    let {text} = piece;
    let head = headOf(text, left);
    while (head.length < text.length) {
      rows.push([...row, {...piece, text: head}]);
      text = text.slice(head.length);
      [row, left] = [[], cells];
      head = headOf(text, left);
    }

    row.push({...piece, text});
    left -= displayWidth(text);
  }

  return [...rows, row];
}

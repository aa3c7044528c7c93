import {type Line, textOfLine, type Tone} from '../model/line.ts';
import type {Token} from '../theme/tokens.ts';
import type {LineItem} from './diff-lines.ts';
import type {TextRange} from './word-diff.ts';
import type {DiffItem} from './diff-items.ts';

/** A part of a line: its tone, and whether the other version of the line has other words there. */
type CodePart = {readonly text: string; readonly tone: Token; readonly isChanged: boolean};

/** Highlights lines of code; `Highlight` of the screens. */
type Highlight = (lines: readonly string[], path: string) => readonly Line[];

export type CodeColours = {
  /** Colours the lines of a window; lines that have their colours cost nothing. */
  readonly colour: (
    items: readonly DiffItem[],
    window: {readonly from: number; readonly to: number},
    path: string,
  ) => void;
  /** The parts of a line with their tones; undefined before it was in a window. */
  readonly get: (line: LineItem) => Line | undefined;
};

const linesBefore = 100;
const linesAhead = 100;

/**
 * The parts of a line in their order. `colours` are of the safe text: where making it safe changed
 * the text, the line has no colours, and its parts are made safe one by one.
 */
export function toCodeParts(
  {text}: Pick<LineItem, 'text'>,
  colours: Line | undefined,
  changed: readonly TextRange[],
): readonly CodePart[] {
  const isSame = colours !== undefined && textOfLine(colours) === text;
  const spans = isSame ? colours : [{text, tone: 'plain' as const}];
  const parts: CodePart[] = [];
  let at = 0;
  for (const span of spans) {
    const tone = tokens[span.tone] ?? 'text';
    const end = at + span.text.length;
    for (const {from, to} of changed) {
      if (to <= at || from >= end) continue;
      if (from > at) parts.push({text: text.slice(at, from), tone, isChanged: false});
      const start = Math.max(at, from);
      at = Math.min(end, to);
      parts.push({text: text.slice(start, at), tone, isChanged: true});
    }

    if (at < end) parts.push({text: text.slice(at, end), tone, isChanged: false});
    at = end;
  }

  return parts;
}

/** The tones of code; all others are plain text. */
const tokens: Readonly<Partial<Record<Tone, Token>>> = {
  keyword: 'keyword',
  string: 'string',
  number: 'number',
  name: 'name',
  comment: 'comment',
};

/**
 * The colours of code, line by line. Each line keeps its colours, and a window is coloured some way
 * beyond its end, so that most moves of the cursor highlight nothing.
 */
export function createCodeColours(highlight: Highlight): CodeColours {
  const colours = new WeakMap<LineItem, Line>();
  const isMissing = (item: DiffItem | undefined): boolean =>
    item !== undefined && isLine(item) && !colours.has(item);
  const colourPart = (part: readonly LineItem[], path: string): void => {
    // Old and new text are highlighted separately, so that a comment that begins in one does not
    // extend into the other.
    for (const side of ['removed', 'added'] as const) {
      const own = part.filter(({kind}) => kind === side || kind === 'context');
      if (!own.some((line) => line.kind === side || side === 'added')) continue;
      const spans = highlight(
        own.map(({text}) => text),
        path,
      );
      for (const [index, line] of own.entries())
        if (!colours.has(line) && (line.kind === side || side === 'added'))
          colours.set(line, spans[index] ?? []);
    }
  };

  return {
    get: (line) => colours.get(line),
    colour(items, {from, to}, path) {
      let first = Math.max(0, from);
      while (first < to && !isMissing(items[first])) first += 1;
      if (first >= to) return;
      // Some lines before may begin a comment that ends here.
      const start = Math.max(0, first - linesBefore);
      let part: LineItem[] = [];
      for (const item of items.slice(start, Math.max(to, first + linesAhead))) {
        if (isLine(item)) part.push(item);
        else if (isBreak(item)) {
          colourPart(part, path);
          part = [];
        }
      }

      colourPart(part, path);
    },
  };
}

function isLine(item: DiffItem): item is LineItem {
  return item.kind === 'context' || item.kind === 'added' || item.kind === 'removed';
}

/** Lines are missing there. */
function isBreak(item: DiffItem): boolean {
  return item.kind === 'hunk-gap' || (item.kind === 'fold' && !item.isOpen);
}

import {sanitizeText} from '../../base/index.ts';

/**
 * Somebody's text as one line of the chrome: nothing in it acts on a terminal, hides or reorders, and every character
 * has a width of its own, so that Ink, the emulator and any terminal agree on where it ends.
 */
export function safeLine(text: string): string {
  if (plain.test(text)) return text;
  return sanitizeText(text.replaceAll('\t', '    ').replaceAll(/[\n\v\f\r]+/g, ' '))
    // A variation selector or a skin tone changes the width of what stands before it, a flag is two letters in one.
    .replaceAll(/\p{Variation_Selector}|\p{Emoji_Modifier}/gu, '')
    .replaceAll(/\p{Regional_Indicator}/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1_f1_e6 + 0x41));
}

/** How many cells a safe line takes. */
export function cellsOf(line: string): number {
  if (plain.test(line)) return line.length;
  let cells = 0;
  for (const character of line) cells += cellsOfCharacter(character);
  return cells;
}

/** As much of a safe line as fits, with a mark where it was cut. */
export function cut(line: string, cells: number): string {
  if (cells <= 0) return '';
  if (cellsOf(line) <= cells) return line;
  return `${headOf(line, cells - 1)}…`;
}

/** As many whole characters from the beginning as fit. */
export function headOf(line: string, cells: number): string {
  let used = 0;
  let end = 0;
  for (const character of line) {
    used += cellsOfCharacter(character);
    if (used > cells) break;
    end += character.length;
  }

  return line.slice(0, end);
}

/** Cut or filled up to so many cells. */
export function fit(line: string, cells: number): string {
  const shown = cut(line, cells);
  return shown + ' '.repeat(Math.max(0, cells - cellsOf(shown)));
}

/** A safe text as lines of at most so many cells. A word that is longer than a line is broken, because nothing is left out. */
export function wrap(text: string, cells: number): string[] {
  const room = Math.max(4, cells);
  if (cellsOf(text) <= room) return [text.trimEnd()];
  const indent = (/^ */.exec(text)?.[0] ?? '').slice(0, Math.floor(room / 2));
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/ +/).flatMap((one) => piecesOf(one, room - indent.length))) {
    const isFirst = line === indent;
    if (!isFirst && cellsOf(line) + 1 + cellsOf(word) > room) {
      lines.push(line);
      line = `${indent}${word}`;
      continue;
    }

    line += isFirst ? word : ` ${word}`;
  }

  return [...lines, line.trimEnd()];
}

function piecesOf(word: string, cells: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (cellsOf(rest) > cells) {
    const piece = headOf(rest, cells);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }

  return [...pieces, rest];
}

function cellsOfCharacter(character: string): number {
  if (nothing.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const plain = /^[\u0020-\u007E]*$/;
const nothing = /^\p{M}$/u;
const wide = /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])$/u;

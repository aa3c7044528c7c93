import {clusterRules, clusterWidth, hasJoined} from './character-width.ts';
import {sanitizeText} from './sanitize-text.ts';

/**
 * How many terminal cells a text takes, as the emulator draws it: wide scripts and emoji take two,
 * combining marks and controls none. Colours and styles are not text: `terminal` removes them.
 */
export function displayWidth(text: string): number {
  return printableAscii.test(text) ? text.length : measureHead(text, Infinity).width;
}

/** The longest beginning that fits and splits no cluster of characters. */
export function takeHead(text: string, width: number): string {
  if (printableAscii.test(text)) return text.slice(0, Math.max(0, width));
  return text.slice(0, measureHead(text, width).end);
}

/** The line, cut with an ellipsis where it does not fit. */
export function cutLine(line: string, width: number): string {
  if (width <= 0) return '';
  return displayWidth(line) <= width ? line : `${takeHead(line, width - 1)}…`;
}

const printableAscii = /^[\u0020-\u007E]*$/;

/** The longest beginning of whole clusters that takes at most `limit` cells. */
function measureHead(text: string, limit: number): {readonly width: number; readonly end: number} {
  let [width, end] = [0, 0];
  let cluster = {start: 0, width: 0};
  let properties = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!isControl(codePoint)) {
      properties = clusterRules.charProperties(codePoint, properties);
      const isNew = !hasJoined(properties);
      if (isNew) width += cluster.width;
      cluster = {start: isNew ? end : cluster.start, width: clusterWidth(properties)};
      if (width + cluster.width > limit) return {width, end: cluster.start};
    }

    end += character.length;
  }

  return {width: width + cluster.width, end};
}

function isControl(codePoint: number): boolean {
  return codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
}

/**
 * Foreign text as lines of at most `width` cells, safe to print. Its line breaks stay. A word
 * longer than a line is broken instead of cut, because a person approves only what is shown.
 */
export function wrapText(text: string, width: number): string[] {
  const space = Math.max(width, 8);
  return sanitizeText(text.replaceAll('\t', '    '))
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), space));
}

/** Like wrapText, with all white space collapsed: for single sentences. */
export function wrapSentence(text: string, width: number): string[] {
  return wrapText(text.replaceAll(/\s+/g, ' ').trim(), width);
}

/** Like wrapSentence, with a tail that is never broken. */
export function wrapWithTail(text: string, tail: string, width: number): string[] {
  const lines = wrapSentence(text, width);
  const last = lines.at(-1) ?? '';
  return displayWidth(last) + 1 + displayWidth(tail) <= width
    ? [...lines.slice(0, -1), `${last} ${tail}`]
    : [...lines, tail];
}

/**
 * Wraps one line to at most `width` cells. Continuation lines keep its indentation, so that code
 * and nested lists stay readable. A word longer than a line is broken, or kept whole on a line of its
 * own.
 */
export function wrapLine(
  line: string,
  width: number,
  {overlong = 'break'}: {readonly overlong?: 'break' | 'keep'} = {},
): string[] {
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let isEmpty = true;
  for (const word of line.slice(/^ */.exec(line)?.[0].length).split(' ')) {
    const pieces = overlong === 'keep' ? [word] : splitLongWord(word, width - indent.length);
    for (const piece of pieces) {
      const length = displayWidth(piece);
      if (!isEmpty && used + 1 + length > width) {
        lines.push(withoutTrailingSpaces(current));
        [current, used, isEmpty] = [indent, indent.length, true];
      }

      current += isEmpty ? piece : ` ${piece}`;
      used += length + (isEmpty ? 0 : 1);
      isEmpty = false;
    }
  }

  return [...lines, withoutTrailingSpaces(current)];
}

/** Trims spaces only: other white space is part of the text. */
function withoutTrailingSpaces(line: string): string {
  return line.replace(/ +$/, '');
}

function splitLongWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (displayWidth(rest) > width) {
    // A character wider than the line gets a line of its own.
    const piece = takeHead(rest, width) || takeHead(rest, 2);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }

  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

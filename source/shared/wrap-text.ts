import {sanitizeText} from './sanitize-text.ts';

/**
 * How many terminal cells a sanitised text takes: wide scripts and emoji take two, combining marks
 * none.
 */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += measureWidth(character);
  return width;
}

/** The longest beginning of whole characters that fits. */
export function takeHead(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += measureWidth(character);
    if (used > width) break;
    end += character.length;
  }

  return text.slice(0, end);
}

/** The line, cut with an ellipsis where it does not fit. */
export function cutLine(line: string, width: number): string {
  if (width <= 0) return '';
  return displayWidth(line) <= width ? line : `${takeHead(line, width - 1)}…`;
}

function measureWidth(character: string): number {
  if (combiningMark.test(character)) return 0;
  return wideCharacter.test(character) ? 2 : 1;
}

const printableAscii = /^[\u0020-\u007E]*$/;
const combiningMark = /^\p{M}$/u;
const wideCharacter =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])$/u;

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
 * and nested lists stay readable. A word longer than a line is broken.
 */
export function wrapLine(line: string, width: number): string[] {
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let isEmpty = true;
  for (const word of line.slice(/^ */.exec(line)?.[0].length).split(' ')) {
    for (const piece of splitLongWord(word, width - indent.length)) {
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
    const piece = takeHead(rest, width) || (Array.from(rest)[0] ?? '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }

  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

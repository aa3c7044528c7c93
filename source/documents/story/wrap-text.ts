import {sanitizeText} from '../../base/index.ts';
import {displayWidth} from './display-width.ts';

/**
 * Somebody's text as lines of at most `width` cells, safe to print. Line breaks of the text stay; a word that is longer
 * than a line is broken, because what is not shown is not approved.
 */
export function wrapText(text: string, width: number): string[] {
  const room = Math.max(width, 8);
  return sanitizeText(text.replaceAll('\t', '    ')).split('\n').flatMap((line) => wrapLine(line.trimEnd(), room));
}

/** The same, with all white space taken as one space: for texts that are one sentence. */
export function wrapSentence(text: string, width: number): string[] {
  return wrapText(text.replaceAll(/\s+/g, ' ').trim(), width);
}

/** The same, with a tail that stays in one piece. */
export function wrapWithTail(text: string, tail: string, width: number): string[] {
  const lines = wrapSentence(text, width);
  const last = lines.at(-1) ?? '';
  return displayWidth(last) + 1 + displayWidth(tail) <= width ? [...lines.slice(0, -1), `${last} ${tail}`] : [...lines, tail];
}

/** Indentation is kept on the lines that follow, so that code and nested lists stay readable. */
function wrapLine(line: string, width: number): string[] {
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let isEmpty = true;
  for (const word of line.trimStart().split(' ')) {
    for (const piece of piecesOf(word, width - indent.length)) {
      const length = displayWidth(piece);
      if (!isEmpty && used + 1 + length > width) {
        lines.push(current);
        [current, used, isEmpty] = [indent, indent.length, true];
      }

      current += isEmpty ? piece : ` ${piece}`;
      used += length + (isEmpty ? 0 : 1);
      isEmpty = false;
    }
  }

  return [...lines, current.trimEnd()];
}

function piecesOf(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    const length = displayWidth(character);
    if (used + length > width) {
      pieces.push(piece);
      [piece, used] = ['', 0];
    }

    piece += character;
    used += length;
  }

  return [...pieces, piece];
}

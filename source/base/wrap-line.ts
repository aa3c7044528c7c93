import {displayWidth, headOf} from './display-width.ts';

/**
 * One line as lines of at most `width` cells. Its indentation is kept on those that follow, so that code and nested lists stay
 * readable; a word that is longer than a line is broken, because what is not shown is not read.
 */
export function wrapLine(line: string, width: number): string[] {
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  let isEmpty = true;
  for (const word of line.slice(/^ */.exec(line)?.[0].length).split(' ')) {
    for (const piece of piecesOf(word, width - indent.length)) {
      const length = displayWidth(piece);
      if (!isEmpty && used + 1 + length > width) {
        lines.push(withoutBlanks(current));
        [current, used, isEmpty] = [indent, indent.length, true];
      }

      current += isEmpty ? piece : ` ${piece}`;
      used += length + (isEmpty ? 0 : 1);
      isEmpty = false;
    }
  }

  return [...lines, withoutBlanks(current)];
}

/** Only those that a line was broken at: other white space is part of what was written. */
function withoutBlanks(line: string): string {
  return line.replace(/ +$/, '');
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (displayWidth(rest) > width) {
    // A character that is wider than the line has one to itself.
    const piece = headOf(rest, width) || (Array.from(rest)[0] ?? '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }

  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest];
}

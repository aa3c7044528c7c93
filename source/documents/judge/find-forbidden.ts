import {isSlowPattern} from '../rules/is-slow-pattern.ts';

export type AddedLine = {readonly path: string; readonly line: number; readonly text: string};

export type ForbiddenSearch =
  | {readonly refused: string}
  /** `unread` counts the lines that were not looked at. */
  | {readonly found: AddedLine | undefined; readonly unread: number};

/** The first added line that matches. Whoever wrote the lines may want the search to take for ever, or to miss the end of a long one. */
export function findForbidden(
  pattern: string,
  flags: string,
  lines: readonly AddedLine[],
): ForbiddenSearch {
  const expression = compile(pattern, flags);
  if (expression === undefined)
    return {
      refused:
        'its pattern cannot be tried: it is no regular expression, or could take for ever on one line',
    };

  let left = mostCharacters;
  for (const [index, line] of lines.entries()) {
    left -= line.text.length;
    if (left < 0) return {found: undefined, unread: lines.length - index};
    if (matchesLine(expression, line.text)) return {found: line, unread: 0};
  }

  return {found: undefined, unread: 0};
}

/** Characters of a whole change; a lock file has a million. */
const mostCharacters = 20_000_000;

/** A long line is tried in windows of this many characters, so that a pattern takes quadratic time in a window at most. */
const windowLength = 2000;
const overlap = 500;

/** The rules file was read long ago, by this version or an older one: it is looked at once more before it runs. */
function compile(pattern: string, flags: string): RegExp | undefined {
  if (isSlowPattern(pattern)) return undefined;
  try {
    return new RegExp(pattern, `${flags.replaceAll(/[gy]/g, '')}g`);
  } catch {
    return undefined;
  }
}

function matchesLine(expression: RegExp, text: string): boolean {
  for (let start = 0; ; start += windowLength - overlap) {
    const isLast = start + windowLength >= text.length;
    if (matchesWindow(expression, text.slice(start, start + windowLength), start === 0, isLast))
      return true;
    if (isLast) return false;
  }
}

/** The edge of a window is no edge of the line: `^` and `$` must not match there. What touches an edge stands whole in the next window. */
function matchesWindow(
  expression: RegExp,
  window: string,
  isFirst: boolean,
  isLast: boolean,
): boolean {
  expression.lastIndex = isFirst ? 0 : 1;
  for (let match = expression.exec(window); match !== null; match = expression.exec(window)) {
    const end = match.index + match[0].length;
    const comesAgain = !isLast && end === window.length && match.index > windowLength - overlap;
    if (!comesAgain) return true;
    expression.lastIndex = match.index + 1;
  }

  return false;
}

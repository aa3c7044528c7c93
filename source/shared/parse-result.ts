import {sanitizeText} from './sanitize-text.ts';

/** One thing that is wrong with a text, and its line, counted from 1. */
export type Problem = {
  readonly line: number;
  readonly text: string;
};

/** A parser never throws: it returns a value and the problems of the text. */
export type ParseResult<T> = {
  readonly value: T;
  readonly problems: readonly Problem[];
};

/** Characters reserved for `- and 12 more`. */
const lengthOfMore = 30;

/** The problem alone, without the fields that one parser adds to its own. */
export function toProblem({line, text}: Problem): Problem {
  return {line, text};
}

/** Problems as a list for the author of the text, short enough for a prompt. */
export function formatProblems(problems: readonly Problem[], maxCharacters = 2000): string {
  const lines: string[] = [];
  let length = 0;
  for (const {line, text} of problems) {
    const item = sanitizeText(`- line ${line}: ${text.replaceAll(/\s+/g, ' ')}`);
    length += item.length + 1;
    if (length > maxCharacters - lengthOfMore) break;
    lines.push(item);
  }

  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

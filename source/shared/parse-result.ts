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

/** The problem alone, without the fields that one parser adds to its own. */
export function toProblem({line, text}: Problem): Problem {
  return {line, text};
}

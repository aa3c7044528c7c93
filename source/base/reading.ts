/** One thing that is wrong with a text, and where. Lines count from 1. */
export type Problem = {
  readonly line: number;
  readonly text: string;
};

/** Reading never fails: it gives a value and what was wrong with the text. */
export type Reading<T> = {
  readonly value: T;
  readonly problems: readonly Problem[];
};

/**
 * One small defect to plant in the source, and what it would mean. The tests of `domain` must catch
 * every one.
 */
export type Mutation = {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly means: string;
  /** Of a decision outside of `domain`: the test files that must catch it. */
  readonly tests?: readonly string[];
};

/** `file` is relative to source/domain. */
export function inDomain(file: string, find: string, replace: string, means: string): Mutation {
  return {file: `source/domain/${file}`, find, replace, means};
}

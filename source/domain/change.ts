/** A line that a change adds. */
export type AddedLine = {readonly path: string; readonly line: number; readonly text: string};

/**
 * A changed file whose added lines could not all be read, so rules about lines cannot be verified
 * there.
 */
export type UnreadFile = {
  readonly path: string;
  readonly why: 'binary' | 'too large' | 'a line too long';
};

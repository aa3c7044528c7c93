/** A place in somebody's code. Lines and columns are counted from 1. */
export type Place = {readonly file: string; readonly line?: number; readonly column?: number};

/** What a reader saw of the first failure of its tool. */
export type Sighting = {
  /** Index of the earliest line that speaks of it. Of several sightings the earliest is the first failure. */
  readonly at: number;
  readonly tool: string;
  readonly test?: string;
  /** The assertion or the error. */
  readonly message: readonly string[];
  /** Innermost frame first. */
  readonly places: readonly Place[];
  readonly excerpt: readonly string[];
};

/** Does this log look like mine? Then the first failure in it. */
export type FailureReader = (lines: readonly string[]) => Sighting | undefined;

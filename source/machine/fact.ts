/** What was read, where, and when, so that the caller can tell its age; or why it could not be read. */
export type Fact<T> = {readonly source: string; readonly at: number} & (
  {readonly value: T} | {readonly unknown: string}
);

/** One thing that an answer rests on, in the kernel's own terms and safe to print. */
export type Proof = {readonly source: string; readonly text: string};

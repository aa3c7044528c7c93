/**
 * What reached a model while a real agent did one small task, in tokens: recorded by
 * `test/agents/real/context.real.ts`. No text of a vendor is in it.
 */
export type Transcript = {
  readonly agent: string;
  readonly version: string;
  readonly variant: 'with' | 'without';
  /** Each time that the model was asked. */
  readonly requests: readonly Request[];
};

export type Request = {
  /** The agent's own instructions, and our rules where they go there. */
  readonly system: number;
  /** Descriptions of tools. */
  readonly tools: number;
  /** What it was told to do. */
  readonly prompt: number;
  /** What the model said itself so far. */
  readonly said: number;
  /** What its tools gave back so far. */
  readonly results: number;
};

/** Where our words stood in what reached the model. */
export type Placement = {
  readonly agent: string;
  readonly version: string;
  readonly in: 'system' | 'prompt';
  /** Our words as they arrived there, from the rules on. */
  readonly text: string;
  /** How often the rules are in all of it. */
  readonly times: number;
};

export type Recordings = {
  readonly transcripts: readonly Transcript[];
  readonly placements: readonly Placement[];
};

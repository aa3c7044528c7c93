import type {Environment} from '../shared/index.ts';

export type AgentRun = {
  /** The name of one of the built-in drivers that has a stream. */
  readonly agent: string;
  readonly mode: 'plan' | 'work';
  /** The agent's program and arguments; never passed through a shell. */
  readonly argv: readonly string[];
  readonly directory: string;
  readonly promptFile: string;
  /**
   * Offset in the prompt of what the agent reads; the text before it is in its arguments. @default
   * 0
   */
  readonly promptFrom?: number;
  /** Path of the outcome file. The raw stream is saved as `stream.jsonl` next to it. */
  readonly outcomeFile: string;
  /** The directory of messages of the person. @default none */
  readonly inbox?: string;
  /** The conversation to resume. */
  readonly conversation?: string;
  readonly env: Environment;
  /** Writes to standard output, unbuffered. */
  readonly out: (text: string) => void;
  readonly now: () => number;
  /**
   * How many tokens this start may use; it is stopped when its stream reports as many. @default no
   * limit
   */
  readonly tokenLimit?: number;
  /** Use colours, unless NO_COLOR is set. @default false */
  readonly color?: boolean;
};

import type {RejectedAlternative, Usage} from '../domain/index.ts';
import type {Job} from './job.ts';

/** How one agent is driven: data and pure functions. Who starts it knows nothing of the agent but this. */
export type Driver = {
  readonly name: string;
  /** It is this very program: `orchestra` as first argument is not looked for on PATH. */
  readonly isBuiltIn: boolean;
  /** What is looked for on PATH to say whether the agent is there. */
  readonly program: string;
  readonly commandOf: (job: Job) => AgentCommand | Refusal;
  readonly readOutcome: (ended: Ended) => AgentOutcome;
  readonly screen: ScreenPatterns;
};

export type Refusal = {readonly refused: string};

export type AgentCommand = {
  /** The program first, by its name; never for a shell. */
  readonly argv: readonly string[];
  /** Beside the environment that every session gets. */
  readonly env: Readonly<Record<string, string>>;
  /** A file that is its standard input instead of the terminal (see `terminalArgvOf`). */
  readonly stdin?: string;
  /** Typed into the terminal, once. */
  readonly input?: AgentInput;
};

export type AgentInput = {
  readonly text: string;
  /** A regular expression: not before a line of the screen matches. What is typed before an agent is ready may be lost. */
  readonly when?: string;
};

/** Regular expressions for single lines of the agent's screen. */
export type ScreenPatterns = {
  /** It takes a prompt now. */
  readonly ready?: string;
  /** It asks for permission, or something else of a person. */
  readonly question?: string;
};

/** How the agent's process ended. */
export type Ended = {
  /** Nothing: by a signal. */
  readonly code: number | null;
  /** What it printed, as plain text: no escape sequences. The end is enough. */
  readonly output: string;
  /** The text of the outcome file, if there is one. */
  readonly outcome?: string;
};

/** What came of it. The order of trust: exit code, outcome file, words in the output. */
export type AgentOutcome =
  | ({readonly at: 'finished'} & Said & {readonly report?: AgentReport})
  /** It said itself that it cannot; trying again would bring the same words. */
  | ({readonly at: 'gave-up'} & Said)
  | ({readonly at: 'failed'} & Said)
  /** Its service does not serve: no key, no quota. Not the task's fault. */
  | ({readonly at: 'unavailable'; readonly until?: number} & Said);

type Said = {
  readonly words: string;
  readonly usage?: Usage;
  /** The agent's own name for its conversation, to resume it. */
  readonly conversation?: string;
};

/** For the summary: what only the agent can say. */
export type AgentReport = {
  readonly rootCause?: string;
  readonly decisions?: readonly string[];
  readonly rejected?: readonly RejectedAlternative[];
};

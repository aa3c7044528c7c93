import type {Usage} from '../../domain/index.ts';

/** What an agent's structured stream says, whichever agent it is. All text in it is hostile. */
export type StreamEvent =
  /** The agent's own name for its conversation. */
  | {readonly type: 'session'; readonly id: string; readonly model?: string}
  /** Its words. A part goes on where the part before it ended, unless it begins a text of its own. */
  | {readonly type: 'text'; readonly text: string; readonly isPart?: true; readonly begins?: true}
  | {
      readonly type: 'thought';
      readonly text: string;
      readonly isPart?: true;
      readonly begins?: true;
    }
  /** A call whose arguments are still being written; `tool-started` follows with them. */
  | {readonly type: 'tool-announced'; readonly id: string; readonly name: string}
  | ({readonly type: 'tool-started'} & ToolCall)
  | {
      readonly type: 'tool-ended';
      readonly id: string;
      readonly isOk: boolean;
      readonly text: string;
      readonly diff?: string;
    }
  | {readonly type: 'notice'; readonly text: string}
  /** Its service failed, and the agent asks it again by itself. */
  | ({readonly type: 'retry'} & Retry)
  /** It writes something that is not shown: the arguments of a call, what a helper of its says. */
  | {readonly type: 'writing'}
  | {readonly type: 'usage'; readonly usage: Usage; readonly of: UsageOf}
  | {readonly type: 'problem'; readonly problem: Problem}
  /** It says that it is done. `text` is its final answer, where the stream repeats it. */
  | {readonly type: 'done'; readonly text?: string};

export type Retry = {
  /** What the agent or its service said. */
  readonly said: string;
  /** The HTTP status, where the stream gives it. */
  readonly status?: number;
  /** Which try this is, and how many there will be, as the agent counts them. */
  readonly attempt?: number;
  readonly of?: number;
};

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** What it is about: a path, a command. */
  readonly about: string;
  readonly diff?: string;
  /** The same name and digest are the same call. Absent where the stream does not give the arguments. */
  readonly digest?: string;
  /** Files that it writes. */
  readonly files?: readonly string[];
};

/**
 * What a count is of: one step (the same name again replaces it), all of this start (replaces the steps), or the whole
 * conversation with what earlier starts used.
 */
export type UsageOf =
  | {readonly what: 'step'; readonly name: string}
  | {readonly what: 'start'}
  | {readonly what: 'conversation'};

/** Why it could not. */
export type Problem = {
  readonly kind: ProblemKind;
  /** What the agent or its service said. */
  readonly said: string;
  /** When it serves again, in milliseconds, where the stream says so by itself. */
  readonly until?: number;
};

export type ProblemKind =
  /** No account, no key, or one that is refused. */
  | 'no-account'
  /** A quota or a rate. */
  | 'limit'
  /** The service fails or is too busy. */
  | 'overload'
  /** There is no such model for this account. */
  | 'no-model'
  /** The conversation is longer than the model can take. */
  | 'too-long'
  /** Somebody interrupted it. */
  | 'aborted'
  /** The service refused the request, or whatever else went wrong there. */
  | 'model-error';

import type {Usage} from '../../domain/index.ts';
import type {Environment} from '../../shared/index.ts';
import type {Fields} from './fields.ts';

/** How one agent's structured stream is parsed: JSON objects, one on each line. */
export type AgentStream = {
  /**
   * Opens a parser. It has state: a message that came in parts is not emitted again when it comes
   * whole.
   */
  readonly open: () => ReadRecord;
  /** The record only repeats what a later one has in full: parsed, but not saved. */
  readonly isProgress?: (record: Fields) => boolean;
  /**
   * Where the agent saves the usage of a conversation, for agents that report it only at the end or
   * include earlier starts.
   */
  readonly earlier?: EarlierUsage;
  /** A tool call is reported when it has ended, not when it starts. */
  readonly reportsToolsLate?: true;
  /** An argument that older versions reject; the agent also works without it. */
  readonly optional?: string;
};

export type ReadRecord = (record: Fields) => readonly StreamEvent[];

export type EarlierUsage = {
  /** The directory that contains the file, at any depth. */
  readonly directory: (home: string, env: Environment) => string;
  readonly fileEnd: (conversation: string) => string;
  readonly read: (text: string) => Usage | undefined;
};

/** An event of any agent's structured stream. All text in it is hostile. */
export type StreamEvent =
  /** The agent's own id of its conversation. */
  | {readonly type: 'session'; readonly id: string; readonly model?: string}
  /** Text of the agent. A part continues the part before it, unless it begins a new text. */
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
  /** The service failed, and the agent retries by itself. */
  | ({readonly type: 'retry'} & Retry)
  /**
   * The agent produces something that is not shown: arguments of a call, or the text of a subagent.
   */
  | {readonly type: 'writing'}
  | {readonly type: 'usage'; readonly usage: Usage; readonly of: UsageOf}
  | {readonly type: 'problem'; readonly problem: AgentProblem}
  /** The agent has read what its channel (`AgentChannel`) gave it. */
  | {readonly type: 'read'; readonly text: string}
  /** The agent has ended its turn: it waits for its channel, or ends. */
  | {readonly type: 'turn-ended'}
  /** The agent reports that it is done. `text` is the final answer, if the stream repeats it. */
  | {readonly type: 'done'; readonly text?: string};

export type Retry = {
  /** The message of the agent or its service. */
  readonly said: string;
  /** The HTTP status, if the stream has it. */
  readonly status?: number;
  /** The number of this retry and of all retries, as the agent counts them. */
  readonly attempt?: number;
  readonly of?: number;
};

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** The subject: a path, a command. */
  readonly about: string;
  readonly diff?: string;
  /**
   * Calls with the same name and digest are the same. Absent if the stream does not have the
   * arguments.
   */
  readonly digest?: string;
  /** Files that the call writes. */
  readonly files?: readonly string[];
};

/**
 * What a count covers: one step (a later count of the same name replaces it), this whole start
 * (replaces the steps), or the whole conversation, including earlier starts.
 */
export type UsageOf =
  | {readonly what: 'step'; readonly name: string}
  | {readonly what: 'start'}
  | {readonly what: 'conversation'};

/** Why the agent could not do its work. */
export type AgentProblem = {
  readonly kind: ProblemKind;
  /** The message of the agent or its service. */
  readonly said: string;
  /** When the service is available again, in milliseconds, if the stream has it as a field. */
  readonly until?: number;
};

export type ProblemKind =
  /** No account, no key, or a rejected one. */
  | 'no-account'
  /** A quota or rate limit. */
  | 'limit'
  /** The service fails or is too busy. */
  | 'overload'
  /** The account has no such model. */
  | 'no-model'
  /** The conversation is longer than the model's context. */
  | 'too-long'
  /** Somebody interrupted it. */
  | 'aborted'
  /** Any other error of the service. */
  | 'model-error';

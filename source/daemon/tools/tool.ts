import type {Session} from '../../domain/index.ts';
import type {ToolAnswer} from '../../protocol/index.ts';
import type {Conductor} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';

/** What the tools work with. */
export type ToolShop = {
  readonly workshop: Workshop;
  readonly conductor: Conductor;
  /** How long a call waits before it says that it still waits. */
  readonly waitMs: number;
  /** Ends when the daemon does. */
  readonly signal: AbortSignal;
};

/** One call, by a session that is known to live. What is in it came from an agent. */
export type ToolCall = {
  readonly session: Session;
  readonly input: ToolInput;
  /** The same name is the same call, asked again. */
  readonly call?: string;
  /** How long the caller itself can wait for a person, if longer than usual. */
  readonly waitMs?: number;
};

export type ToolInput = Readonly<Record<string, unknown>>;

/** Answers, or throws an error whose message says to the agent what is wrong. */
export type Tool = (call: ToolCall) => Promise<ToolAnswer> | ToolAnswer;

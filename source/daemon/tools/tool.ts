import type {Session} from '../../domain/index.ts';
import type {ToolAnswer} from '../../protocol/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import type {DaemonContext} from '../daemon-context.ts';

/** What all tools share. */
export type ToolContext = {
  readonly context: DaemonContext;
  readonly conductor: Conductor;
  /** How long a call waits before it answers that it is still waiting. */
  readonly waitMs: number;
  /** Aborted when the daemon stops. */
  readonly signal: AbortSignal;
};

/** One call by a live session. The input comes from an agent. */
export type ToolInvocation = {
  readonly session: Session;
  readonly input: ToolInput;
  /** A repeated call has the same name. */
  readonly call?: string;
  /** How long the caller can wait for a person, if longer than usual. */
  readonly waitMs?: number;
};

export type ToolInput = Readonly<Record<string, unknown>>;

/** Answers, or throws an error whose message the agent reads. */
export type Tool = (call: ToolInvocation) => Promise<ToolAnswer> | ToolAnswer;

import type {RunId, SessionId, TaskId} from './ids.ts';

/** One PTY. A pane shows a session; the session does not know of panes. */
export type Session = {
  readonly id: SessionId;
  readonly purpose: Purpose;
  readonly life: SessionLife;
  /** A person asked this very session to end; it stays so. */
  readonly stop?: {readonly at: number};
  readonly waiting?: Waiting;
  readonly inputs: readonly Input[];
  readonly usage: Usage;
  /** The agent's own name for its conversation, to resume it. */
  readonly conversation?: string;
};

export type Purpose =
  | {readonly for: 'plan'; readonly run: RunId; readonly round: number; readonly asking: 1 | 2}
  | {readonly for: 'setup'; readonly task: TaskId}
  | {readonly for: 'attempt'; readonly task: TaskId; readonly attempt: number}
  | {readonly for: 'takeover'; readonly task: TaskId}
  | {readonly for: 'check'; readonly task: TaskId; readonly attempt: number; readonly check: string; readonly on: 'change' | 'merge'}
  | {readonly for: 'service'; readonly service: string}
  | {readonly for: 'person'; readonly name: string; readonly command: readonly string[]; readonly directory: string};

export type SessionLife =
  | {readonly at: 'asked'}
  /** Its keeper is there and journaled; only now may it be told to go. */
  | {readonly at: 'created'}
  | {readonly at: 'running'; readonly since: number}
  | {readonly at: 'exited'; readonly when: number; readonly code: number | null; readonly signal: string | null}
  /** Its keeper died without an exit status. */
  | {readonly at: 'lost'; readonly when: number; readonly why: string};

/** A process that waits for input, with the question that stands on its screen. */
export type Waiting = {
  readonly proof: 'proven' | 'inferred';
  /** Echo is off: the answer is a person's alone and is never written down. */
  readonly secret: boolean;
  readonly question: string;
  readonly since: number;
};

/** Text that somebody asked to be typed. It is typed at most once. */
export type Input = {
  readonly number: number;
  readonly text: string;
  readonly at: number;
  readonly fate: 'pending' | 'typed' | 'uncertain';
};

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cost?: number;
};

export const noUsage: Usage = {input: 0, output: 0};

export function isLive(session: Session): boolean {
  return session.life.at !== 'exited' && session.life.at !== 'lost';
}

import type {SessionId, TaskId} from './ids.ts';
import type {PlannedTask} from './plan.ts';
import type {Change, CheckResult, Failure, Judgement, StopReason} from './verdict.ts';

/** One branch, one worktree, one worker at a time. */
export type Task = {
  readonly id: TaskId;
  readonly planned: PlannedTask;
  readonly stage: TaskStage;
  readonly attempts: readonly Attempt[];
  /** How many attempts are allowed: two, and one more for each grant of a person. */
  readonly allowed: number;
  /** Of several variants of a task it counts: a person picked it, or it was merged as the last one. */
  readonly picked?: true;
  /** A person's hint for the next attempt. */
  readonly hint?: string;
  /** Messages of a person to its worker, in order. */
  readonly messages?: readonly TaskMessage[];
  /** A person stopped it; only a person's resume lifts this. */
  readonly hold?: Hold;
  /** An external problem (disk, git, a broken check); a person solves it and resumes. */
  readonly trouble?: Trouble;
  /** Part of the state that clients receive; nothing in this version reads it. */
  readonly isSetUp: boolean;
  /**
   * The session that runs `setup` again because the files it reads changed: in the task's worktree,
   * or in the merge worktree during its merge.
   */
  readonly setupSession?: SessionId;
  /**
   * How often the task ended (stopped, merged, discarded), and how many of these endings have a
   * summary.
   */
  readonly endings: number;
  readonly summarised: number;
  /** How it was before it was discarded. `isAsked`: a person wants that undone. */
  readonly undoable?: {readonly at: number; readonly isAsked?: true; readonly before: Task};
};

/** A message of a person to the worker of a task. No conversation gets it twice. */
export type TaskMessage = {
  readonly number: number;
  readonly text: string;
  readonly at: number;
  /**
   * `pending`: on its way to `session`. `queued`: it goes into the next prompt. `failed`: it was not
   * delivered, or nobody knows whether it was; it is never sent again.
   */
  readonly fate: 'pending' | 'queued' | 'delivered' | 'failed';
  /** The session that gets it; while it is queued, the session whose prompt has it. */
  readonly session?: SessionId;
  readonly how?: MessageDelivery;
  /** Why it is queued or failed. */
  readonly why?: string;
  /** While it is pending: why it is not typed yet, and since when. */
  readonly held?: {readonly why: MessageHold; readonly since: number};
};

/**
 * The person's unfinished text stands in the agent's input (`draft`), the agent asks something
 * (`dialog`), or it takes input only between its turns (`turn`).
 */
export type MessageHold = 'draft' | 'dialog' | 'turn';

/**
 * `typed` into the agent's own interface, through its `channel` while it works, by a `restart` that
 * resumes its conversation, or in the `prompt` of a session.
 */
export type MessageDelivery = 'typed' | 'channel' | 'restart' | 'prompt';

/** The longest message, in characters. */
export const maxMessageCharacters = 20_000;

/** Messages to one task. */
export const maxMessages = 500;

export type TaskStage =
  /** Waits for predecessors, services or capacity. */
  | {readonly at: 'waiting'}
  | {readonly at: 'preparing'; readonly setup?: SessionId; readonly setups: number}
  | {readonly at: 'attempting'}
  /**
   * `attempt`: the agent's interrupted attempt, which can continue. `left`: how many attempts the
   * agent still has, including that one. Both absent if the task had stopped.
   */
  | {
      readonly at: 'taken-over';
      readonly session?: SessionId;
      readonly attempt?: number;
      readonly left?: number;
    }
  /** The attempts are used up or a limit was reached; a person grants, takes over or discards. */
  | {readonly at: 'stopped'; readonly why: StopReason; readonly since: number}
  /**
   * Green and committed; waits for its merge. `seq`: the number of the event with which it became
   * green, which gives the order of merging.
   */
  | {
      readonly at: 'validated';
      readonly commit: string;
      readonly seq?: number;
      /** Absent in states of older versions. */
      readonly since?: number;
    }
  | {
      readonly at: 'merging';
      readonly commit: string;
      readonly step: MergeStep;
      readonly seq?: number;
    }
  | {readonly at: 'merged'; readonly commit: string; readonly since: number}
  | {readonly at: 'discarded'; readonly why: DiscardReason; readonly since: number};

export type DiscardReason =
  | {readonly kind: 'person'}
  | {readonly kind: 'needs'; readonly task: TaskId}
  /** A person picked the other variant, `task`. */
  | {readonly kind: 'not-picked'; readonly task: TaskId};

export type MergeStep =
  | {readonly at: 'building'}
  | {
      readonly at: 'checking';
      readonly candidate: string;
      readonly onto: string;
      readonly results: readonly CheckResult[];
      readonly session?: SessionId;
    }
  | {readonly at: 'publishing'; readonly candidate: string; readonly onto: string};

/** One attempt at a task. */
export type Attempt = {
  readonly number: number;
  readonly by: 'agent' | 'person';
  /** The failure that this attempt repairs. */
  readonly repairs?: Failure;
  readonly hint?: string;
  /** Crashes during it. They do not use up an attempt, and have their own limit. */
  readonly interruptions: number;
  /**
   * How often its agent's service asked to wait, and for how long in total (ms). A person's resume
   * resets both.
   */
  readonly paused?: {readonly times: number; readonly total: number};
  /** The agent that replaced the task's own, because that was unavailable. */
  readonly agent?: string;
  /** Agents that were unavailable, also during earlier attempts; none of them is tried twice. */
  readonly unavailable?: readonly string[];
  /** A person asked for its checks, which run when the agent's turn ends. */
  readonly isCheckAsked?: true;
  /** Incremented by `reset`, which starts the agent with a new context. */
  readonly context: number;
  /** A person took the task over and handed it back to the agent, with this note. */
  readonly handedBack?: {readonly note?: string};
  readonly step: AttemptStep;
};

export type AttemptStep =
  /** Waits for a session. */
  | {readonly at: 'ready'}
  /** The agent's service asked to wait. */
  | {readonly at: 'pausing'; readonly until: number}
  | {readonly at: 'working'; readonly session: SessionId}
  /** `denied`: actions that the agent was not allowed to take; reported if it changed nothing. */
  | {readonly at: 'capturing'; readonly denied?: readonly string[]}
  | {readonly at: 'judging'; readonly change: Change; readonly denied?: readonly string[]}
  | {
      readonly at: 'checking';
      readonly change: Change;
      readonly judgement: Judgement;
      readonly results: readonly CheckResult[];
      readonly session?: SessionId;
    }
  | {
      readonly at: 'committing';
      readonly change: Change;
      readonly judgement: Judgement;
      readonly results: readonly CheckResult[];
    }
  | {
      readonly at: 'passed';
      readonly change: Change;
      readonly judgement: Judgement;
      readonly results: readonly CheckResult[];
      readonly commit: string;
    }
  | {readonly at: 'failed'; readonly failure: Failure}
  /** The agent reported that it cannot do the task. */
  | {readonly at: 'gave-up'; readonly words: string}
  /** Ended by a limit, a takeover or a discard: neither failed nor passed. */
  | {readonly at: 'abandoned'};

/** `isRestored`: a discard was undone; the person did not stop it. */
export type Hold = {readonly at: number; readonly reason?: string; readonly isRestored?: true};

export type Trouble = {readonly why: TroubleReason; readonly at: number};

export type TroubleReason =
  | {readonly kind: 'effect'; readonly effect: string; readonly words: string}
  /** `limit`: it did not finish within this time (ms). */
  | {readonly kind: 'setup'; readonly code: number | null; readonly limit?: number}
  | {readonly kind: 'broken-check'; readonly name: string}
  /** The check is red on the untouched base as well; a person decides what to do. */
  | {readonly kind: 'red-on-base'; readonly name: string}
  /** `pauses`: earlier pauses. One more of `next` ms would exceed the project's limit. */
  | {
      readonly kind: 'agent-unavailable';
      readonly words: string;
      readonly pauses?: {readonly times: number; readonly total: number; readonly next: number};
    }
  | {readonly kind: 'worktree-gone'}
  /**
   * Processes that may have been left by its sessions. Nothing proves it, so none was killed; a
   * person who resumes knows of them.
   */
  | {readonly kind: 'leftovers'; readonly processes: readonly LeftProcess[]};

/**
 * `because`: the connection to the task, such as its working directory, an open file or its
 * program.
 */
export type LeftProcess = {
  readonly pid: number;
  readonly startTime: number;
  readonly bootId: string;
  readonly command: string;
  readonly because: string;
};

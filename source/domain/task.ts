import type {SessionId, TaskId} from './ids.ts';
import type {PlannedTask} from './plan.ts';
import type {Change, CheckResult, Failure, Judgement, StopReason} from './verdict.ts';

/** One branch, one worktree, one worker at a time. */
export type Task = {
  readonly id: TaskId;
  readonly planned: PlannedTask;
  readonly stage: TaskStage;
  readonly attempts: readonly Attempt[];
  /** How many attempts the law allows: two, and one more for each grant of a person. */
  readonly allowed: number;
  /** A person's words for the next attempt. */
  readonly hint?: string;
  /** A person stopped it. Nothing but a person's resume lifts it. */
  readonly hold?: Hold;
  /** The world is in the way (disk, git, a broken check); a person repairs it and resumes. */
  readonly trouble?: Trouble;
  readonly isSetUp: boolean;
  /** `setup` at work once more, because what it reads has changed: in its own worktree, or in the one for merges while it is merged. */
  readonly setupSession?: SessionId;
  /** How often it came to an end (stopped, merged, discarded), and how many of those ends have a summary. */
  readonly endings: number;
  readonly summarised: number;
};

export type TaskStage =
  /** For its predecessors, its services, or room. */
  | {readonly at: 'waiting'}
  | {readonly at: 'preparing'; readonly setup?: SessionId; readonly setups: number}
  | {readonly at: 'attempting'}
  /** `attempt`: the agent's own that was under way, which can go on. `left`: how many tries the agent still has, that one among them. Neither if it had come to a stop. */
  | {
      readonly at: 'taken-over';
      readonly session?: SessionId;
      readonly attempt?: number;
      readonly left?: number;
    }
  /** The law said stop; a person grants, takes over or discards. */
  | {readonly at: 'stopped'; readonly why: StopReason; readonly since: number}
  /** Green and committed; waits for its turn in the run's branch. `seq`: the number of the event by which it became green, which is the order of merging. */
  | {readonly at: 'validated'; readonly commit: string; readonly seq?: number}
  | {
      readonly at: 'merging';
      readonly commit: string;
      readonly step: MergeStep;
      readonly seq?: number;
    }
  | {readonly at: 'merged'; readonly commit: string; readonly since: number}
  | {readonly at: 'discarded'; readonly why: DiscardReason; readonly since: number};

export type DiscardReason =
  {readonly kind: 'person'} | {readonly kind: 'needs'; readonly task: TaskId};

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

/** One try at a task. */
export type Attempt = {
  readonly number: number;
  readonly by: 'agent' | 'person';
  /** The failure that this attempt repairs. */
  readonly repairs?: Failure;
  readonly hint?: string;
  /** Crashes under it. They neither spend nor grant a try, and have a limit of their own. */
  readonly interruptions: number;
  /** How often its agent's service put it off, and for how long in all (ms). A person's resume begins the count anew. */
  readonly paused?: {readonly times: number; readonly total: number};
  /** Counts fresh starts of the agent's context (`reset`). */
  readonly context: number;
  /** A person had the task in between, and gave it back to the agent, with these words for it. */
  readonly handedBack?: {readonly note?: string};
  readonly step: AttemptStep;
};

export type AttemptStep =
  /** Wants a session. */
  | {readonly at: 'ready'}
  /** The agent's service asked to wait. */
  | {readonly at: 'pausing'; readonly until: number}
  | {readonly at: 'working'; readonly session: SessionId}
  /** `denied`: what the agent was not allowed to do; it matters when nothing was changed. */
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
  /** The agent said itself that it cannot. */
  | {readonly at: 'gave-up'; readonly words: string}
  /** Ended by a budget, a takeover, a discard: neither red nor green. */
  | {readonly at: 'abandoned'};

export type Hold = {readonly at: number; readonly reason?: string};

export type Trouble = {readonly why: TroubleReason; readonly at: number};

export type TroubleReason =
  | {readonly kind: 'effect'; readonly effect: string; readonly words: string}
  /** `limit`: it was not done after so long (ms). */
  | {readonly kind: 'setup'; readonly code: number | null; readonly limit?: number}
  | {readonly kind: 'broken-check'; readonly name: string}
  /** The check is red on the untouched base as well; a person says what is done about it. */
  | {readonly kind: 'red-on-base'; readonly name: string}
  /** `pauses`: it was waited for before, and one more pause of `next` ms would be longer in all than the project allows. */
  | {
      readonly kind: 'agent-unavailable';
      readonly words: string;
      readonly pauses?: {readonly times: number; readonly total: number; readonly next: number};
    }
  | {readonly kind: 'worktree-gone'}
  /** Processes that may be what its sessions left. Nothing proves it, so none was ended; whoever resumes knows of them. */
  | {readonly kind: 'leftovers'; readonly processes: readonly LeftProcess[]};

/** `because` says what leads to the task: it works there, has a file of it open, or is its program. */
export type LeftProcess = {
  readonly pid: number;
  readonly startTime: number;
  readonly bootId: string;
  readonly command: string;
  readonly because: string;
};

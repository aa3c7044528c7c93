import type {RunId, SessionId, WorktreeOwner} from './ids.ts';
import type {Plan} from './plan.ts';
import type {Rules} from './rules.ts';
import type {Hold, Task, Trouble} from './task.ts';

/** One objective. */
export type Run = {
  readonly id: RunId;
  readonly request: RunRequest;
  readonly createdAt: number;
  readonly stage: RunStage;
  readonly rounds: readonly PlanRound[];
  readonly tasks: readonly Task[];
  readonly worktrees: readonly Worktree[];
  readonly sessions: readonly SessionId[];
  /** The tip of the run's own branch; the base until something is merged. */
  readonly head?: string;
  /** Somebody else moved the run's own branch. Nothing is merged or accepted until a person has said what holds. */
  readonly moved?: MovedBranch;
  /** Commits of others that a person took over as the tip of the run's branch. */
  readonly adopted?: readonly string[];
  readonly budget: RunBudget;
  readonly hold?: Hold;
  readonly trouble?: Trouble;
  readonly exhausted?: {readonly budget: 'tokens' | 'wall-clock'; readonly used: number; readonly limit: number; readonly at: number};
  readonly parked?: {readonly why: ParkReason; readonly at: number};
  /** How many endings of tasks the run's own summary has taken in. */
  readonly summarised: number;
};

/** Where the run's branch was expected and where it is. `ahead`: what came stands on top of ours; `behind`: ours stands on top of it. */
export type MovedBranch = {
  readonly branch: string;
  readonly expected: string;
  readonly found: string;
  readonly relation: 'ahead' | 'behind' | 'apart';
  readonly at: number;
  /** A person wants it put back; what was found is kept. */
  readonly isRestoring?: true;
};

/** What a person asked for. */
export type RunRequest = {
  readonly objective: string;
  readonly worker: string;
  readonly planner: string;
  /** Models by the names that their agents have for them. Absent: what the project says, else what the agent itself chooses. */
  readonly model?: string;
  readonly plannerModel?: string;
  readonly playbook?: string;
  readonly skill?: string;
  /** Where it was asked for, if that is not the main checkout: the run begins from there and comes home there. */
  readonly checkout?: string;
  /** Waits for room instead of starting at once. */
  readonly queued: boolean;
};

/** Limits on the whole run; a person may extend them. */
export type RunBudget = {
  readonly tokens?: number;
  readonly wallClock?: number;
  /** Limits on each attempt. */
  readonly attemptTokens?: number;
  readonly attemptWallClock?: number;
};

export type RunStage =
  | {readonly at: 'queued'}
  | {readonly at: 'surveying'}
  | {readonly at: 'planning'; readonly ground: Ground; readonly because?: Because}
  /** No plan came of it: stop and explain. */
  | {readonly at: 'planless'; readonly ground: Ground; readonly why: PlanFailure; readonly since: number}
  | {readonly at: 'reviewing'; readonly ground: Ground; readonly proposal: Proposal; readonly voided?: VoidReason; readonly since: number}
  | {readonly at: 'working'; readonly ground: Ground; readonly proposal: Proposal; readonly approval: Approval; readonly refusal?: Refusal}
  | {readonly at: 'accepting'; readonly ground: Ground; readonly proposal: Proposal; readonly approval: Approval; readonly commit: string}
  | {readonly at: 'accepted'; readonly commit: string}
  | {readonly at: 'discarded'};

/** What a run stands on, copied when it starts: nothing that changes later changes it unseen. */
export type Ground = {
  readonly base: string;
  readonly branch: string | null;
  readonly rules: Rules;
  /** The run's own branch, where merges go; runs of older journals have none named. */
  readonly ownBranch?: string;
  /** What the person should know of the repository, as it was then; nothing where there is nothing to say, and in older journals. */
  readonly notes?: readonly RepositoryNote[];
};

/** Something about the repository that makes a run go otherwise than one would think, and what to do about it. */
export type RepositoryNote = {readonly about: string; readonly words: string};

/** So many are kept, each so long. */
export const maxNotes = 20;
export const maxNoteLength = 500;

export type PlanRound = {
  readonly number: number;
  readonly because?: Because;
  /** An invalid plan is asked for once more, with its problems named. */
  readonly asking: 1 | 2;
  readonly problems: readonly string[];
  readonly interruptions: number;
  readonly step: PlanStep;
};

export type PlanStep =
  | {readonly at: 'preparing'}
  | {readonly at: 'thinking'; readonly session: SessionId}
  /** What came was no plan; it is not decided yet what follows. */
  | {readonly at: 'invalid'}
  | {readonly at: 'over'};

/** What a person said about the plan before. */
export type Because = {readonly reason?: string; readonly comments: readonly LineComment[]};

export type LineComment = {readonly line: number; readonly text: string};

export type Proposal = {
  readonly plan: Plan;
  readonly hash: string;
  readonly comments: readonly LineComment[];
  /** The proof that planning changed nothing; an edited plan keeps the one of its round. */
  readonly tree: string;
};

/** Binds what the person saw: any difference and it does not count. */
export type Approval = {
  readonly plan: string;
  readonly rules: string;
  readonly base: string;
  readonly client: string;
  readonly at: number;
};

export type VoidReason = 'plan-changed' | 'rules-changed';

export type PlanFailure =
  | {readonly kind: 'invalid'; readonly problems: readonly string[]}
  | {readonly kind: 'planner-wrote'; readonly paths: readonly string[]}
  | {readonly kind: 'planner-failed'; readonly words: string}
  | {readonly kind: 'no-progress'; readonly silentFor: number; readonly limit: number}
  | {readonly kind: 'interrupted'; readonly times: number}
  | {readonly kind: 'wall-clock'; readonly used: number; readonly limit: number};

export type ParkReason =
  | {readonly kind: 'crashing'; readonly effect: string; readonly times: number}
  | {readonly kind: 'tampering'; readonly paths: readonly string[]}
  | {readonly kind: 'misfit'; readonly event: string; readonly seq: number};

/** Why the run's branch could not be brought into the person's branch. */
export type Refusal = {readonly why: string; readonly at: number};

export type Worktree = {
  readonly owner: WorktreeOwner;
  readonly path: string;
  readonly branch: string | null;
  readonly commit: string;
  /** Hash of its content when it was made: what the planner must leave unchanged. */
  readonly tree: string;
  /** A person said that it may go. */
  readonly isTidied: boolean;
};

import type {Baseline} from './baseline.ts';
import type {RunId, SessionId, WorktreeOwner} from './ids.ts';
import type {Plan} from './plan.ts';
import type {Rules} from './rules.ts';
import type {LoopKind} from './session.ts';
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
  /** The checks on the untouched base. */
  readonly baseline?: Baseline;
  readonly budget: RunBudget;
  /** What its sessions get; absent for runs of older journals, whose sessions get what the daemon was started with. */
  readonly environment?: RunEnvironment & {/** When it was taken. */ readonly at: number};
  readonly hold?: Hold;
  readonly trouble?: Trouble;
  readonly exhausted?: {
    readonly budget: 'tokens' | 'wall-clock';
    readonly used: number;
    readonly limit: number;
    readonly at: number;
  };
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

/**
 * The variables that a run's sessions get, by name. Their values are in a private file of the daemon's, never in the journal. The
 * hashes are made with a key that is not in the journal either: nobody can guess a short value from them.
 */
export type RunEnvironment = {
  /** `shell`: the one that asked. `daemon`: whoever asked sent none, so it is what the daemon was started with. */
  readonly from: 'shell' | 'daemon';
  /** Of all names and values. */
  readonly hash: string;
  readonly variables: readonly {readonly name: string; readonly hash: string}[];
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
  | {
      readonly at: 'planning';
      readonly ground: Ground;
      readonly because?: Because;
      /** The planner's conversation is not gone on with. */ readonly isAnew?: true;
    }
  /** No plan came of it: stop and explain. */
  | {
      readonly at: 'planless';
      readonly ground: Ground;
      readonly why: PlanFailure;
      readonly since: number;
    }
  | {
      readonly at: 'reviewing';
      readonly ground: Ground;
      readonly proposal: Proposal;
      readonly voided?: VoidReason;
      readonly since: number;
    }
  | {
      readonly at: 'working';
      readonly ground: Ground;
      readonly proposal: Proposal;
      readonly approval: Approval;
      readonly refusal?: Refusal;
    }
  | ({
      readonly at: 'accepting';
      readonly ground: Ground;
      readonly proposal: Proposal;
      readonly approval: Approval;
      readonly commit: string;
    } & AcceptOptions)
  | {
      readonly at: 'accepted';
      readonly commit: string;
      readonly way?: AcceptWay;
      readonly into?: string;
      readonly isSigned?: true;
      readonly isAlreadyThere?: true;
    }
  | {readonly at: 'discarded'};

/** How the run's commits come into the person's branch. `merge`: as they are; `squash`: one for the run; `squash-tasks`: one for each task; `rebase`: the same, on top of the branch. */
export type AcceptWay = 'merge' | 'squash' | 'squash-tasks' | 'rebase';

export const acceptWays = [
  'merge',
  'squash',
  'squash-tasks',
  'rebase',
] as const satisfies readonly AcceptWay[];

/** How a person wants a run accepted. Absent: as it is (`merge`), into the branch that it began from, without a signature. */
export type AcceptOptions = {
  readonly way?: AcceptWay;
  readonly into?: string;
  /** The last of the commits that the person has signed for this: they, and no others, come into the branch. */
  readonly signed?: string;
};

/** What a run stands on, copied when it starts: nothing that changes later changes it unseen. */
export type Ground = {
  readonly base: string;
  readonly branch: string | null;
  readonly rules: Rules;
  /** The run's own branch, where merges go; runs of older journals have none named. */
  readonly ownBranch?: string;
  /** The checks are run on the base as well, before anything is built on it; runs of older journals do without. */
  readonly baseline?: true;
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
  /** It begins with a conversation of its own: the rounds before are not gone on with. */
  readonly isAnew?: true;
  /** An invalid plan is asked for once more, with its problems named. */
  readonly asking: 1 | 2;
  readonly problems: readonly string[];
  /** The last that the planner said in what was no plan. */
  readonly words?: string;
  readonly interruptions: number;
  readonly step: PlanStep;
};

export type PlanStep =
  /** `setup`: its session, where the planner's worktree is set up as well. */
  | {readonly at: 'preparing'; readonly setup?: SessionId}
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
  /** `words`: the last that the planner said. */
  | {readonly kind: 'invalid'; readonly problems: readonly string[]; readonly words?: string}
  | {readonly kind: 'planner-wrote'; readonly paths: readonly string[]}
  | {readonly kind: 'planner-failed'; readonly words: string}
  | {readonly kind: 'no-progress'; readonly silentFor: number; readonly limit: number}
  | {readonly kind: 'interrupted'; readonly times: number}
  | {readonly kind: 'wall-clock'; readonly used: number; readonly limit: number}
  | {
      readonly kind: 'loop';
      readonly loop: LoopKind;
      readonly evidence: string;
      readonly times: number;
      readonly since: number;
    };

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
  /** Fingerprint of the files that `setup` reads (manifests, lock files) as they lie there. Absent where nobody looked. */
  readonly reads?: string;
  /** What `setup` last passed for. Another command or other files, and it is due again. */
  readonly setUp?: {readonly command: string; readonly reads?: string};
  /** A person said that it may go. */
  readonly isTidied: boolean;
};

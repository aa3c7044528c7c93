import type {Baseline} from './baseline.ts';
import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';
import type {Plan, Rules} from './plan.ts';
import type {LoopKind} from './session.ts';
import type {Hold, Task, Trouble} from './task.ts';

/** One objective. */
export type Run = {
  readonly id: RunId;
  readonly request: RunRequest;
  readonly createdAt: number;
  /** The client of the person who opened it; only of a run without a planner. */
  readonly openedBy?: string;
  readonly stage: RunStage;
  readonly rounds: readonly PlanRound[];
  readonly tasks: readonly Task[];
  readonly worktrees: readonly Worktree[];
  readonly sessions: readonly SessionId[];
  /** The tip of the run's own branch; the base until something is merged. */
  readonly head?: string;
  /**
   * Someone else moved the run's own branch. Nothing is merged or accepted until a person decides
   * which commit counts.
   */
  readonly moved?: MovedBranch;
  /** Commits of others that a person adopted as the tip of the run's branch. */
  readonly adopted?: readonly string[];
  /** The checks on the untouched base. */
  readonly baseline?: Baseline;
  readonly budget: RunBudget;
  /**
   * The environment of its sessions. Absent for runs of older journals, whose sessions get the
   * daemon's environment.
   */
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
  /** The last decision of a person that ended the run or its plan, and how it was before. */
  readonly undoable?: RunUndo;
  /** Worktrees of discarded tasks that were removed. */
  readonly removed?: readonly RemovedWorktree[];
  /** How many task endings the run's summary includes. */
  readonly summarised: number;
};

/** Decisions of a person that can be undone for a while. */
export type UndoKind = 'accept' | 'discard' | 'stop' | 'reject';

/** `isAsked`: a person wants it undone. `at`: when it was decided. */
export type RunUndo = {readonly at: number; readonly isAsked?: true} & (
  | {
      readonly kind: 'accept';
      /** The branch that was moved, and where it was before. */
      readonly branch: string;
      readonly from: string;
      readonly stage: Extract<RunStage, {readonly at: 'working'}>;
    }
  | {readonly kind: 'discard'; readonly before: RunBefore}
  | {readonly kind: 'reject'; readonly proposal: Proposal; readonly voided?: VoidReason}
);

/** The part of a run that a discard changes. */
export type RunBefore = Pick<
  Run,
  'stage' | 'tasks' | 'hold' | 'trouble' | 'exhausted' | 'parked' | 'moved'
>;

/**
 * A worktree that was removed with its task. `kept` is the ref with its content; null if it had
 * nothing of its own. `tip`: where its branch was. `isBack`: an undo has made it again.
 */
export type RemovedWorktree = Pick<Worktree, 'branch' | 'commit' | 'tree' | 'reads'> & {
  readonly owner: TaskId;
  readonly kept: string | null;
  readonly tip?: string;
  readonly at: number;
  readonly isBack?: true;
};

/**
 * Where the run's branch was expected and where it is. `ahead`: the commit found contains ours;
 * `behind`: ours contains it.
 */
export type MovedBranch = {
  readonly branch: string;
  readonly expected: string;
  readonly found: string;
  readonly relation: 'ahead' | 'behind' | 'apart';
  readonly at: number;
  /** A person asked to put it back; the commit found is saved. */
  readonly isRestoring?: true;
};

/** What a person asked for. */
export type RunRequest = {
  readonly objective: string;
  readonly worker: string;
  readonly planner: string;
  /**
   * Model names as the agents know them. Absent: the project's setting, or else the agent's own
   * default.
   */
  readonly model?: string;
  readonly plannerModel?: string;
  readonly playbook?: string;
  readonly skill?: string;
  /** Whether workers run in their own interface. Absent: headless. */
  readonly workers?: WorkerMode;
  /** Whether the planner runs in its own interface. Absent: headless. */
  readonly planners?: WorkerMode;
  /**
   * The checkout from which the run was started, if it is not the main one: the run starts from its
   * branch and is accepted into it.
   */
  readonly checkout?: string;
  /** The run has no planner: its plan is one task, made from the objective. */
  readonly open?: OpenOptions;
  /** It starts from the work of this run, which was opened without a plan, as the work is then. */
  readonly from?: RunId;
  /** Waits for capacity instead of starting at once. */
  readonly queued: boolean;
};

/** In the agent's own interface, or in its structured mode without one. */
export type WorkerMode = 'interactive' | 'headless';

/** How a run without a planner starts. */
export type OpenOptions = {
  /** A branch or commit to start from. A branch is also what the run is accepted into. */
  readonly on?: string;
  /** The name of the run's own branch; if it exists, the run starts there and is accepted into it. */
  readonly branch?: string;
  /** The agent's conversation to continue, by the agent's own name for it. */
  readonly conversation?: string;
  /** The agents that do the work side by side, one variant each; a person picks one of them. */
  readonly variants?: readonly string[];
  /** The agent starts without a prompt, in a terminal of the person; the objective is a title. */
  readonly withoutPrompt?: true;
};

/**
 * The names of the variables that a run's sessions get. The values are in a private file of the
 * daemon, never in the journal. The hashes use a key that is not in the journal either, so that
 * short values cannot be guessed from them.
 */
export type RunEnvironment = {
  /**
   * `shell`: the environment of the shell that asked. `daemon`: the request had none, so the
   * daemon's own is used.
   */
  readonly from: 'shell' | 'daemon';
  /** Hash of all names and values. */
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
      readonly ground: RunBase;
      readonly because?: Because;
      /** Planning starts a new conversation. */
      readonly isAnew?: true;
    }
  /** Planning failed. */
  | {
      readonly at: 'planless';
      readonly ground: RunBase;
      readonly why: PlanFailure;
      readonly since: number;
    }
  | {
      readonly at: 'reviewing';
      readonly ground: RunBase;
      readonly proposal: Proposal;
      readonly voided?: VoidReason;
      readonly since: number;
    }
  | {
      readonly at: 'working';
      readonly ground: RunBase;
      readonly proposal: Proposal;
      readonly approval: Approval;
      readonly refusal?: AcceptRefusal;
    }
  | ({
      readonly at: 'accepting';
      readonly ground: RunBase;
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

/**
 * How the run's commits get into the person's branch. `merge`: as they are; `squash`: one commit
 * for the run; `squash-tasks`: one for each task; `rebase`: the same, on top of the branch.
 */
export type AcceptWay = 'merge' | 'squash' | 'squash-tasks' | 'rebase';

export const acceptWays = [
  'merge',
  'squash',
  'squash-tasks',
  'rebase',
] as const satisfies readonly AcceptWay[];

/**
 * How to accept a run. Absent: unchanged (`merge`), into the branch that the run started from,
 * without a signature.
 */
export type AcceptOptions = {
  readonly way?: AcceptWay;
  readonly into?: string;
  /**
   * The last of the commits that the person signed for this; exactly these commits get into the
   * branch.
   */
  readonly signed?: string;
};

/**
 * What a run is based on, copied at its start so that later changes of the files do not affect it
 * unnoticed.
 */
export type RunBase = {
  readonly base: string;
  readonly branch: string | null;
  readonly rules: Rules;
  /** The run's own branch, which tasks are merged into; not named in older journals. */
  readonly ownBranch?: string;
  /** Whether the checks also run on the base before work starts; absent in older journals. */
  readonly baseline?: true;
  /**
   * What the person should know about the repository at that time; absent if there is nothing, and
   * in older journals.
   */
  readonly notes?: readonly RepositoryNote[];
};

/** A property of the repository that makes a run behave unexpectedly, and what to do about it. */
export type RepositoryNote = {readonly about: string; readonly words: string};

/** Limits on the number of notes and the length of each. */
export const maxRepositoryNotes = 20;
export const maxRepositoryNoteLength = 500;

export type PlanRound = {
  readonly number: number;
  readonly because?: Because;
  /** The round started a new conversation instead of continuing that of earlier rounds. */
  readonly isAnew?: true;
  /** An invalid plan is asked for a second time, with its problems. */
  readonly asking: 1 | 2;
  readonly problems: readonly string[];
  /** The planner's last message, where it was not a valid plan. */
  readonly words?: string;
  readonly interruptions: number;
  readonly step: PlanStep;
  /** Since when a planner in its own interface waits for the person: its turn ended without a plan. */
  readonly waitsSince?: number;
};

export type PlanStep =
  /** `setup`: the session that sets up the planner's worktree, where the project asks for it. */
  | {readonly at: 'preparing'; readonly setup?: SessionId}
  | {readonly at: 'thinking'; readonly session: SessionId}
  /** The plan was invalid; the next step is not decided yet. */
  | {readonly at: 'invalid'}
  | {readonly at: 'over'};

/** A person's comments on the previous plan. */
export type Because = {readonly reason?: string; readonly comments: readonly LineComment[]};

export type LineComment = {readonly line: number; readonly text: string};

export type Proposal = {
  readonly plan: Plan;
  readonly hash: string;
  readonly comments: readonly LineComment[];
  /**
   * The tree of the planner's worktree after planning, which proves that nothing changed. An edited
   * plan keeps the tree of its round. Absent without a planner.
   */
  readonly tree?: string;
};

/** What the person approved. The approval is void when one of these changes. */
export type Approval = {
  readonly plan: string;
  readonly rules: string;
  readonly base: string;
  readonly client: string;
  readonly at: number;
};

export type VoidReason = 'plan-changed' | 'rules-changed';

export type PlanFailure =
  /** `words`: the planner's last message. */
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

/** Why the run could not be accepted into the person's branch. */
export type AcceptRefusal = {readonly why: string; readonly at: number};

export type Worktree = {
  readonly owner: WorktreeOwner;
  readonly path: string;
  readonly branch: string | null;
  readonly commit: string;
  /** Hash of the content when it was created; the planner must not change it. */
  readonly tree: string;
  /**
   * Fingerprint of the files that `setup` reads (manifests, lock files). Absent if it was not
   * computed.
   */
  readonly reads?: string;
  /**
   * What `setup` last passed for. It is due again after a change of the command or of these files.
   */
  readonly setUp?: {readonly command: string; readonly reads?: string};
  /** A person allowed its removal. */
  readonly isTidied: boolean;
};

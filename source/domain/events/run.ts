import type {RunId, SessionId, TaskId, WorktreeOwner} from '../ids.ts';
import type {Check, Plan, Rules} from '../plan.ts';
import type {
  AcceptOptions,
  AcceptWay,
  Because,
  MovedBranch,
  ParkReason,
  PlanFailure,
  RunBase,
  RunBudget,
  RunEnvironment,
  RunRequest,
  VoidReason,
} from '../run.ts';
import type {BaselineDecision, BaselineFailure, BaselineSubject} from '../baseline.ts';
import type {CheckResult} from '../verdict.ts';

export type RunEvents = {
  'run-created': {
    readonly run: RunId;
    readonly request: RunRequest;
    readonly budget: RunBudget;
    readonly environment?: RunEnvironment;
    /** The client of the person who opened it; only of a run without a planner. */
    readonly client?: string;
  };
  'queue-moved': {readonly run: RunId; readonly position: number};
  'run-opened': {readonly run: RunId};
  'run-surveyed': {readonly run: RunId; readonly ground: RunBase};
  'rules-changed': {readonly run: RunId; readonly rules: Rules};
  'base-moved': {readonly run: RunId; readonly base: string};
  'run-held': {readonly run: RunId; readonly reason?: string};
  'run-resumed': {readonly run: RunId};
  'run-parked': {readonly run: RunId; readonly why: ParkReason};
  'budget-exhausted': {
    readonly run: RunId;
    readonly budget: 'tokens' | 'wall-clock';
    readonly used: number;
    readonly limit: number;
  };
  'budget-extended': {readonly run: RunId; readonly tokens?: number; readonly wallClock?: number};
  /**
   * A person renewed the environment of the run's sessions; `changed` names variables that are new,
   * changed or gone.
   */
  'environment-refreshed': {
    readonly run: RunId;
    readonly environment: RunEnvironment;
    readonly changed: readonly string[];
  };
  /** The run's own branch does not point to the run's head. */
  'branch-moved': {readonly run: RunId} & Omit<MovedBranch, 'at' | 'isRestoring'>;
  /** A person adopts the commit found on the branch as the run's head. */
  'branch-adopted': {readonly run: RunId; readonly commit: string};
  'branch-restore-asked': {readonly run: RunId; readonly commit: string};
  /**
   * The branch points to the run's head again. `kept` names the ref that saves the commit found
   * there; null if that was no object.
   */
  'branch-restored': {readonly run: RunId; readonly kept: string | null};
  'accept-asked': {readonly run: RunId; readonly commit: string} & AcceptOptions;
  'accept-refused': {readonly run: RunId; readonly why: string};
  /**
   * `commit` is in the branch `into`. `already`: the person had merged it there without orchestra.
   */
  'run-accepted': {
    readonly run: RunId;
    readonly commit: string;
    readonly way?: AcceptWay;
    readonly into?: string;
    readonly signed?: true;
    readonly already?: true;
    /** Where the branch was before; absent if nothing was moved. */
    readonly from?: string;
  };
  /** A person wants the last decision undone: an accept, or a discard of a run or task. */
  'undo-asked': {readonly what: RunId | TaskId};
  /** It could not be undone; everything is as it was decided. */
  'undo-refused': {readonly what: RunId | TaskId; readonly why: string};
  /** The branch `into` is at `commit` again, where it was before the accept. */
  'accept-undone': {readonly run: RunId; readonly into: string; readonly commit: string};
  'run-restored': {readonly run: RunId};
  'run-discarded': {readonly run: RunId};
  'summary-written': {
    readonly run: RunId;
    readonly task?: TaskId;
    readonly endings: number;
    readonly path: string;
    readonly hash: string;
  };
  'worktree-made': {
    readonly owner: WorktreeOwner;
    readonly path: string;
    readonly branch: string | null;
    readonly commit: string;
    readonly tree: string;
    readonly reads?: string;
  };
  /** The worktree is at another commit, with the work of its task on top. */
  'worktree-renewed': {
    readonly owner: WorktreeOwner;
    readonly commit: string;
    readonly tree: string;
    readonly reads?: string;
  };
  /** `setup` passed in a worktree that belongs to no task. */
  'worktree-set-up': {readonly owner: WorktreeOwner};
  'worktree-tidied': {readonly owner: WorktreeOwner};
  /** `kept` names the ref that saves unmerged work. */
  'worktree-removed': {
    readonly owner: WorktreeOwner;
    readonly kept: string | null;
    /** Where its branch was. */
    readonly tip?: string;
  };
  'worktree-vanished': {readonly owner: WorktreeOwner};
};

/**
 * The turn of a planner in its own interface that was read. `handIns`: how many plans the session
 * had handed in through its tool.
 */
export type PlannerTurn = {
  readonly session: SessionId;
  readonly turn: number;
  readonly handIns?: number;
};

export type PlanEvents = {
  /**
   * `anew`: starts a new conversation; otherwise the planner continues its previous one, if there
   * is one.
   */
  'planning-started': {
    readonly run: RunId;
    readonly round: number;
    readonly because?: Because;
    readonly anew?: true;
  };
  /** `words`: how the agent ended, where it left a record. */
  'planning-interrupted': {readonly run: RunId; readonly round: number; readonly words?: string};
  'plan-received': {
    readonly run: RunId;
    readonly round: number;
    readonly plan: Plan;
    readonly hash: string;
    readonly tree: string;
    /** The plan that was proposed until now, where the planner handed in another one. */
    readonly replaces?: string;
    readonly from?: PlannerTurn;
  };
  /** The plan of a run without a planner: one task, made from the objective. */
  'plan-made': {readonly run: RunId; readonly plan: Plan; readonly hash: string};
  /** `words`: the planner's last message, shortened and without secrets. */
  'plan-invalid': {
    readonly run: RunId;
    readonly round: number;
    readonly problems: readonly string[];
    readonly words?: string;
    readonly from?: PlannerTurn;
  };
  /** A planner in its own interface answered without a plan, or a second time with an invalid one. */
  'planner-waiting': {
    readonly run: RunId;
    readonly round: number;
    readonly from: PlannerTurn;
  };
  /** The same session, with the same conversation, goes on with this round or request. */
  'planner-continued': {
    readonly run: RunId;
    readonly round: number;
    readonly asking: 1 | 2;
    readonly session: SessionId;
  };
  'plan-asked-again': {
    readonly run: RunId;
    readonly round: number;
    readonly problems: readonly string[];
  };
  'planner-wrote': {readonly run: RunId; readonly round: number; readonly paths: readonly string[]};
  'planner-failed': {readonly run: RunId; readonly round: number; readonly words: string};
  'planning-failed': {readonly run: RunId; readonly why: PlanFailure};
  'planning-retried': {readonly run: RunId; readonly reason?: string; readonly anew?: true};
  'plan-commented': {readonly run: RunId; readonly line: number; readonly text: string};
  'plan-edited': {readonly run: RunId; readonly plan: Plan; readonly hash: string};
  'plan-rejected': {readonly run: RunId; readonly reason: string};
  /** The person took the rejection back before there was a new plan. */
  'rejection-withdrawn': {readonly run: RunId};
  'plan-approved': {
    readonly run: RunId;
    readonly plan: string;
    readonly rules: string;
    readonly base: string;
    readonly client: string;
  };
  'approval-voided': {readonly run: RunId; readonly why: VoidReason};
};

export type BaselineEvents = {
  /** Results of earlier runs for this base; `results` may be empty. */
  'baseline-recalled': {
    readonly run: RunId;
    readonly results: readonly CheckResult[];
  } & BaselineSubject;
  'baseline-checked': {
    readonly run: RunId;
    readonly base: string;
    readonly setup?: string;
    readonly result: CheckResult;
  };
  'baseline-interrupted': {readonly run: RunId; readonly session: SessionId};
  'baseline-failed': {readonly run: RunId; readonly why: BaselineFailure};
  /** `plan` and `hash`: the plan with a first task that makes the check green. */
  'baseline-chosen': {
    readonly run: RunId;
    readonly check: Check;
    readonly choice: BaselineDecision;
    readonly plan?: Plan;
    readonly hash?: string;
  };
  /** Runs `check` again, or every check that is not green. */
  'baseline-asked-again': {readonly run: RunId; readonly check?: string};
};

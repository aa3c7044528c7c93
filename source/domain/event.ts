import type {BaselineDecision, BaselineFailure, BaselineSubject} from './baseline.ts';
import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';
import type {Plan} from './plan.ts';
import type {Check, Rules} from './rules.ts';
import type {
  AcceptOptions,
  AcceptWay,
  Because,
  Ground,
  MovedBranch,
  ParkReason,
  PlanFailure,
  RunBudget,
  RunEnvironment,
  RunRequest,
  VoidReason,
} from './run.ts';
import type {ServiceCondition, ServiceFailure, ServiceSpec} from './service.ts';
import type {AskSource, LoopKind, NetworkRefusal, Purpose, Usage} from './session.ts';
import type {Project} from './state.ts';
import type {DiscardReason, TroubleReason} from './task.ts';
import type {Change, CheckResult, Failure, Judgement, StopReason} from './verdict.ts';

/**
 * What happened. Events are the public record: their names and fields are kept for ever,
 * a new need gets a new event or a new optional field.
 */
export type Event = {
  readonly [Type in keyof EventData]: {readonly type: Type; readonly at: number} & EventData[Type];
}[keyof EventData];

export type EventType = keyof EventData;

export type EventOf<Type extends EventType> = Extract<Event, {readonly type: Type}>;

/** An event that nobody has stamped with a time yet. */
export type Happening = {
  readonly [Type in keyof EventData]: {readonly type: Type} & EventData[Type];
}[keyof EventData];

type EventData = HouseEvents &
  RunEvents &
  PlanEvents &
  BaselineEvents &
  TaskEvents &
  MergeEvents &
  SessionEvents &
  ServiceEvents;

type HouseEvents = {
  /** `journal` names the journal itself; the first start of a new one brings it. */
  'daemon-started': {readonly build: string; readonly journal?: string};
  /** A graceful end: what was under way did not crash. */
  'daemon-stopping': object;
  'project-read': {readonly project: Project};
  /** The journal's own notes on what it met; they change nothing. */
  'journal-truncated': {readonly bytes: number; readonly kept: string};
  'disk-full': object;
  'effect-begun': {readonly effect: string};
  'trouble-met': {readonly owner: RunId | TaskId; readonly why: TroubleReason};
  'note-added': {readonly on: string; readonly text: string};
  /** `session` is s0 where no session is known to have asked; `words` then say who it was. */
  'intrusion-refused': {
    readonly session: SessionId;
    readonly intent: string;
    readonly words?: string;
  };
  /** Something was asked for from inside of a person's own session, or by somebody (s0, `words`) of whom it can't be told for certain that it is the person. It was done. */
  'command-noted': {readonly session: SessionId; readonly intent: string; readonly words?: string};
  'intrusion-seen': {readonly number: number};
};

type RunEvents = {
  'run-created': {
    readonly run: RunId;
    readonly request: RunRequest;
    readonly budget: RunBudget;
    readonly environment?: RunEnvironment;
  };
  'queue-moved': {readonly run: RunId; readonly position: number};
  'run-opened': {readonly run: RunId};
  'run-surveyed': {readonly run: RunId; readonly ground: Ground};
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
  /** A person renewed the environment of the run's sessions; `changed` names what is another value, new or gone. */
  'environment-refreshed': {
    readonly run: RunId;
    readonly environment: RunEnvironment;
    readonly changed: readonly string[];
  };
  /** The run's own branch is not where the run left it. */
  'branch-moved': {readonly run: RunId} & Omit<MovedBranch, 'at' | 'isRestoring'>;
  /** A person takes over what was found as the run's head. */
  'branch-adopted': {readonly run: RunId; readonly commit: string};
  'branch-restore-asked': {readonly run: RunId; readonly commit: string};
  /** It is where the run left it; `kept` names the ref that keeps what was found; null when that was no object at all. */
  'branch-restored': {readonly run: RunId; readonly kept: string | null};
  'accept-asked': {readonly run: RunId; readonly commit: string} & AcceptOptions;
  'accept-refused': {readonly run: RunId; readonly why: string};
  /** `commit` is in the branch `into`. `already`: the person had brought it there by themselves. */
  'run-accepted': {
    readonly run: RunId;
    readonly commit: string;
    readonly way?: AcceptWay;
    readonly into?: string;
    readonly signed?: true;
    readonly already?: true;
  };
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
  /** It stands on another commit now, with the work of its task laid over it. */
  'worktree-renewed': {
    readonly owner: WorktreeOwner;
    readonly commit: string;
    readonly tree: string;
    readonly reads?: string;
  };
  /** `setup` passed in a worktree that no task owns. */
  'worktree-set-up': {readonly owner: WorktreeOwner};
  'worktree-tidied': {readonly owner: WorktreeOwner};
  /** `kept` names the ref that keeps what was not merged. */
  'worktree-removed': {readonly owner: WorktreeOwner; readonly kept: string | null};
  'worktree-vanished': {readonly owner: WorktreeOwner};
};

type PlanEvents = {
  /** `anew`: with a conversation of its own; else the planner goes on with the one before, if it has one. */
  'planning-started': {
    readonly run: RunId;
    readonly round: number;
    readonly because?: Because;
    readonly anew?: true;
  };
  /** `words`: how its agent ended, where something was left that tells it. */
  'planning-interrupted': {readonly run: RunId; readonly round: number; readonly words?: string};
  'plan-received': {
    readonly run: RunId;
    readonly round: number;
    readonly plan: Plan;
    readonly hash: string;
    readonly tree: string;
  };
  /** `words`: the last that the planner said, cut and without secrets. */
  'plan-invalid': {
    readonly run: RunId;
    readonly round: number;
    readonly problems: readonly string[];
    readonly words?: string;
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
  'plan-approved': {
    readonly run: RunId;
    readonly plan: string;
    readonly rules: string;
    readonly base: string;
    readonly client: string;
  };
  'approval-voided': {readonly run: RunId; readonly why: VoidReason};
};

type BaselineEvents = {
  /** What earlier runs found out about this base; `results` may be none. */
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
  /** `plan` and `hash`: the plan with a first task that mends the check. */
  'baseline-chosen': {
    readonly run: RunId;
    readonly check: Check;
    readonly choice: BaselineDecision;
    readonly plan?: Plan;
    readonly hash?: string;
  };
  /** What is not green is run again; without `check` all of it. */
  'baseline-asked-again': {readonly run: RunId; readonly check?: string};
};

type TaskEvents = {
  'task-begun': {readonly task: TaskId};
  /** `on`: where it was run again, because what it reads had changed. */
  'setup-passed': {readonly task: TaskId; readonly on?: 'change' | 'merge'};
  'attempt-started': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly repairs?: Failure;
    readonly hint?: string;
  };
  'attempt-continued': {readonly task: TaskId; readonly attempt: number};
  /** Its agent, or what ran it, was ended before it had said an end. It costs no try. `words`: how, where something was left that tells it. */
  'attempt-interrupted': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly session: SessionId;
    readonly words?: string;
  };
  'attempt-paused': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly until: number;
    readonly words: string;
  };
  /** `by`: a person cut it short; its agent is tried now, and its pauses are counted anew. */
  'pause-ended': {readonly task: TaskId; readonly attempt: number; readonly by?: 'person'};
  /** `denied`: what it was not allowed to do, or could not write. */
  'agent-finished': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly words: string;
    readonly denied?: readonly string[];
  };
  'agent-gave-up': {readonly task: TaskId; readonly attempt: number; readonly words: string};
  'agent-failed': {readonly task: TaskId; readonly attempt: number; readonly words: string};
  'change-captured': {readonly task: TaskId; readonly attempt: number; readonly change: Change};
  'change-judged': {readonly task: TaskId; readonly attempt: number; readonly judgement: Judgement};
  'check-finished': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly on: 'change' | 'merge';
    readonly result: CheckResult;
  };
  'change-validated': {readonly task: TaskId; readonly attempt: number};
  'change-committed': {readonly task: TaskId; readonly attempt: number; readonly commit: string};
  'attempt-failed': {readonly task: TaskId; readonly attempt: number; readonly failure: Failure};
  'task-stopped': {readonly task: TaskId; readonly why: StopReason};
  'attempt-granted': {readonly task: TaskId; readonly hint?: string};
  /** `attempt`: the agent's own that was under way; it can go on. `left`: how many tries the agent still has. */
  'task-taken-over': {readonly task: TaskId; readonly attempt?: number; readonly left?: number};
  /** What is there is judged as attempt `attempt`, a person's own; or, `to` the agent, that attempt of the agent's goes on or begins. `allowed` of them there may be from now on: what a person does costs the agent no try. */
  'task-handed-back': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly to?: 'agent';
    readonly note?: string;
    readonly allowed?: number;
  };
  'task-reset': {readonly task: TaskId};
  'task-held': {readonly task: TaskId; readonly reason?: string};
  'task-resumed': {readonly task: TaskId};
  'task-discarded': {readonly task: TaskId; readonly why: DiscardReason};
};

type MergeEvents = {
  'merge-begun': {readonly task: TaskId};
  /** `reads`: fingerprint of the files of the candidate that `setup` reads. */
  'merge-built': {
    readonly task: TaskId;
    readonly candidate: string;
    readonly onto: string;
    readonly reads?: string;
  };
  /** `hunks` shows where both sides changed, cut to what a person or an agent can read. */
  'merge-conflicted': {
    readonly task: TaskId;
    readonly paths: readonly string[];
    readonly hunks?: string;
  };
  /** The run's head moved on under the candidate; it is built anew. */
  'merge-outdated': {readonly task: TaskId};
  'merge-validated': {readonly task: TaskId};
  'merge-refused': {readonly task: TaskId; readonly failure: Failure};
  'task-merged': {readonly task: TaskId; readonly commit: string};
};

type SessionEvents = {
  'session-asked': {readonly session: SessionId; readonly purpose: Purpose};
  'session-created': {readonly session: SessionId};
  'session-running': {readonly session: SessionId};
  'session-exited': {
    readonly session: SessionId;
    readonly code: number | null;
    readonly signal: string | null;
  };
  'session-lost': {readonly session: SessionId; readonly why: string};
  'session-stop-asked': {readonly session: SessionId};
  /** It is to end and could not be ended, after several tries. */
  'session-unstoppable': {readonly session: SessionId; readonly words: string};
  /** `source` says that it was not the kernel: the agent told it by itself, or a dialog of its stands on the screen; `options` are those that the dialog offers. `idle`: a shell, or the like, stands at its own prompt. */
  'session-waiting': {
    readonly session: SessionId;
    readonly proof: 'proven' | 'inferred';
    readonly secret: boolean;
    readonly question: string;
    readonly source?: AskSource;
    readonly options?: readonly string[];
    readonly idle?: true;
  };
  'session-moved-on': {readonly session: SessionId};
  /** `prompt` names the file whose text is typed once the agent takes a prompt; `text` is then only what it begins with. `answers` is the question of a dialog whose option `text` names. */
  'input-asked': {
    readonly session: SessionId;
    readonly input: number;
    readonly text: string;
    readonly prompt?: string;
    readonly answers?: string;
  };
  'input-typed': {readonly session: SessionId; readonly input: number};
  'input-uncertain': {readonly session: SessionId; readonly input: number; readonly why?: string};
  /** A person answered a secret prompt: only its length is ever written down. */
  'secret-typed': {readonly session: SessionId; readonly length: number};
  /** All that the session has used. `isPartial`: so far, while it runs; what is counted at its end replaces it. */
  'usage-counted': {readonly session: SessionId; readonly usage: Usage; readonly isPartial?: true};
  /** The service of its agent fails, and the agent asks it again by itself, the `times`-th time since `since`. */
  'retry-noticed': {
    readonly session: SessionId;
    readonly since: number;
    readonly times: number;
    readonly words: string;
    readonly status?: number;
  };
  'retry-ended': {readonly session: SessionId};
  /** Its agent seems to go in circles. `key` is the same for the same sign; for `unchanged` `times` are minutes. */
  'loop-noticed': {
    readonly session: SessionId;
    readonly number: number;
    readonly kind: LoopKind;
    readonly key: string;
    readonly evidence: string;
    readonly times: number;
    readonly since: number;
  };
  /** A person has looked at it, and lets the agent go on. */
  'loop-seen': {readonly session: SessionId; readonly number: number};
  'conversation-known': {readonly session: SessionId; readonly conversation: string};
  /** Its agent has not the conversation that this session was to go on with, and did nothing: another begins anew, under the same attempt. */
  'conversation-lost': {readonly session: SessionId; readonly words: string};
  /** An agent called one of our tools; `words` is a short account of what it gave, without secrets. */
  'tool-called': {
    readonly session: SessionId;
    readonly tool: string;
    readonly words: string;
    readonly isError?: boolean;
  };
  /** A sandboxed session asked for a host that it may not reach. Of each host and port the first time that it was seen; `times` is how often it had been tried by then. `host` is `*` for all that were too many to name. */
  'network-refused': {
    readonly session: SessionId;
    readonly host: string;
    readonly port: number;
    readonly why: NetworkRefusal;
    readonly times: number;
  };
  'question-asked': {
    readonly session: SessionId;
    readonly number: number;
    readonly question: string;
    readonly options?: readonly string[];
  };
  'question-answered': {
    readonly session: SessionId;
    readonly number: number;
    readonly text: string;
  };
};

type ServiceEvents = {
  'service-declared': {readonly spec: ServiceSpec};
  'service-wanted': {readonly service: string; readonly by: 'person' | TaskId};
  /** `by` a task: its agent needs it no longer. Without: a person's stop, which only a person lifts. */
  'service-stopped': {readonly service: string; readonly by?: TaskId};
  'service-restarted': {readonly service: string};
  'service-observed': {readonly service: string; readonly condition: ServiceCondition};
  'port-taken': {readonly service: string; readonly owner: string};
  'service-went-down': {readonly service: string};
  /** `deaths`: how often in a row it died before it had run for a while. */
  'service-backed-off': {
    readonly service: string;
    readonly until: number;
    readonly deaths?: number;
  };
  'service-failed': {readonly service: string; readonly why: ServiceFailure};
};

import type {BaselineDecision} from './baseline.ts';
import type {Event, Happening} from './event.ts';
import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';
import type {Plan} from './plan.ts';
import type {AcceptOptions, RunBudget, RunEnvironment, RunRequest} from './run.ts';
import type {ServiceSpec} from './service.ts';
import type {LoopKind} from './session.ts';
import type {LeftProcess} from './task.ts';

/** Something that somebody wants, or that the world reports. Time is an input: the caller stamps it. */
export type Command = Intent | Report;

export type Intent = {readonly at: number; readonly by: Actor} & Wish;

/** Who speaks. What changes the course of things is a person's to say; an agent that tries is refused and named. */
export type Actor =
  | {readonly kind: 'person'; readonly client: string}
  | {
      readonly kind: 'agent';
      readonly session: SessionId;
      /** Who it is, where no session is known. */ readonly words?: string;
    };

export type Wish =
  | {
      readonly type: 'start-run';
      readonly request: RunRequest;
      readonly budget: RunBudget;
      /** The daemon says what it kept of the environment that came with it. */ readonly environment?: RunEnvironment;
    }
  | {readonly type: 'move-in-queue'; readonly run: RunId; readonly position: number}
  | {
      readonly type: 'comment-plan';
      readonly run: RunId;
      readonly line: number;
      readonly text: string;
    }
  | {readonly type: 'edit-plan'; readonly run: RunId; readonly plan: Plan; readonly hash: string}
  | {
      readonly type: 'reject-plan';
      readonly run: RunId;
      readonly plan: string;
      readonly reason: string;
    }
  | {
      readonly type: 'approve-plan';
      readonly run: RunId;
      readonly plan: string;
      readonly rules: string;
      readonly base: string;
    }
  /** What is done about a check that is red on the base; to `mend` it, `plan` has the task that does and `hash` is that plan's. */
  | {
      readonly type: 'choose-baseline';
      readonly run: RunId;
      readonly check: string;
      readonly choice: BaselineDecision;
      readonly plan?: Plan;
      readonly hash?: string;
    }
  /** Runs what is not green on the base again; without `check` all of it. */
  | {readonly type: 'baseline-again'; readonly run: RunId; readonly check?: string}
  | {readonly type: 'plan-again'; readonly run: RunId; readonly reason?: string}
  | {readonly type: 'grant-attempt'; readonly task: TaskId; readonly hint?: string}
  | {readonly type: 'take-over'; readonly task: TaskId}
  /** To be judged as it is, or to its agent, which goes on; `note` is for the agent. */
  | {
      readonly type: 'hand-back';
      readonly task: TaskId;
      readonly to?: 'checks' | 'agent';
      readonly note?: string;
    }
  | {readonly type: 'reset-task'; readonly task: TaskId}
  | {readonly type: 'stop'; readonly what: RunId | TaskId | SessionId; readonly reason?: string}
  | {readonly type: 'resume'; readonly what: RunId | TaskId}
  | {readonly type: 'discard'; readonly what: RunId | TaskId}
  /** `sign: false`: without a signature though the project file wants one. */
  | ({
      readonly type: 'accept-run';
      readonly run: RunId;
      readonly commit: string;
      readonly sign?: false;
    } & AcceptOptions)
  /** What holds when somebody moved the run's branch: `commit`, which was found there, or what the run left there. */
  | {readonly type: 'adopt-branch'; readonly run: RunId; readonly commit: string}
  | {readonly type: 'restore-branch'; readonly run: RunId; readonly commit: string}
  | {
      readonly type: 'extend-budget';
      readonly run: RunId;
      readonly tokens?: number;
      readonly wallClock?: number;
    }
  /** Sessions of the run that begin from now on get the environment of the shell that asks. The daemon says what it kept of that. */
  | {
      readonly type: 'refresh-environment';
      readonly run: RunId;
      readonly environment?: RunEnvironment;
    }
  | {readonly type: 'tidy-worktree'; readonly owner: WorktreeOwner}
  | {
      readonly type: 'start-session';
      readonly name: string;
      readonly command: readonly string[];
      readonly directory: string;
      readonly prompt?: string;
    }
  | {readonly type: 'send-input'; readonly session: SessionId; readonly text: string}
  | {
      readonly type: 'answer-question';
      readonly session: SessionId;
      readonly number: number;
      readonly text: string;
    }
  | {readonly type: 'declare-service'; readonly spec: ServiceSpec}
  | {readonly type: 'start-service'; readonly service: string}
  | {readonly type: 'stop-service'; readonly service: string}
  | {readonly type: 'restart-service'; readonly service: string}
  | {readonly type: 'add-note'; readonly on: string; readonly text: string}
  | {readonly type: 'acknowledge-intrusion'; readonly number: number}
  /** The agent goes on; the same sign is not told again. */
  | {readonly type: 'acknowledge-loop'; readonly session: SessionId; readonly number: number};

/** What a performer or the recovery saw. It ends or advances the effect it names, and is void when that is no longer wanted. */
export type Report = {
  readonly type: 'report';
  readonly at: number;
  readonly effect?: string;
  readonly saw: Observation;
};

/** Facts that only the world can tell; everything else is decided. */
export type Observation =
  | Extract<Happening, {readonly type: ObservedType}>
  /** The effect could not be done, and trying again by itself would not help. */
  | {readonly type: 'effect-failed'; readonly words: string}
  /** The agent's service has no account, no quota: a person is needed, the attempt is not spent. */
  | {readonly type: 'agent-unavailable'; readonly words: string}
  /** An agent has a question to a person. The same words are the same question. */
  | {
      readonly type: 'person-asked';
      readonly session: SessionId;
      readonly question: string;
      readonly options?: readonly string[];
    }
  /** An agent wants a shell of its task by this name. */
  | {
      readonly type: 'shell-asked';
      readonly session: SessionId;
      readonly name: string;
      readonly program?: string;
    }
  /** What an agent wants typed into a shell of its task. */
  | {
      readonly type: 'shell-told';
      readonly session: SessionId;
      readonly shell: SessionId;
      readonly text: string;
    }
  /** An agent wants a declared service up, or down. */
  | {
      readonly type: 'service-told';
      readonly session: SessionId;
      readonly service: string;
      readonly want: 'up' | 'down';
    }
  | {
      readonly type: 'no-progress';
      readonly session: SessionId;
      readonly silentFor: number;
      readonly limit: number;
    }
  /** A sign that an agent goes in circles. `weight`: so many times more often than usual it may be seen. */
  | {
      readonly type: 'loop-found';
      readonly session: SessionId;
      readonly kind: LoopKind;
      readonly key: string;
      readonly evidence: string;
      readonly times: number;
      readonly weight?: number;
      readonly since: number;
    }
  | {readonly type: 'tampering-found'; readonly run: RunId; readonly paths: readonly string[]}
  /** Before what a task left is believed: processes that may be its, and could still write. */
  | {readonly type: 'leftovers-found'; readonly processes: readonly LeftProcess[]}
  /** A moment that was waited for has come. */
  | {readonly type: 'time-passed'};

export const observedTypes = [
  'daemon-started',
  'daemon-stopping',
  'project-read',
  'journal-truncated',
  'disk-full',
  'effect-begun',
  'intrusion-refused',
  'command-noted',
  'run-surveyed',
  'rules-changed',
  'base-moved',
  'branch-moved',
  'branch-restored',
  'accept-refused',
  'run-accepted',
  'summary-written',
  'worktree-made',
  'worktree-renewed',
  'worktree-removed',
  'worktree-vanished',
  'plan-received',
  'plan-invalid',
  'planner-wrote',
  'planner-failed',
  'planning-interrupted',
  'baseline-recalled',
  'baseline-checked',
  'attempt-paused',
  'attempt-interrupted',
  'agent-finished',
  'agent-gave-up',
  'agent-failed',
  'change-captured',
  'change-judged',
  'check-finished',
  'change-committed',
  'merge-built',
  'merge-conflicted',
  'task-merged',
  'session-created',
  'session-running',
  'session-exited',
  'session-lost',
  'session-waiting',
  'session-moved-on',
  'input-asked',
  'input-typed',
  'input-uncertain',
  'secret-typed',
  'usage-counted',
  'retry-noticed',
  'retry-ended',
  'conversation-known',
  'conversation-lost',
  'tool-called',
  'network-refused',
  'service-observed',
  'port-taken',
] as const satisfies readonly Event['type'][];

type ObservedType = (typeof observedTypes)[number];

import type {BaselineDecision} from './baseline.ts';
import type {Event, EventBody} from './event.ts';
import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';
import type {Plan} from './plan.ts';
import type {AcceptOptions, RunBudget, RunEnvironment, RunRequest, UndoKind} from './run.ts';
import type {ServiceSpec} from './service.ts';
import type {LoopKind} from './session.ts';
import type {LeftProcess} from './task.ts';

/** A request of a person or an agent, or an observation. Time is an input: the caller sets `at`. */
export type Command = Intent | Report;

export type Intent = {readonly at: number; readonly by: Actor} & UserCommand;

/**
 * Who sends the command. Commands that change the course of a run are for a person; an agent that
 * sends one is refused and recorded.
 */
export type Actor =
  | {readonly kind: 'person'; readonly client: string}
  | {
      readonly kind: 'agent';
      readonly session: SessionId;
      /** Describes the sender where no session is known. */
      readonly words?: string;
    };

export type UserCommand =
  | {
      readonly type: 'start-run';
      readonly request: RunRequest;
      readonly budget: RunBudget;
      /** Filled in by the daemon: the part of the sender's environment that it saved. */
      readonly environment?: RunEnvironment;
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
  /**
   * Decides what to do about a check that is red on the base. For `mend`, `plan` contains the task
   * that makes it green, and `hash` is the hash of that plan.
   */
  | {
      readonly type: 'choose-baseline';
      readonly run: RunId;
      readonly check: string;
      readonly choice: BaselineDecision;
      readonly plan?: Plan;
      readonly hash?: string;
    }
  /** Runs `check` on the base again, or every check that is not green there. */
  | {readonly type: 'baseline-again'; readonly run: RunId; readonly check?: string}
  | {readonly type: 'plan-again'; readonly run: RunId; readonly reason?: string}
  | {readonly type: 'grant-attempt'; readonly task: TaskId; readonly hint?: string}
  | {readonly type: 'take-over'; readonly task: TaskId}
  /**
   * Hands the task back to be judged as it is, or to its agent, which continues; `note` is for the
   * agent.
   */
  | {
      readonly type: 'hand-back';
      readonly task: TaskId;
      readonly to?: 'checks' | 'agent';
      readonly note?: string;
    }
  /** Checks a task that a person works on, or whose agent waits for them. */
  | {readonly type: 'check-task'; readonly task: TaskId}
  | {readonly type: 'reset-task'; readonly task: TaskId}
  /** Merges this variant of a task, as it is in `commit`, and discards the others. */
  | {readonly type: 'pick-variant'; readonly task: TaskId; readonly commit: string}
  /** For the worker of the task: now if one runs, else with its next prompt. */
  | {readonly type: 'message-task'; readonly task: TaskId; readonly text: string}
  | {readonly type: 'stop'; readonly what: RunId | TaskId | SessionId; readonly reason?: string}
  | {readonly type: 'resume'; readonly what: RunId | TaskId}
  | {readonly type: 'discard'; readonly what: RunId | TaskId}
  /** Undoes the last decision of this kind about a run or task, within ten minutes. */
  | {readonly type: 'undo'; readonly what: RunId | TaskId; readonly kind: UndoKind}
  /** `sign: false` accepts without a signature although the project file wants one. */
  | ({
      readonly type: 'accept-run';
      readonly run: RunId;
      readonly commit: string;
      readonly sign?: false;
    } & AcceptOptions)
  /**
   * Decides about a run branch that was moved by someone else: `adopt-branch` takes the `commit`
   * found there, `restore-branch` puts the run's own commit back.
   */
  | {readonly type: 'adopt-branch'; readonly run: RunId; readonly commit: string}
  | {readonly type: 'restore-branch'; readonly run: RunId; readonly commit: string}
  | {
      readonly type: 'extend-budget';
      readonly run: RunId;
      readonly tokens?: number;
      readonly wallClock?: number;
    }
  /**
   * New sessions of the run get the environment of the shell that asks. The daemon fills in what it
   * saved of it.
   */
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
  /** The agent continues, and the same sign of a loop is not reported again. */
  | {readonly type: 'acknowledge-loop'; readonly session: SessionId; readonly number: number};

/**
 * An observation of an effect or of the recovery. It completes or advances the named effect, and is
 * ignored when that effect is no longer wanted.
 */
export type Report = {
  readonly type: 'report';
  readonly at: number;
  readonly effect?: string;
  readonly saw: Observation;
};

/** Facts that only the outside world can supply; everything else is decided. */
export type Observation =
  | EventBodyOf<ObservedType>
  /** The effect failed, and an automatic retry would not help. */
  | {readonly type: 'effect-failed'; readonly words: string}
  /**
   * The agent's service has no account or no quota. A person is needed; the attempt is not used up.
   */
  | (EventBodyOf<'attempt-paused'> & {readonly installed?: readonly string[]})
  /** `installed`: those of the project's `fallback` agents that can be started here. */
  | {
      readonly type: 'agent-unavailable';
      readonly words: string;
      readonly installed?: readonly string[];
    }
  /** An agent asks a person. The same text is the same question. */
  | {
      readonly type: 'person-asked';
      readonly session: SessionId;
      readonly question: string;
      readonly options?: readonly string[];
    }
  /** An agent wants a shell for its task by this name. */
  | {
      readonly type: 'shell-asked';
      readonly session: SessionId;
      readonly name: string;
      readonly program?: string;
    }
  /** An agent wants this text typed into a shell of its task. */
  | {
      readonly type: 'shell-told';
      readonly session: SessionId;
      readonly shell: SessionId;
      readonly text: string;
    }
  /** An agent wants a declared service started or stopped. */
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
  /** A sign that an agent is in a loop. `weight` multiplies the number of times that is allowed. */
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
  /**
   * Found before a task's result is trusted: processes that may belong to the task and could still
   * write.
   */
  | {readonly type: 'leftovers-found'; readonly processes: readonly LeftProcess[]}
  /** The time of a `wait` effect has come. */
  | {readonly type: 'time-passed'};

type ObservedType =
  | 'daemon-started'
  | 'daemon-stopping'
  | 'project-read'
  | 'journal-truncated'
  | 'disk-full'
  | 'effect-begun'
  | 'intrusion-refused'
  | 'command-noted'
  | 'run-surveyed'
  | 'rules-changed'
  | 'base-moved'
  | 'branch-moved'
  | 'branch-restored'
  | 'accept-refused'
  | 'run-accepted'
  | 'undo-refused'
  | 'accept-undone'
  | 'summary-written'
  | 'worktree-made'
  | 'worktree-renewed'
  | 'worktree-removed'
  | 'worktree-vanished'
  | 'plan-received'
  | 'plan-invalid'
  | 'planner-waiting'
  | 'planner-wrote'
  | 'planner-failed'
  | 'planning-interrupted'
  | 'baseline-recalled'
  | 'baseline-checked'
  | 'attempt-interrupted'
  | 'agent-finished'
  | 'agent-gave-up'
  | 'agent-failed'
  | 'change-captured'
  | 'change-judged'
  | 'check-finished'
  | 'change-committed'
  | 'merge-built'
  | 'merge-conflicted'
  | 'task-merged'
  | 'session-created'
  | 'session-running'
  | 'session-exited'
  | 'session-lost'
  | 'session-waiting'
  | 'session-moved-on'
  | 'input-asked'
  | 'input-typed'
  | 'input-uncertain'
  | 'message-delivered'
  | 'message-held'
  | 'message-queued'
  | 'message-failed'
  | 'secret-typed'
  | 'usage-counted'
  | 'retry-noticed'
  | 'retry-ended'
  | 'turn-began'
  | 'turn-ended'
  | 'done-reported'
  | 'input-held'
  | 'conversation-known'
  | 'conversation-lost'
  | 'tool-called'
  | 'network-refused'
  | 'service-observed'
  | 'port-taken';

/** Rejects names that are not event types. */
type EventBodyOf<Type extends Event['type']> = Extract<EventBody, {readonly type: Type}>;

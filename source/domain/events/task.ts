import type {SessionId, TaskId} from '../ids.ts';
import type {DiscardReason, MessageDelivery, MessageHold} from '../task.ts';
import type {Change, CheckResult, Failure, Judgement, StopReason} from '../verdict.ts';

export type TaskEvents = {
  'task-begun': {readonly task: TaskId};
  /** `on`: where it ran again because the files that it reads had changed. */
  'setup-passed': {readonly task: TaskId; readonly on?: 'change' | 'merge'};
  'attempt-started': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly repairs?: Failure;
    readonly hint?: string;
  };
  'attempt-continued': {readonly task: TaskId; readonly attempt: number};
  /**
   * The agent or its session ended before it reported an outcome. No attempt is used up. `words`:
   * how it ended, where it left a record.
   */
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
  /**
   * `by`: a person ended the pause; the agent is tried now, and pauses are counted from 0 again.
   */
  'pause-ended': {readonly task: TaskId; readonly attempt: number; readonly by?: 'person'};
  /**
   * A person asked to check the work of an agent that they opened without a plan. `attempt`: the one
   * under way, or for a task that stopped, a new one of the person's, which is checked at once.
   */
  'check-asked': {readonly task: TaskId; readonly attempt: number};
  /**
   * The agent works again, because a person wrote to it after its turn: what was captured no longer
   * counts. No attempt is used up.
   */
  'attempt-reopened': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly session: SessionId;
  };
  /**
   * The agent was unavailable (`words`), and the project names another one for that case. The same
   * attempt continues with it, in a new conversation.
   */
  'agent-replaced': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly from: string;
    readonly to: string;
    readonly words: string;
  };
  /** `denied`: actions that the agent was not allowed to take, or files that it could not write. */
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
  /**
   * `attempt`: the agent's interrupted attempt, which can continue. `left`: how many attempts the
   * agent still has.
   */
  'task-taken-over': {readonly task: TaskId; readonly attempt?: number; readonly left?: number};
  /**
   * Without `to`, the worktree is judged as attempt `attempt`, the person's own. With `to`, that
   * attempt of the agent continues or starts. `allowed`: the new number of allowed attempts; a
   * person's own attempt does not use up one of the agent's.
   */
  'task-handed-back': {
    readonly task: TaskId;
    readonly attempt: number;
    readonly to?: 'agent';
    readonly note?: string;
    readonly allowed?: number;
  };
  'task-reset': {readonly task: TaskId};
  /**
   * A person's message to the worker. Without `session` no worker runs now, and it is queued for the
   * next prompt.
   */
  'message-asked': {
    readonly task: TaskId;
    readonly number: number;
    readonly text: string;
    readonly session?: SessionId;
  };
  /** `turn`: it was typed after the end of this turn, and begins the next one. */
  'message-delivered': {
    readonly task: TaskId;
    readonly number: number;
    readonly session: SessionId;
    readonly how: MessageDelivery;
    readonly turn?: number;
  };
  /** It is not typed yet. */
  'message-held': {readonly task: TaskId; readonly number: number; readonly why: MessageHold};
  /** Nothing of it reached the agent; it goes into the next prompt. */
  'message-queued': {readonly task: TaskId; readonly number: number; readonly why: string};
  /** It was not delivered, or nobody knows whether it was. It is never sent again. */
  'message-failed': {readonly task: TaskId; readonly number: number; readonly why: string};
  'task-held': {readonly task: TaskId; readonly reason?: string};
  'task-resumed': {readonly task: TaskId};
  /** A discard was undone. The task is as before, and stopped until a person resumes it. */
  'task-restored': {readonly task: TaskId};
  'task-discarded': {readonly task: TaskId; readonly why: DiscardReason};
  /** A person decided that this variant of a task counts; the others are discarded. */
  'variant-picked': {readonly task: TaskId; readonly commit: string};
};

export type MergeEvents = {
  'merge-begun': {readonly task: TaskId};
  /** `reads`: fingerprint of those files of the candidate that `setup` reads. */
  'merge-built': {
    readonly task: TaskId;
    readonly candidate: string;
    readonly onto: string;
    readonly reads?: string;
  };
  /** `hunks` shows where both sides changed, shortened for people and agents. */
  'merge-conflicted': {
    readonly task: TaskId;
    readonly paths: readonly string[];
    readonly hunks?: string;
  };
  /** The run's head moved while the candidate was checked; it is built again. */
  'merge-outdated': {readonly task: TaskId};
  'merge-validated': {readonly task: TaskId};
  'merge-refused': {readonly task: TaskId; readonly failure: Failure};
  'task-merged': {readonly task: TaskId; readonly commit: string};
};

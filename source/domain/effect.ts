import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';

/**
 * Work that should be in flight now. The key is its identity: the same key is the same effect,
 * across crashes.
 */
export type Effect = {
  readonly key: string;
  readonly run?: RunId;
  readonly task?: TaskId;
} & EffectKind;

type EffectKind =
  | {readonly do: 'survey'; readonly run: RunId}
  | {readonly do: 'make-worktree'; readonly owner: WorktreeOwner; readonly from: string}
  | {readonly do: 'remove-worktree'; readonly owner: WorktreeOwner}
  /**
   * Created while a person reads the plan, so that work starts at once after the approval. Ends
   * when it is no longer wanted.
   */
  | {
      readonly do: 'prepare-worktrees';
      readonly run: RunId;
      readonly owners: readonly WorktreeOwner[];
      readonly from: string;
    }
  /**
   * Moves the task's worktree to the current head with the task's own changes on top and conflicts
   * marked, so that it can repair what fails only together with other tasks.
   */
  | {readonly do: 'renew-worktree'; readonly owner: WorktreeOwner; readonly from: string}
  /** Starts the session (in two phases), or continues to watch it. */
  | {readonly do: 'run-session'; readonly session: SessionId}
  | {readonly do: 'stop-session'; readonly session: SessionId}
  | {readonly do: 'type-input'; readonly session: SessionId; readonly input: number}
  /** Types the prompt when the agent is ready for it, and checks that it was accepted. */
  | {readonly do: 'type-prompt'; readonly session: SessionId; readonly input: number}
  /** Hands a person's message to the session of the task's worker, or finds out what became of it. */
  | {
      readonly do: 'deliver-message';
      readonly task: TaskId;
      readonly session: SessionId;
      readonly message: number;
    }
  /**
   * Writes the prompt of a further attempt or planning round for an agent that waits in its own
   * interface.
   */
  | {readonly do: 'ask-prompt'; readonly run: RunId; readonly session: SessionId}
  | {readonly do: 'read-plan'; readonly run: RunId; readonly session: SessionId}
  | {
      readonly do: 'read-outcome';
      readonly task: TaskId;
      readonly attempt: number;
      readonly session: SessionId;
    }
  | {readonly do: 'capture'; readonly task: TaskId; readonly attempt: number}
  | {readonly do: 'judge'; readonly task: TaskId; readonly attempt: number; readonly tree: string}
  | {
      readonly do: 'read-check';
      readonly task: TaskId;
      readonly on: 'change' | 'merge';
      readonly check: string;
      readonly session: SessionId;
    }
  /** Looks up results of earlier runs for the same base, rules and environment. */
  | {readonly do: 'recall-baseline'; readonly run: RunId}
  | {
      readonly do: 'read-baseline';
      readonly run: RunId;
      readonly check: string;
      readonly session: SessionId;
    }
  | {readonly do: 'commit'; readonly task: TaskId; readonly attempt: number; readonly tree: string}
  | {
      readonly do: 'build-merge';
      readonly task: TaskId;
      readonly commit: string;
      readonly onto: string;
    }
  | {
      readonly do: 'publish-merge';
      readonly task: TaskId;
      readonly candidate: string;
      readonly onto: string;
    }
  /**
   * Puts the branch back to the run's own commit at a person's request; the commit found there is
   * saved.
   */
  | {
      readonly do: 'restore-branch';
      readonly run: RunId;
      readonly branch: string;
      readonly to: string;
      readonly from: string;
    }
  /** Moves the person's branch back from the commit that an accept brought there. */
  | {
      readonly do: 'undo-accept';
      readonly run: RunId;
      readonly branch: string;
      readonly from: string;
      readonly to: string;
    }
  /** Makes the worktree of a discarded task again, with its branch and its content. */
  | {
      readonly do: 'restore-worktree';
      readonly owner: TaskId;
      readonly base: string;
      readonly tip: string;
      readonly kept: string | null;
    }
  | {readonly do: 'bring-home'; readonly run: RunId; readonly commit: string}
  | {
      readonly do: 'write-summary';
      readonly run: RunId;
      readonly task?: TaskId;
      readonly endings: number;
    }
  | {readonly do: 'watch-service'; readonly service: string; readonly session: SessionId}
  /** Reports `time-passed`, not before `until`. */
  | {readonly do: 'wait'; readonly until: number};

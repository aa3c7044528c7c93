import type {RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';

/** Something that should be in flight now. Its key is its identity: the same key is the same effect, across crashes. */
export type Effect = {
  readonly key: string;
  readonly run?: RunId;
  readonly task?: TaskId;
} & EffectKind;

export type EffectKind =
  | {readonly do: 'survey'; readonly run: RunId}
  | {readonly do: 'make-worktree'; readonly owner: WorktreeOwner; readonly from: string}
  | {readonly do: 'remove-worktree'; readonly owner: WorktreeOwner}
  /** Made ahead while a person reads the plan, so that approving costs nothing. It ends when it is no longer wanted. */
  | {
      readonly do: 'prepare-worktrees';
      readonly run: RunId;
      readonly owners: readonly WorktreeOwner[];
      readonly from: string;
    }
  /** What the task did so far is laid over what has been merged since, conflicts marked: it repairs what only shows beside the others. */
  | {readonly do: 'renew-worktree'; readonly owner: WorktreeOwner; readonly from: string}
  /** Start it (two-phase), or go on watching it. */
  | {readonly do: 'run-session'; readonly session: SessionId}
  | {readonly do: 'stop-session'; readonly session: SessionId}
  | {readonly do: 'type-input'; readonly session: SessionId; readonly input: number}
  /** Typed when the agent takes a prompt, and looked after until it was taken. */
  | {readonly do: 'type-prompt'; readonly session: SessionId; readonly input: number}
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
  /** What earlier runs found out about the same base, rules and environment. */
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
  /** Back to what the run left there, at a person's word; what was found is kept. */
  | {
      readonly do: 'restore-branch';
      readonly run: RunId;
      readonly branch: string;
      readonly to: string;
      readonly from: string;
    }
  | {readonly do: 'bring-home'; readonly run: RunId; readonly commit: string}
  | {
      readonly do: 'write-summary';
      readonly run: RunId;
      readonly task?: TaskId;
      readonly endings: number;
    }
  | {readonly do: 'watch-service'; readonly service: string; readonly session: SessionId}
  /** Report that time has passed, no earlier than that. */
  | {readonly do: 'wait'; readonly until: number};

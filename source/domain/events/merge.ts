import type {TaskId} from '../ids.ts';
import type {Failure} from '../verdict.ts';

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

import type {AcceptWay, RunId, SessionId, TaskId} from '../../domain/index.ts';

/** A question that the person must confirm. */
export type Confirmation = {
  readonly question: string;
  /** What it is about: the title of the task, or the objective. */
  readonly title: string;
  /** What is kept, what is lost, what follows. A fact without a label belongs to the one before. */
  readonly facts: readonly {readonly label: string; readonly text: string}[];
  /** What the key that asked does now, and what Escape does. */
  readonly verb: string;
  readonly keep: string;
  readonly tone: 'bad' | 'warn' | 'good' | 'accent';
  readonly yes: ConfirmedAction;
};

export type ConfirmedAction =
  | {readonly action: 'discard'; readonly what: RunId | TaskId}
  | {readonly action: 'prepare'; readonly what: 'no-git' | 'no-commits'}
  | {readonly action: 'write-rules'; readonly text: string}
  | {readonly action: 'stop'; readonly what: RunId | TaskId | SessionId}
  | {
      readonly action: 'accept';
      readonly run: RunId;
      readonly commit: string;
      readonly way: AcceptWay;
      readonly into?: string;
    }
  | {readonly action: 'pick'; readonly task: TaskId; readonly commit: string}
  | {readonly action: 'propose'; readonly run: RunId}
  | {readonly action: 'refresh-environment'; readonly run: RunId}
  | {readonly action: 'reset'; readonly task: TaskId};

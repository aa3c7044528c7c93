import type {AcceptWay, RunId, SessionId, TaskId} from '../../domain/index.ts';
import type {TextField} from './text-field.ts';

/** An open text field, and what its text is for. */
export type OpenField = TextField & {
  readonly for: FieldPurpose;
  /** The label before the text. */
  readonly label: string;
  /** The index of the recalled objective; undefined for a new one. */
  readonly older?: number;
};

export type FieldPurpose =
  | {readonly what: 'objective'}
  /** The name of a model. The objective continues afterwards. */
  | {
      readonly what: 'model';
      readonly agent: string;
      readonly role: ModelRole;
      readonly objective: OpenField;
    }
  | {readonly what: 'palette'}
  | {
      readonly what: 'answer';
      readonly session: SessionId;
      readonly need: string;
      /**
       * The number of the question that the agent asked through its tools.
       */
      readonly asked?: number;
    }
  /** It goes to the program alone. */
  | {readonly what: 'secret'; readonly session: SessionId; readonly need: string}
  | {readonly what: 'hint'; readonly task: TaskId}
  | {readonly what: 'hand-to-agent'; readonly task: TaskId}
  | {readonly what: 'reject'; readonly run: RunId; readonly plan: string}
  | {readonly what: 'plan-again'; readonly run: RunId}
  | {
      readonly what: 'comment-plan';
      readonly run: RunId;
      /** Its hash. */ readonly plan: string;
      readonly line: number;
      readonly source: string;
    }
  | {
      readonly what: 'comment-diff';
      readonly of: RunId | TaskId;
      readonly path: string;
      readonly line: number;
      readonly text: string;
    }
  | {readonly what: 'search-pane'; readonly session: SessionId}
  | {readonly what: 'note'; readonly on: RunId | TaskId | SessionId}
  | {readonly what: 'tell'; readonly task: TaskId}
  | {readonly what: 'command'; readonly directory: string}
  /** The branch that a run is accepted into. */
  | {readonly what: 'into'; readonly run: RunId; readonly commit: string; readonly way: AcceptWay}
  | {readonly what: 'recall'}
  /** The path of a playbook. */
  | {readonly what: 'playbook'}
  /** Filters the list of all keys while it is written. */
  | {readonly what: 'find-key'};

/** Whose model is chosen: that of the worker, or that of a planner that is another agent. */
export type ModelRole = 'worker' | 'planner';

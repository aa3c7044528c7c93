import type {RunId} from '../ids.ts';
import type {Plan} from '../plan.ts';
import type {Because, PlanFailure, VoidReason} from '../run.ts';

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
  };
  /** `words`: the planner's last message, shortened and without secrets. */
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

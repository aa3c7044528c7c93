import type {BaselineDecision, BaselineFailure, BaselineSubject} from '../baseline.ts';
import type {RunId, SessionId} from '../ids.ts';
import type {Check, Plan} from '../plan.ts';
import type {CheckResult} from '../verdict.ts';

export type BaselineEvents = {
  /** Results of earlier runs for this base; `results` may be empty. */
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
  /** `plan` and `hash`: the plan with a first task that makes the check green. */
  'baseline-chosen': {
    readonly run: RunId;
    readonly check: Check;
    readonly choice: BaselineDecision;
    readonly plan?: Plan;
    readonly hash?: string;
  };
  /** Runs `check` again, or every check that is not green. */
  'baseline-asked-again': {readonly run: RunId; readonly check?: string};
};

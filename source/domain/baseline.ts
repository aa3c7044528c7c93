import type {SessionId} from './ids.ts';
import type {Check} from './plan.ts';
import type {CheckResult} from './verdict.ts';

/**
 * Results of the checks on the untouched base, and a person's decisions about those that are red
 * there.
 */
export type Baseline = {
  readonly results: readonly BaselineResult[];
  /** The base for which results of earlier runs were last looked up, and the number of lookups. */
  readonly recalled?: BaselineSubject;
  readonly recalls: number;
  /** The session that runs `setup` or a check. */
  readonly session?: SessionId;
  /** Crashes of that session; `interruptionLimit` applies. */
  readonly interruptions: number;
  /** The base cannot be checked. */
  readonly failed?: {
    readonly why: BaselineFailure;
    readonly base: string;
    readonly setup?: string;
    readonly at: number;
  };
  readonly choices: readonly BaselineChoice[];
};

/** What a result applies to. */
export type BaselineSubject = {
  readonly base: string;
  readonly rules: string;
  readonly plan: string;
  readonly setup?: string;
};

export type BaselineResult = {
  /** The commit that was checked, and the setup command that had passed there. */
  readonly base: string;
  readonly setup?: string;
  readonly result: CheckResult;
  /** Taken from an earlier run on the same tree with the same rules and environment. */
  readonly isRecalled?: true;
  /**
   * The check is red, but these services that tasks of the plan rely on were not ready: the result
   * says nothing about the base.
   */
  readonly lacks?: readonly string[];
  readonly at: number;
};

export type BaselineFailure =
  | {readonly kind: 'setup'; readonly code: number | null; readonly limit?: number}
  | {readonly kind: 'interrupted'; readonly times: number};

/**
 * What to do about a check that is red on the base. `mend`: a first task of the plan makes it
 * green. `ignore`: do not run it in this run. `no-new`: allow the failures of the base, but no
 * others. `count`: count it as usual; the plan is expected to make it green.
 */
export type BaselineDecision = 'mend' | 'ignore' | 'no-new' | 'count';

export type BaselineChoice = {
  readonly check: Check;
  readonly choice: BaselineDecision;
  readonly at: number;
};

export const noBaseline: Baseline = {results: [], recalls: 0, interruptions: 0, choices: []};

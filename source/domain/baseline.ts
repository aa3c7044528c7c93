import type {SessionId} from './ids.ts';
import type {Check} from './rules.ts';
import type {CheckResult} from './verdict.ts';

/** What the checks show on the untouched base, and what a person decided about those that are red there. */
export type Baseline = {
  readonly results: readonly BaselineResult[];
  /** For what the results of earlier runs were looked up last, and how often that was done. */
  readonly recalled?: BaselineSubject;
  readonly recalls: number;
  /** `setup`, or a check, at work. */
  readonly session?: SessionId;
  /** Crashes under it; they have the usual limit. */
  readonly interruptions: number;
  /** Nothing can be said about the base. */
  readonly failed?: {
    readonly why: BaselineFailure;
    readonly base: string;
    readonly setup?: string;
    readonly at: number;
  };
  readonly choices: readonly BaselineChoice[];
};

/** What a result is of. */
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
  /** An earlier run found it out, on the same tree with the same rules and environment. */
  readonly isRecalled?: true;
  /** It is red, and services that tasks of the plan rely on were not ready then: it says nothing about the base. */
  readonly lacks?: readonly string[];
  readonly at: number;
};

export type BaselineFailure =
  | {readonly kind: 'setup'; readonly code: number | null; readonly limit?: number}
  | {readonly kind: 'interrupted'; readonly times: number};

/**
 * What is done about a check that is red on the base. `mend`: a first task of the plan makes it green. `ignore`: it is not run in this run.
 * `no-new`: what failed on the base may fail, nothing else. `count`: it counts as ever; the plan is expected to make it green.
 */
export type BaselineDecision = 'mend' | 'ignore' | 'no-new' | 'count';

export type BaselineChoice = {
  readonly check: Check;
  readonly choice: BaselineDecision;
  readonly at: number;
};

export const noBaseline: Baseline = {results: [], recalls: 0, interruptions: 0, choices: []};

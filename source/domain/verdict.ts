import type {Check} from './plan.ts';
import type {LoopKind} from './session.ts';

/** What a task changed, captured as a git tree. */
export type Change = {
  readonly tree: string;
  readonly files: readonly ChangedFile[];
  /** Fingerprint of the files that `setup` reads. Absent if it was not computed. */
  readonly reads?: string;
};

export type ChangedFile = {
  readonly path: string;
  readonly how: 'added' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
};

/** The result of scope and rules for a change, before any check runs. */
export type Judgement = {
  /** Changed paths that the plan did not name. */
  readonly outside: readonly string[];
  /** Paths of `outside` that no plan may allow, or that a plan must name literally, and why. */
  readonly refused?: readonly RejectedPath[];
  /** Every rule, in the order of the rules file. */
  readonly rules: readonly RuleVerdict[];
};

export type RejectedPath = {readonly path: string; readonly why: string};

export type RuleVerdict = {
  readonly number: string;
  readonly verdict: 'kept' | 'broken' | 'not-checkable';
  /** For a broken rule: the path, the line or the count. */
  readonly detail?: string;
};

/**
 * How sure it is that a text is the first failure: a known format names it, it looks like one, or
 * it is only how the log ends.
 */
export type FailureConfidence = 'found' | 'likely' | 'end-of-log';

/**
 * The result of one check. A broken check (its command does not exist) says nothing about the
 * change.
 */
export type CheckResult = {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'broken';
  /** The first failure found in the log or in a report. */
  readonly firstFailure?: string;
  /** Absent in journals of older releases. */
  readonly confidence?: FailureConfidence;
  /** What was read for the first failure besides the log, and what was left out; one line. */
  readonly source?: string;
  /** Sorted names of the failures, where the tool's report has them. */
  readonly failures?: readonly string[];
  /** Tracked files that the check itself changed; reported, never committed. */
  readonly touched: readonly string[];
};

/** Why an attempt failed: only the first reason. */
export type Failure =
  | {
      readonly kind: 'no-change';
      /** Actions that the agent was not allowed to take, or files that it could not write. */
      readonly denied?: readonly string[];
    }
  | {
      readonly kind: 'scope';
      readonly paths: readonly string[];
      readonly refused?: readonly RejectedPath[];
    }
  | {readonly kind: 'rule'; readonly number: string; readonly detail: string}
  | {
      readonly kind: 'check';
      readonly name: string;
      readonly code: string;
      readonly on: 'change' | 'merge';
      readonly firstFailure: string;
      readonly confidence?: FailureConfidence;
      /** As in `CheckResult`. */
      readonly source?: string;
    }
  | {readonly kind: 'conflict'; readonly paths: readonly string[]; readonly hunks?: string}
  | {readonly kind: 'agent'; readonly words: string};

/** Why a task stopped and waits for a person. */
export type StopReason =
  | Failure
  | {readonly kind: 'gave-up'; readonly words: string}
  | {readonly kind: 'interrupted'; readonly times: number}
  | {
      readonly kind: 'budget';
      readonly budget: Budget;
      readonly used: number;
      readonly limit: number;
    }
  /** The agent was in a loop, and the project says `onLoop: stop`. */
  | {
      readonly kind: 'loop';
      readonly loop: LoopKind;
      readonly evidence: string;
      readonly times: number;
      readonly since: number;
    };

export type Budget = 'tokens' | 'wall-clock' | 'no-progress';

/** A line that a change adds. */
export type AddedLine = {readonly path: string; readonly line: number; readonly text: string};

/**
 * A changed file whose added lines could not all be read, so rules about lines cannot be verified
 * there.
 */
export type UnreadFile = {
  readonly path: string;
  readonly why: 'binary' | 'too large' | 'a line too long';
};

export function isRed(judgement: Judgement): boolean {
  return failureOfJudgement(judgement) !== undefined;
}

/** Scope first, then the first broken rule in the order of the rules file. */
export function failureOfJudgement({outside, refused, rules}: Judgement): Failure | undefined {
  if (outside.length > 0)
    return {kind: 'scope', paths: outside, ...(refused === undefined ? {} : {refused})};
  const broken = rules.find(({verdict}) => verdict === 'broken');
  return broken === undefined
    ? undefined
    : {kind: 'rule', number: broken.number, detail: broken.detail ?? ''};
}

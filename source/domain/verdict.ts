import type {Check} from './rules.ts';
import type {LoopKind} from './session.ts';

/** What a task changed, captured as a git tree. */
export type Change = {
  readonly tree: string;
  readonly files: readonly ChangedFile[];
  /** Fingerprint of the files that `setup` reads. Absent where nobody looked. */
  readonly reads?: string;
};

export type ChangedFile = {
  readonly path: string;
  readonly how: 'added' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
};

/** Scope and rules, judged on a change before any check runs. */
export type Judgement = {
  /** Changed paths that the plan did not name. */
  readonly outside: readonly string[];
  /** Those of `outside` that no plan allows, or that a plan must name itself, and why. */
  readonly refused?: readonly RefusedPath[];
  /** Every rule, in the order of the rules file. */
  readonly rules: readonly RuleVerdict[];
};

export type RefusedPath = {readonly path: string; readonly why: string};

export type RuleVerdict = {
  readonly number: string;
  readonly verdict: 'kept' | 'broken' | 'not-checkable';
  /** For a broken rule: the path, the line, the count. */
  readonly detail?: string;
};

/** What running one check showed. A broken check (its command does not exist) says nothing about the change. */
export type CheckResult = {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'broken';
  /** The first failure, as read out of the log. */
  readonly firstFailure?: string;
  /** What failed, by name, where the tool's report tells; sorted. */
  readonly failures?: readonly string[];
  /** Tracked files that the check itself changed; reported, never committed. */
  readonly touched: readonly string[];
};

/** Why an attempt is red. The first thing that is wrong, never all of them. */
export type Failure =
  | {
      readonly kind: 'no-change';
      /** What its agent was not allowed to do, or could not write. */ readonly denied?: readonly string[];
    }
  | {
      readonly kind: 'scope';
      readonly paths: readonly string[];
      readonly refused?: readonly RefusedPath[];
    }
  | {readonly kind: 'rule'; readonly number: string; readonly detail: string}
  | {
      readonly kind: 'check';
      readonly name: string;
      readonly code: string;
      readonly on: 'change' | 'merge';
      readonly firstFailure: string;
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
  /** Its agent went in circles, and the project says `onLoop: stop`. */
  | {
      readonly kind: 'loop';
      readonly loop: LoopKind;
      readonly evidence: string;
      readonly times: number;
      readonly since: number;
    };

export type Budget = 'tokens' | 'wall-clock' | 'no-progress';

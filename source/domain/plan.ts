import type {Check} from './rules.ts';

/** What the planner proposes and a person approves. `documents` reads it; nothing runs before it is approved. */
export type Plan = {
  readonly objective: string;
  /** The objective restated as a problem. */
  readonly problem: string;
  readonly rootCause: string;
  readonly assumptions: readonly string[];
  /** What must still be true afterwards. */
  readonly invariants: readonly string[];
  readonly risks: readonly string[];
  readonly rejected: readonly RejectedAlternative[];
  readonly tasks: readonly PlannedTask[];
  /** Exact validation commands, beside those of the rules file. */
  readonly validation: readonly Check[];
};

export type RejectedAlternative = {
  readonly alternative: string;
  readonly reason: string;
};

export type PlannedTask = {
  /** `t1`, `t2`, … unique in the plan. */
  readonly id: string;
  readonly title: string;
  readonly brief: string;
  /** Paths or globs, relative to the repository's root, that the task expects to change. */
  readonly files: readonly string[];
  /** Ids of earlier tasks whose merged result this one builds on. */
  readonly after: readonly string[];
  /** Names of services that must be ready while it works. */
  readonly services: readonly string[];
  readonly skill?: string;
  /** Names of the project's servers of tools that its worker gets. Absent: none. */
  readonly tools?: readonly string[];
};

/** What the planner proposes and a person approves. Nothing runs before the approval. */
export type Plan = {
  readonly objective: string;
  /** The objective restated as a problem. */
  readonly problem: string;
  readonly rootCause: string;
  readonly assumptions: readonly string[];
  /** What must still hold after the change. */
  readonly invariants: readonly string[];
  readonly risks: readonly string[];
  readonly rejected: readonly RejectedAlternative[];
  readonly tasks: readonly PlannedTask[];
  /** Validation commands in addition to those of the rules file. */
  readonly validation: readonly Check[];
};

export type RejectedAlternative = {
  readonly alternative: string;
  readonly reason: string;
};

/** What only the agent knows, for the summary of its task. */
export type AgentReport = {
  readonly rootCause?: string;
  readonly decisions?: readonly string[];
  readonly rejected?: readonly RejectedAlternative[];
};

export type PlannedTask = {
  /** `t1`, `t2`, … unique in the plan. */
  readonly id: string;
  /**
   * A variant of the earlier task of this id: the same work in a worktree of its own. A person picks
   * the variant that is merged.
   */
  readonly variantOf?: string;
  readonly title: string;
  readonly brief: string;
  /** Paths or globs, relative to the repository's root, that the task expects to change. */
  readonly files: readonly string[];
  /** Ids of earlier tasks whose merged result this one builds on. */
  readonly after: readonly string[];
  /** Names of services that must be ready while the task is worked on. */
  readonly services: readonly string[];
  readonly skill?: string;
  /** Names of the project's tool servers that the worker gets. Absent: none. */
  readonly tools?: readonly string[];
  /** The agent that works on it. Absent: the run's. */
  readonly agent?: string;
  /** The model of that agent. Absent: the run's if it is the run's agent, or the project's. */
  readonly model?: string;
};

/** The part of a rule that is checked on the change, in addition to its text. */
export type Directive =
  | {readonly kind: 'protect'; readonly globs: readonly string[]}
  | {readonly kind: 'only'; readonly globs: readonly string[]}
  | {readonly kind: 'forbid-path'; readonly globs: readonly string[]}
  | {readonly kind: 'max-files'; readonly most: number}
  | {readonly kind: 'max-lines'; readonly most: number}
  | {readonly kind: 'forbid'; readonly pattern: string; readonly flags: string}
  | {readonly kind: 'require'; readonly command: string};

/**
 * One list item of the rules file. The position is the priority: rule 1.1 outranks 1.2, section 1
 * outranks section 2.
 */
export type Rule = {
  /** `section.item`, counted from 1 in the order of the file. */
  readonly number: string;
  readonly text: string;
  readonly line: number;
  readonly tooth?: Directive;
  /** The name of the check that proves it. Absent in journals of before 0.3. */
  readonly check?: string;
};

/** One validation command. The name gives the failure code: `test` → `TEST_FAILURE`. */
export type Check = {
  readonly name: string;
  readonly command: string;
};

/** The rules file as it was when a run copied it. */
export type Rules = {
  readonly rules: readonly Rule[];
  readonly checks: readonly Check[];
  /** sha256 of the normalised text; an approval is bound to it. */
  readonly hash: string;
};

export function toFailureCode(check: Pick<Check, 'name'>): string {
  return `${check.name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_FAILURE`;
}

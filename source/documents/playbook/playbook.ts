import type {Plan, RejectedAlternative} from '../../domain/index.ts';

/** What the built-in agent follows: a plan, and for each task what to do, step by step. */
export type Playbook = {
  readonly plan?: PlaybookPlan;
  readonly tasks: readonly StepList[];
  /** For every attempt after the first. */
  readonly repairs: readonly StepList[];
};

/** A plan that leaves it to the person to say what they asked for. */
export type PlaybookPlan = Omit<Plan, 'objective'> & {readonly objective?: string};

export type StepList = {
  /** `t1`, as in the plan. */
  readonly task: string;
  readonly steps: readonly Step[];
};

export type Step = {readonly line: number} & (
  | {readonly do: 'print'; readonly text: string}
  /** Every place of `find`. */
  | {readonly do: 'replace'; readonly path: string; readonly find: string; readonly with: string}
  | {readonly do: 'write' | 'append'; readonly path: string; readonly text: string}
  | {readonly do: 'delete'; readonly path: string}
  | {readonly do: 'run'; readonly command: string; readonly mayFail: boolean}
  | {readonly do: 'ask'; readonly question: string; readonly options: readonly string[]}
  | {readonly do: 'wait'; readonly milliseconds: number}
  /** Gives up. */
  | {readonly do: 'fail'; readonly words: string}
  | {readonly do: 'report'; readonly report: PlaybookReport}
);

/** What the summary takes from the agent. */
export type PlaybookReport = {
  readonly rootCause?: string;
  readonly decisions?: readonly string[];
  readonly rejected?: readonly RejectedAlternative[];
};

import type {AgentReport, Plan, Usage} from '../domain/index.ts';

const answerPlaceholder = /\$(\$?)\{answer\}/g;

/** Whether the text has a `${answer}` to fill in. */
export function hasAnswer(text: string): boolean {
  return [...text.matchAll(answerPlaceholder)].some(([, escape]) => escape === '');
}

/** Replaces `${answer}` by the last answer, and `$${answer}` by a literal `${answer}`. */
export function withAnswer(text: string, answer: string): string {
  return text.replaceAll(answerPlaceholder, (_, escape: string) =>
    escape === '' ? answer : '${answer}',
  );
}

/** The script of the built-in agent: a plan, and the steps of each task. */
export type Playbook = {
  readonly plan?: PlaybookPlan;
  /** What the planner does before it prints the plan. */
  readonly planning: readonly PlanningStep[];
  readonly tasks: readonly StepList[];
  /** The steps of every attempt after the first. */
  readonly repairs: readonly StepList[];
};

/** A plan that may leave the objective to the person. */
export type PlaybookPlan = Omit<Plan, 'objective'> & {readonly objective?: string};

export type StepList = {
  /** `t1`, as in the plan. */
  readonly task: string;
  readonly steps: readonly Step[];
};

export type Step = {readonly line: number} & (
  | {readonly do: 'print'; readonly text: string}
  /** Replaces every occurrence of `find`. */
  | {readonly do: 'replace'; readonly path: string; readonly find: string; readonly with: string}
  | {readonly do: 'write' | 'append'; readonly path: string; readonly text: string}
  | {readonly do: 'delete'; readonly path: string}
  | {readonly do: 'run'; readonly command: string; readonly mayFail: boolean}
  | {readonly do: 'ask'; readonly question: string; readonly options: readonly string[]}
  | {readonly do: 'wait'; readonly milliseconds: number}
  /** Gives up. */
  | {readonly do: 'fail'; readonly words: string}
  | {readonly do: 'report'; readonly report: AgentReport}
  /** Counts tokens and cost, as a model would. */
  | {readonly do: 'use'; readonly usage: Usage}
);

/** A planner changes nothing and asks nobody. */
export type PlanningStep = Extract<Step, {readonly do: (typeof planningKinds)[number]}>;

export const planningKinds = ['print', 'wait', 'use'] as const;

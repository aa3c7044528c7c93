import {
  type Run,
  selectSession,
  selectSessionAgent,
  selectTaskSessions,
  selectTokens,
  type Session,
  type State,
  type Task,
  type Usage,
  usageOfAttempt,
  usageOfRun,
  usageOfSessions,
} from '../../domain/index.ts';
import {
  type ContextAudit,
  formatPlain,
  selectTaskNumber,
  toSafeLine,
  toTaskTitle,
} from '../../reports/index.ts';
import {formatCost, formatCount, pluralize} from '../../shared/index.ts';

/** What a run cost, and where it went. Costs are undefined where no agent reports them. */
export type CostView = {
  readonly tokens: number;
  readonly cost: number | undefined;
  readonly merged: number;
  /** For each merged task; undefined before the first. */
  readonly perMerged: {readonly tokens: number; readonly cost: number | undefined} | undefined;
  /** Undefined without a limit. `share`: 0 to 1, and more beyond the limit. */
  readonly budget: {readonly limit: number; readonly share: number} | undefined;
  readonly planning: Amount;
  readonly tasks: readonly TaskCost[];
  /** The largest first. */
  readonly agents: readonly AgentCost[];
  /** Tries that failed. `share`: of all tokens, 0 to 1. */
  readonly lost: {
    readonly tokens: number;
    readonly cost: number | undefined;
    readonly share: number;
  };
  /** Numbers of the merged tasks that used the fewest and the most tokens, if there are two. */
  readonly cheapest: number | undefined;
  readonly dearest: number | undefined;
};

export type Amount = {
  readonly input: number;
  readonly output: number;
  readonly cost: number | undefined;
};

export type TaskCost = Amount & {
  readonly number: number;
  readonly title: string;
  readonly tries: readonly TryCost[];
};

export type TryCost = Amount & {readonly number: number; readonly isFailed: boolean};

export type AgentCost = {
  readonly agent: string;
  readonly tokens: number;
  readonly cost: number | undefined;
};

export function selectCostView(state: State, run: Run): CostView {
  const usage = usageOfRun(state, run);
  const tokens = selectTokens(usage);
  const tasks = run.tasks.map((task, index) => toTaskCost(state, run, task, index + 1));
  const merged = run.tasks.flatMap(({stage}, index) => (stage.at === 'merged' ? [index + 1] : []));
  const failed = tasks.flatMap(({tries}) => tries.filter(({isFailed}) => isFailed));
  const lost = {tokens: sumTokens(failed), cost: sumCosts(failed)};
  const limit = run.budget.tokens;
  return {
    tokens,
    cost: usage.cost,
    merged: merged.length,
    perMerged:
      merged.length === 0
        ? undefined
        : {
            tokens: Math.round(tokens / merged.length),
            cost: usage.cost === undefined ? undefined : usage.cost / merged.length,
          },
    budget: limit === undefined || limit <= 0 ? undefined : {limit, share: tokens / limit},
    planning: toAmount(usageOfSessions(selectPlanners(state, run))),
    tasks,
    agents: selectAgentCosts(state, run),
    lost: {...lost, share: tokens === 0 ? 0 : lost.tokens / tokens},
    ...findExtremes(tasks.filter(({number}) => merged.includes(number))),
  };
}

function toTaskCost(state: State, run: Run, task: Task, number: number): TaskCost {
  return {
    number,
    title: toTaskTitle(run, task),
    ...toAmount(usageOfSessions(selectTaskSessions(state, task.id))),
    tries: task.attempts.map((attempt, index) => ({
      number: attempt.number,
      ...toAmount(usageOfAttempt(state, task, attempt.number)),
      // A try that passed and was refused at the merge is followed by a repair.
      isFailed:
        attempt.step.at === 'failed' ||
        attempt.step.at === 'gave-up' ||
        attempt.step.at === 'abandoned' ||
        index < task.attempts.length - 1,
    })),
  };
}

function toAmount({input, output, cost}: Usage): Amount {
  return {input, output, cost};
}

function selectPlanners(state: State, run: Run): Session[] {
  return run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter(({purpose}) => purpose.for === 'plan');
}

/** By the agent of each session: the planner, the run's worker, and those of single tasks. */
function selectAgentCosts(state: State, run: Run): AgentCost[] {
  const sessions = [
    ...run.tasks.flatMap(({id}) => [...selectTaskSessions(state, id)]),
    ...selectPlanners(state, run),
  ];
  const byAgent = Map.groupBy(
    sessions,
    (session) => selectSessionAgent(state, session)?.agent ?? run.request.worker,
  );
  return [...byAgent]
    .map(([agent, own]) => ({agent, usages: [usageOfSessions(own)]}))
    .map(({agent, usages}) => ({
      agent: toSafeLine(agent),
      tokens: usages.reduce((sum, usage) => sum + selectTokens(usage), 0),
      cost: sumCosts(usages),
    }))
    .filter(({tokens, cost}) => tokens > 0 || cost !== undefined)
    .toSorted((one, other) => other.tokens - one.tokens);
}

function findExtremes(tasks: readonly TaskCost[]): Pick<CostView, 'cheapest' | 'dearest'> {
  const sorted = tasks.toSorted((one, other) => sumTokens([one]) - sumTokens([other]));
  return tasks.length < 2
    ? {cheapest: undefined, dearest: undefined}
    : {cheapest: sorted[0]?.number, dearest: sorted.at(-1)?.number};
}

function sumTokens(amounts: readonly Pick<Amount, 'input' | 'output'>[]): number {
  return amounts.reduce((sum, {input, output}) => sum + input + output, 0);
}

function sumCosts(amounts: readonly {readonly cost?: number | undefined}[]): number | undefined {
  const known = amounts.flatMap(({cost}) => cost ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

/** What a run cost, as a table for a pull request or a chat. */
export function formatCostMarkdown(objective: string, view: CostView): string {
  const row = (name: string, {input, output, cost}: Amount): string =>
    `| ${name} | ${formatCount(input)} | ${formatCount(output)} | ${formatCost(cost)} |`;
  return [
    `### Cost: ${formatCell(objective)}`,
    '',
    `${formatCount(view.tokens)} tokens, ${formatCost(view.cost)}, ${pluralize(view.merged, 'merged task')}`,
    '',
    '| task | in | out | cost |',
    '|---|---:|---:|---:|',
    row('planning', view.planning),
    ...view.tasks.map((task) => row(`${task.number} ${formatCell(task.title)}`, task)),
    '',
  ].join('\n');
}

function formatCell(text: string): string {
  return formatPlain(text).replaceAll('|', '\\|');
}

/** What one agent was given at its start. */
export type PromptView = {
  /** The number of the task; undefined for the planner. */
  readonly number: number | undefined;
  readonly attempt: number | undefined;
  readonly parts: readonly {
    readonly name: string;
    readonly tokens: number;
    readonly isCut: boolean;
    /** What it would have been without the cut. */
    readonly full: number;
  }[];
  readonly tokens: number;
  /** What its session has used since. */
  readonly used: {readonly input: number; readonly output: number};
  /** The limit of a prompt, and what is left of it. */
  readonly budget: number;
  readonly left: number;
};

/** The prompts of a run in order, and the tools that stand in every prompt. */
export type PromptsView = {
  readonly prompts: readonly PromptView[];
  readonly tools: readonly {readonly name: string; readonly tokens: number}[];
};

export function toPromptsView(state: State, run: Run, audit: ContextAudit): PromptsView {
  return {
    prompts: audit.contexts.flatMap((context) => {
      const id = run.sessions.find((own) => own === context.session);
      const purpose = id === undefined ? undefined : selectSession(state, id)?.purpose;
      if (purpose?.for !== 'plan' && purpose?.for !== 'attempt') return [];
      const isAttempt = purpose.for === 'attempt';
      return [
        {
          number: isAttempt ? selectTaskNumber(run, purpose.task) : undefined,
          attempt: isAttempt ? purpose.attempt : undefined,
          parts: context.parts.map(({name, tokens, isCut, full}) => ({
            name: toSafeLine(name),
            tokens,
            isCut,
            full,
          })),
          tokens: context.tokens,
          used: {input: context.used.input, output: context.used.output},
          budget: context.budget,
          left: Math.max(0, context.budget - context.tokens),
        },
      ];
    }),
    tools: (audit.tools?.servers ?? []).map(({name, tokens}) => ({
      name: toSafeLine(name),
      tokens,
    })),
  };
}

import {
  type ComparedPart,
  type ComparedUse,
  compareContexts,
  type ContextAudit,
  describeNetworkRefusal,
} from '../../reports/index.ts';

/** What one agent used with one model. */
export type AgentUse = {
  readonly name: string;
  readonly tokens: number;
  /** Undefined where the agent reports none. */
  readonly cost: number | undefined;
  readonly sessions: number;
};

/** By agent and model, the largest first. */
export function selectAgentUse({contexts}: Pick<ContextAudit, 'contexts'>): AgentUse[] {
  const found = new Map<string, AgentUse>();
  for (const {agent, model, used} of contexts) {
    const name = model === undefined ? agent : `${agent} ${model}`;
    const before = found.get(name);
    found.set(name, {
      name,
      tokens: (before?.tokens ?? 0) + used.input + used.output,
      cost: used.cost === undefined ? before?.cost : (before?.cost ?? 0) + used.cost,
      sessions: (before?.sessions ?? 0) + 1,
    });
  }

  return [...found.values()].toSorted((one, other) => other.tokens - one.tokens);
}

/** What the tools of one server add to every prompt. */
export type ServerUse = {
  readonly name: string;
  readonly tokens: number;
  /** Of the server with the most tokens, 0 to 1. */
  readonly share: number;
  readonly tools: number;
  readonly dearest: {readonly name: string; readonly tokens: number} | undefined;
  /** The first problems, cut, and how many more there are. */
  readonly problems: readonly string[];
  readonly moreProblems: number;
};

const maxProblems = 2;
const maxProblemCharacters = 300;

export function selectServerUse(tools: NonNullable<ContextAudit['tools']>): ServerUse[] {
  const max = Math.max(1, ...tools.servers.map(({tokens}) => tokens));
  return tools.servers.map(({name, tokens, tools: own, problems}) => ({
    name,
    tokens,
    share: tokens / max,
    tools: own.length,
    dearest: own[0],
    problems: problems.slice(0, maxProblems).map((text) => text.slice(0, maxProblemCharacters)),
    moreProblems: Math.max(0, problems.length - maxProblems),
  }));
}

/** Hosts that an agent requested and the network rules blocked, each as a sentence. */
export function selectBlocked(
  audit: Pick<ContextAudit, 'refused'>,
): readonly {readonly session: string; readonly about: string; readonly text: string}[] {
  return (audit.refused ?? []).map(({session, about, times, ...refusal}) => ({
    session,
    about,
    text: `${describeNetworkRefusal(refusal)}${times > 1 ? `, ${times} times` : ''}`,
  }));
}

/** What tokens brought, by model and by part of the prompts. */
export type ComparisonView = {
  readonly models: readonly ComparedUse[];
  readonly parts: readonly ComparedPart[];
};

/** Undefined until an attempt has ended, and for a daemon that does not say how. */
export function selectComparison(
  audit: Pick<ContextAudit, 'contexts'>,
): ComparisonView | undefined {
  const {models, parts} = compareContexts(audit);
  return models.some(({attempts}) => attempts > 0)
    ? {models, parts: parts.filter(({prompts}) => prompts > 0)}
    : undefined;
}

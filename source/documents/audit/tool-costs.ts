import {sanitizeText} from '../../base/index.ts';
import {countTokens} from '../count-tokens.ts';
import {columns} from '../sessions/columns.ts';

/** What the tools of each server cost in every prompt of an agent that has it. */
export type ToolCosts = {
  /** When the servers were asked. */
  readonly at: number;
  readonly servers: readonly ServerCost[];
};

export type ServerCost = {
  readonly name: string;
  readonly tokens: number;
  /** The dearest first. */
  readonly tools: readonly {readonly name: string; readonly tokens: number}[];
  /** What of its list agents do not get, or why there is none. */
  readonly problems: readonly string[];
};

export type DescribedTool = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
};

/** Counted as a model is told of them: name, description and the form of the input. */
export function serverCostOf(
  name: string,
  tools: readonly DescribedTool[],
  problems: readonly string[] = [],
): ServerCost {
  const counted = tools.map((tool) => ({
    name: tool.name,
    tokens: countTokens(
      JSON.stringify({
        name: tool.name,
        description: tool.description,
        input_schema: tool.inputSchema,
      }),
    ),
  }));
  return {
    name,
    tokens: counted.reduce((sum, {tokens}) => sum + tokens, 0),
    tools: counted.toSorted((a, b) => b.tokens - a.tokens),
    problems,
  };
}

export function formatToolCosts({servers}: ToolCosts, width: number | undefined): string {
  const rows = servers.flatMap(({name, tokens, tools}) => [
    [name, tools.length === 0 ? 'no tools' : '', String(tokens)],
    ...tools.map((tool) => ['', tool.name, String(tool.tokens)]),
  ]);
  const problems = servers.flatMap(({name, problems: found}) =>
    found.map((text) => `${name}: ${text}\n`),
  );
  return `Tokens that the tools of each server cost in every prompt\n${columns([['SERVER', 'TOOL', 'TOKENS'], ...rows], width)}${problems.map((text) => sanitizeText(text)).join('')}`;
}

/** What was kept of an earlier asking. Never fails: what is not that is nothing. */
export function readToolCosts(text: string): ToolCosts | undefined {
  try {
    const {at, servers} = JSON.parse(text) as {readonly at?: unknown; readonly servers?: unknown};
    if (typeof at !== 'number' || !Array.isArray(servers)) return undefined;
    return {at, servers: servers.filter(isServerCost)};
  } catch {
    return undefined;
  }
}

function isServerCost(value: unknown): value is ServerCost {
  const {name, tokens, tools, problems} = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    typeof tokens === 'number' &&
    Array.isArray(tools) &&
    Array.isArray(problems)
  );
}

import {countTokens, sanitizeText} from '../shared/index.ts';
import type {Event} from '../domain/index.ts';
import {describeNetworkRefusal} from './messages/describe-reason.ts';
import {formatColumns} from './terminal-text.ts';

/** The daemon's answer to `audit`, as `audit --json` prints it. */
export type ContextAudit = {
  readonly contexts: readonly {
    readonly session: string;
    readonly for: string;
    readonly about: string;
    /** Of a worker: the number of its attempt, and how that ended; older daemons say neither. */
    readonly attempt?: number;
    readonly result?: 'green' | 'red' | 'open';
    readonly agent: string;
    readonly model?: string;
    readonly tokens: number;
    readonly budget: number;
    readonly parts: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly isCut: boolean;
      readonly full: number;
    }[];
    readonly used: {readonly input: number; readonly output: number; readonly cost?: number};
  }[];
  readonly spent: number;
  readonly validated: number;
  /** Hosts that the network rules blocked; older daemons do not report them. */
  readonly refused?: readonly BlockedHostRow[];
  /** The latest result of `--tools`. */
  readonly tools?: ToolCosts;
};

type BlockedEvent = Extract<Event, {readonly type: 'network-refused'}>;

/**
 * A host that the network rules blocked for an agent. `times` is the count of the last recorded
 * event.
 */
export type BlockedHostRow = Pick<BlockedEvent, 'session' | 'host' | 'port' | 'why' | 'times'> & {
  readonly about: string;
};

/** Each blocked host and port of each session, once. */
export function selectBlockedHosts(
  events: readonly Event[],
  subjectOf: (session: string) => string | undefined,
): BlockedHostRow[] {
  const found = new Map<string, BlockedHostRow>();
  for (const event of events) {
    const about = event.type === 'network-refused' ? subjectOf(event.session) : undefined;
    if (event.type !== 'network-refused' || about === undefined) continue;
    const {session, host, port, why, times} = event;
    const key = [session, host, port, why].join(' ');
    found.set(key, {
      session,
      about,
      host,
      port,
      why,
      times: Math.max(times, found.get(key)?.times ?? 0),
    });
  }

  return [...found.values()];
}

/**
 * A table of blocked hosts, to decide what to add to `network:` in the project file. Host names
 * come from agents and are sanitised.
 */
export function formatBlockedHosts(
  hosts: readonly BlockedHostRow[],
  width: number | undefined,
): string {
  if (hosts.length === 0) return '';
  const rows = hosts.map(({session, about, times, ...refusal}) => [
    session,
    about,
    String(times),
    sanitizeText(describeNetworkRefusal(refusal)),
  ]);
  return `\n${formatColumns([['SESSION', 'FOR', 'TIMES', 'DENIED BY THE NETWORK RULES'], ...rows], width)}`;
}

/** How many tokens the tool descriptions of each server add to every prompt. */
export type ToolCosts = {
  /** When the servers were queried. */
  readonly at: number;
  readonly servers: readonly ServerCost[];
};

export type ServerCost = {
  readonly name: string;
  readonly tokens: number;
  /** The most expensive first. */
  readonly tools: readonly {readonly name: string; readonly tokens: number}[];
  /** Tools that were left out of the list, or why there is no list. */
  readonly problems: readonly string[];
};

export type DescribedTool = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
};

/** Counts what a model reads of each tool: name, description and input schema. */
export function countServerCost(
  name: string,
  tools: readonly DescribedTool[],
  problems: readonly string[] = [],
): ServerCost {
  const costs = tools.map((tool) => ({
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
    tokens: costs.reduce((sum, {tokens}) => sum + tokens, 0),
    tools: costs.toSorted((a, b) => b.tokens - a.tokens),
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
  return (
    'Tokens that the tools of each server add to every ' +
    `prompt\n${formatColumns([['SERVER', 'TOOL', 'TOKENS'], ...rows], width)}${problems.map((text) => sanitizeText(text)).join('')}`
  );
}

/** Parses a saved `ToolCosts`. Never throws: returns undefined for anything else. */
export function parseToolCosts(text: string): ToolCosts | undefined {
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

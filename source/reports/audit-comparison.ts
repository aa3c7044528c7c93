import type {ContextAudit} from './audit.ts';
import {formatColumns} from './terminal-text.ts';

type Context = ContextAudit['contexts'][number];

/** What one run, agent or model used, and what became of it. Unknown is `null`, never 0. */
export type ComparedUse = {
  readonly name: string;
  readonly sessions: number;
  /** Attempts that have ended. */
  readonly attempts: number;
  readonly green: number;
  /** Tasks with a green attempt. */
  readonly validated: number;
  /** Of the sessions that reported tokens. */
  readonly tokens: number | null;
  readonly sessionsWithoutTokens: number;
  /** Validated changes for each 1,000 tokens. */
  readonly per1000: number | null;
};

/** What one part of the prompts cost, and how attempts ended that had it or had it not. */
export type ComparedPart = {
  readonly name: string;
  readonly prompts: number;
  /** Prompts in which it was cut. */
  readonly cut: number;
  readonly tokens: number;
  readonly attempts: number;
  readonly green: number;
  readonly attemptsWithout: number;
  readonly greenWithout: number;
  readonly validated: number;
  readonly per1000: number | null;
};

/** As `orchestra audit --compare --json` prints it. */
export type AuditComparison = {
  readonly runs: readonly ComparedUse[];
  readonly agents: readonly ComparedUse[];
  readonly models: readonly ComparedUse[];
  readonly parts: readonly ComparedPart[];
};

export function compareContexts({contexts}: Pick<ContextAudit, 'contexts'>): AuditComparison {
  const ended = contexts.filter((context) => !isUnderWay(context));
  return {
    runs: compareBy(ended, ({about}) => about.split('.', 1)[0] ?? about),
    agents: compareBy(ended, ({agent}) => agent),
    models: compareBy(ended, ({agent, model}) =>
      model === undefined ? `${agent}, its own choice` : `${agent} ${model}`,
    ),
    parts: compareParts(ended),
  };
}

/** Its tokens are not known yet, and nothing can be said about its result. */
function isUnderWay({result, used}: Context): boolean {
  return result === 'open' && used.input + used.output === 0;
}

function compareBy(
  contexts: readonly Context[],
  nameOf: (context: Context) => string,
): ComparedUse[] {
  return [...Map.groupBy(contexts, nameOf)]
    .map(([name, own]) => {
      const tokens = own.map(({used}) => used.input + used.output);
      const total = tokens.reduce((sum, count) => sum + count, 0);
      const sessionsWithoutTokens = tokens.filter((count) => count === 0).length;
      const results = countResults(own);
      return {
        name,
        sessions: own.length,
        ...results,
        tokens: total === 0 ? null : total,
        sessionsWithoutTokens,
        per1000: sessionsWithoutTokens > 0 ? null : toRate(results.validated, total),
      };
    })
    .toSorted((a, b) => (b.per1000 ?? -1) - (a.per1000 ?? -1) || (a.name < b.name ? -1 : 1));
}

function compareParts(contexts: readonly Context[]): ComparedPart[] {
  const names = [...new Set(contexts.flatMap(({parts}) => parts.map(({name}) => name)))];
  return names.map((name) => {
    const found = contexts.flatMap((context) => {
      const part = context.parts.find((one) => one.name === name);
      return part === undefined || part.tokens === 0 ? [] : [{context, part}];
    });
    const withIt = new Set(found.map(({context}) => context));
    const rest = countResults(contexts.filter((context) => !withIt.has(context)));
    const results = countResults([...withIt]);
    const tokens = found.reduce((sum, {part}) => sum + part.tokens, 0);
    return {
      name,
      prompts: found.length,
      cut: found.filter(({part}) => part.isCut).length,
      tokens,
      attempts: results.attempts,
      green: results.green,
      attemptsWithout: rest.attempts,
      greenWithout: rest.green,
      validated: results.validated,
      per1000: toRate(results.validated, tokens),
    };
  });
}

/** An attempt that was interrupted has several sessions, and counts once. */
function countResults(
  contexts: readonly Context[],
): Pick<ComparedUse, 'attempts' | 'green' | 'validated'> {
  const results = new Map(
    contexts
      .filter(({result}) => result === 'green' || result === 'red')
      .map((context) => [`${context.about} ${context.attempt ?? context.session}`, context]),
  );
  const green = [...results.values()].filter(({result}) => result === 'green');
  return {
    attempts: results.size,
    green: green.length,
    validated: new Set(green.map(({about}) => about)).size,
  };
}

function toRate(validated: number, tokens: number): number | null {
  return tokens === 0 ? null : Math.round((validated / tokens) * 1_000_000) / 1000;
}

export function formatComparison(
  {runs, agents, models, parts}: AuditComparison,
  width: number | undefined,
): string {
  if (runs.length === 0) return 'No agent has a context yet.\n';
  const uses = [
    ['RUN', runs],
    ['AGENT', agents],
    ['MODEL', models],
  ] as const;
  return [
    ...uses.map(([head, rows]) =>
      formatColumns(
        [[head, 'SESSIONS', 'GREEN', 'VALIDATED', 'TOKENS', 'PER 1,000'], ...rows.map(formatUse)],
        width,
      ),
    ),
    formatColumns(
      [
        ['PART', 'PROMPTS', 'CUT', 'TOKENS', 'GREEN WITH', 'WITHOUT', 'PER 1,000'],
        ...parts.map((part) => [
          part.name,
          String(part.prompts),
          String(part.cut),
          String(part.tokens),
          `${part.green}/${part.attempts}`,
          `${part.greenWithout}/${part.attemptsWithout}`,
          formatRate(part.per1000),
        ]),
      ],
      width,
    ),
    'PER 1,000: validated changes for each 1,000 tokens; of a part, for each 1,000 of its own.\n',
  ].join('\n');
}

function formatUse(use: ComparedUse): string[] {
  const {name, sessions, green, attempts, validated, per1000} = use;
  return [
    name,
    String(sessions),
    `${green}/${attempts}`,
    String(validated),
    formatKnownTokens(use),
    formatRate(per1000),
  ];
}

/** `12000`, `12000 and unknown`, `unknown`. */
function formatKnownTokens({tokens, sessionsWithoutTokens}: ComparedUse): string {
  if (tokens === null) return 'unknown';
  return sessionsWithoutTokens === 0 ? String(tokens) : `${tokens} and unknown`;
}

export function formatRate(rate: number | null): string {
  return rate === null ? 'unknown' : rate.toFixed(3);
}

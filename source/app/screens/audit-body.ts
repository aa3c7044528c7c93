import {type BlockedHost, describeNetworkRefusal} from '../../reports/index.ts';
import {
  blank,
  ends,
  fit,
  formatCount,
  heading,
  type Line,
  plural,
  safeLine,
  span,
  type Tone,
  widthOfLine,
} from '../model/line.ts';
import type {ContextAudit} from '../../reports/index.ts';
import type {Body, ScreenView} from './body.ts';
import {tokenChart, toolLines} from './audit-charts.ts';

type Context = ContextAudit['contexts'][number];

/**
 * The context of each agent part by part, the tokens it used, and the cost of a validated change.
 */
export function auditBody({model, size: {columns}, now}: ScreenView): Body {
  const {audit} = model.answers;
  const title = ends(
    [span(' Tokens used', 'title'), span(model.run === undefined ? '' : `  by ${model.run}`)],
    audit === undefined ? [] : [span(`${formatCost(audit)} `, 'strong')],
    columns,
  );
  if (audit === undefined)
    return {
      list: 'audit',
      head: [title],
      rows: [[span('  Reading what agents were told …', 'quiet')]],
      foot: [],
      hasCursor: false,
    };
  if (audit.contexts.length === 0)
    return {
      list: 'audit',
      head: [title],
      rows: [
        blank,
        [span('  No agent has been given a context yet.', 'quiet')],
        ...toolLines(audit.tools, columns, now),
      ],
      foot: [],
      hasCursor: false,
    };
  const max = Math.max(...audit.contexts.map(({tokens, budget}) => Math.max(tokens, budget)));
  return {
    list: 'audit',
    head: [title, legend(audit), blank],
    rows: [
      ...audit.contexts.flatMap((context) => contextLines(context, max, columns)),
      ...agentLines(audit.contexts, columns),
      ...tokenChart(
        audit.contexts.map(({session, used}) => ({
          name: session,
          tokens: used.input + used.output,
        })),
        columns,
      ),
      ...blockedLines(audit.refused ?? [], columns),
      ...toolLines(audit.tools, columns, now),
    ],
    foot: [],
    hasCursor: false,
  };
}

/** Hosts that an agent requested and the network rules blocked. */
function blockedLines(hosts: readonly BlockedHost[], columns: number): Line[] {
  if (hosts.length === 0) return [];
  return [
    blank,
    heading('  Refused by the network rules'),
    ...hosts.map(({session, about, times, ...refusal}): Line => [
      span(` ${fit(safeLine(session), 6)}${fit(safeLine(about), 8)}`, 'plain'),
      span(
        fit(
          safeLine(`${describeNetworkRefusal(refusal)}${times > 1 ? `, ${times} times` : ''}`),
          Math.max(10, columns - 16),
        ),
        'needs',
      ),
    ]),
  ];
}

function formatCost({spent, validated}: ContextAudit): string {
  return `${formatCount(spent)} spent, ${validated === 0 ? 'nothing validated yet' : `${formatCount(spent / validated)} for each of ${plural(validated, 'validated change', 'validated changes')}`}`;
}

/** Each part has its own sign, so that bars are readable without colour. */
const parts: Readonly<Record<string, readonly [string, Tone]>> = {
  rules: ['#', 'needs'],
  task: ['=', 'accent'],
  facts: ['+', 'good'],
  summaries: ['~', 'string'],
  skill: ['%', 'keyword'],
};

function legend({contexts}: ContextAudit): Line {
  const names = [...new Set(contexts.flatMap((context) => context.parts.map(({name}) => name)))];
  return [
    span('  '),
    ...names.flatMap((name) => [
      span(`${(parts[name] ?? ['?'])[0]} `, parts[name]?.[1] ?? 'plain'),
      span(`${name}   `, 'quiet'),
    ]),
    span('. room left', 'quiet'),
  ];
}

const beforeBar = 25;

function contextLines(
  {session, about, agent, tokens, budget, parts: own, used}: Context,
  max: number,
  columns: number,
): Line[] {
  const space = Math.max(16, columns - 46);
  const scale = (count: number): number => Math.round((count / max) * space);
  const bar = own
    .filter(({tokens: count}) => count > 0)
    .map(({name, tokens: count}) =>
      span(
        (parts[name] ?? ['?'])[0].repeat(Math.max(1, scale(count))),
        parts[name]?.[1] ?? 'plain',
      ),
    );
  const length = bar.reduce((sum, {text}) => sum + text.length, 0);
  const cuts = own
    .filter(({isCut}) => isCut)
    .map(({name, full, tokens: left}) =>
      span(`${name} cut to ${formatCount(left)} of ${formatCount(full)}  `, 'needs'),
    );
  const spent =
    used.input + used.output === 0
      ? []
      : [span(`used ${formatCount(used.input)} in, ${formatCount(used.output)} out  `, 'quiet')];
  return [
    [
      span(
        ` ${fit(safeLine(session), 6)}${fit(safeLine(about), 8)}${fit(safeLine(agent), 10)}`,
        'plain',
      ),
      ...bar,
      span('.'.repeat(Math.max(0, scale(budget) - length)), 'quiet'),
      span(` ${formatCount(tokens)} of ${formatCount(budget)}`, tokens > budget ? 'bad' : 'plain'),
    ],
    ...inRows([...spent, ...cuts], columns - beforeBar).map((row): Line => [
      span(' '.repeat(beforeBar)),
      ...row,
    ]),
  ];
}

/** Fills rows with as many whole pieces as fit. */
function inRows(pieces: Line, cells: number): Line[] {
  const rows: Line[] = [];
  for (const piece of pieces) {
    const last = rows.at(-1);
    if (last === undefined || widthOfLine([...last, piece]) > cells + 2) rows.push([piece]);
    else rows.splice(-1, 1, [...last, piece]);
  }

  return rows;
}

/** Tokens by agent and model. With a single one, the sum above says the same. */
function agentLines(contexts: readonly Context[], columns: number): Line[] {
  const used = new Map<string, {readonly tokens: number; readonly sessions: number}>();
  for (const {
    agent,
    model,
    used: {input, output},
  } of contexts) {
    const name = model === undefined ? agent : `${agent} ${model}`;
    const {tokens, sessions} = used.get(name) ?? {tokens: 0, sessions: 0};
    used.set(name, {tokens: tokens + input + output, sessions: sessions + 1});
  }

  const all = [...used].toSorted(([, one], [, other]) => other.tokens - one.tokens);
  const max = all[0]?.[1].tokens ?? 0;
  if (all.length < 2 || max === 0) return [];
  const space = Math.max(8, columns - beforeBar - 30);
  const rows = all.map(([name, {tokens, sessions}]): Line => [
    span(` ${fit(safeLine(name), beforeBar - 2)} `),
    span('█'.repeat(Math.max(tokens === 0 ? 0 : 1, Math.round((tokens / max) * space))), 'accent'),
    span(` ${formatCount(tokens)} in ${plural(sessions, 'session', 'sessions')}`, 'quiet'),
  ]);
  return [blank, heading(' Used by each agent'), ...rows];
}

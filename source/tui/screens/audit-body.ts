import {describeNetworkRefusal, type RefusedHost} from '../../documents/index.ts';
import {fit, safeLine} from '../model/cell-text.ts';
import {blank, ends, span, widthOfLine, type Line, type Tone} from '../model/line.ts';
import type {AuditAnswer} from '../model/model.ts';
import type {Body, ScreenView} from './body.ts';
import {toolLines} from './tool-lines.ts';
import {tokenPlot} from './token-plot.ts';
import {counted, heading, plural} from './words.ts';

type Context = AuditAnswer['contexts'][number];

/** What each agent was told, part by part, what it used, and what a validated change has cost. */
export function auditBody({model, size: {columns}, now}: ScreenView): Body {
  const {audit} = model.answers;
  const title = ends(
    [span(' Tokens used', 'title'), span(model.run === undefined ? '' : `  by ${model.run}`)],
    audit === undefined ? [] : [span(`${costOf(audit)} `, 'strong')],
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
  const most = Math.max(...audit.contexts.map(({tokens, budget}) => Math.max(tokens, budget)));
  return {
    list: 'audit',
    head: [title, legend(audit), blank],
    rows: [
      ...audit.contexts.flatMap((context) => contextLines(context, most, columns)),
      ...agentLines(audit.contexts, columns),
      ...tokenPlot(
        audit.contexts.map(({session, used}) => ({
          name: session,
          tokens: used.input + used.output,
        })),
        columns,
      ),
      ...refusedLines(audit.refused ?? [], columns),
      ...toolLines(audit.tools, columns, now),
    ],
    foot: [],
    hasCursor: false,
  };
}

/** Hosts that an agent asked for and the network rules refused. */
function refusedLines(hosts: readonly RefusedHost[], columns: number): Line[] {
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

function costOf({spent, validated}: AuditAnswer): string {
  return `${counted(spent)} spent, ${validated === 0 ? 'nothing validated yet' : `${counted(spent / validated)} for each of ${plural(validated, 'validated change', 'validated changes')}`}`;
}

/** Each part has a sign of its own, so that the bars are read without colour. */
const parts: Readonly<Record<string, readonly [string, Tone]>> = {
  rules: ['#', 'needs'],
  task: ['=', 'accent'],
  facts: ['+', 'good'],
  summaries: ['~', 'string'],
  skill: ['%', 'keyword'],
};

function legend({contexts}: AuditAnswer): Line {
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
  most: number,
  columns: number,
): Line[] {
  const room = Math.max(16, columns - 46);
  const scale = (count: number): number => Math.round((count / most) * room);
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
    .map(({name, full, tokens: kept}) =>
      span(`${name} cut to ${counted(kept)} of ${counted(full)}  `, 'needs'),
    );
  const spent =
    used.input + used.output === 0
      ? []
      : [span(`used ${counted(used.input)} in, ${counted(used.output)} out  `, 'quiet')];
  return [
    [
      span(
        ` ${fit(safeLine(session), 6)}${fit(safeLine(about), 8)}${fit(safeLine(agent), 10)}`,
        'plain',
      ),
      ...bar,
      span('.'.repeat(Math.max(0, scale(budget) - length)), 'quiet'),
      span(` ${counted(tokens)} of ${counted(budget)}`, tokens > budget ? 'bad' : 'plain'),
    ],
    ...inRows([...spent, ...cuts], columns - beforeBar).map((row): Line => [
      span(' '.repeat(beforeBar)),
      ...row,
    ]),
  ];
}

/** As many on each row as are read whole there. */
function inRows(pieces: Line, cells: number): Line[] {
  const rows: Line[] = [];
  for (const piece of pieces) {
    const last = rows.at(-1);
    if (last === undefined || widthOfLine([...last, piece]) > cells + 2) rows.push([piece]);
    else rows.splice(-1, 1, [...last, piece]);
  }

  return rows;
}

/** What each agent, with each of its models, has used in all; where there is one only, that is the sum above. */
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
  const most = all[0]?.[1].tokens ?? 0;
  if (all.length < 2 || most === 0) return [];
  const room = Math.max(8, columns - beforeBar - 30);
  const rows = all.map(([name, {tokens, sessions}]): Line => [
    span(` ${fit(safeLine(name), beforeBar - 2)} `),
    span('█'.repeat(Math.max(tokens === 0 ? 0 : 1, Math.round((tokens / most) * room))), 'accent'),
    span(` ${counted(tokens)} in ${plural(sessions, 'session', 'sessions')}`, 'quiet'),
  ]);
  return [blank, heading(' Used by each agent'), ...rows];
}

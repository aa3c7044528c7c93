import {ageOf} from '../../documents/index.ts';
import {fit, safeLine} from '../model/cell-text.ts';
import {blank, ends, span, type Line, type Tone} from '../model/line.ts';
import type {AuditAnswer} from '../model/model.ts';
import type {Body, ScreenView} from './body.ts';
import {counted, heading, plural} from './words.ts';

type Context = AuditAnswer['contexts'][number];

/** What each agent was told, part by part, what it used, and what a validated change has cost. */
export function auditBody({model, size: {columns}, now}: ScreenView): Body {
  const {audit} = model.answers;
  const title = ends([span(' Tokens used', 'title'), span(model.run === undefined ? '' : `  by ${model.run}`)], audit === undefined ? [] : [span(`${costOf(audit)} `, 'strong')], columns);
  if (audit === undefined) return {list: 'audit', head: [title], rows: [[span('  Reading what agents were told …', 'quiet')]], foot: [], hasCursor: false};
  if (audit.contexts.length === 0) return {list: 'audit', head: [title], rows: [blank, [span('  No agent has been given a context yet.', 'quiet')]], foot: [], hasCursor: false};
  const room = Math.max(16, columns - 46);
  const most = Math.max(...audit.contexts.map(({tokens, budget}) => Math.max(tokens, budget)));
  return {
    list: 'audit', head: [title, legend(audit), blank],
    rows: [...audit.contexts.flatMap((context) => contextLines(context, most, room)), blank, ...plotLines(audit.contexts, columns), ...toolLines(audit, now)],
    foot: [], hasCursor: false,
  };
}

function costOf({spent, validated}: AuditAnswer): string {
  return `${counted(spent)} spent, ${validated === 0 ? 'nothing validated yet' : `${counted(spent / validated)} for each of ${plural(validated, 'validated change', 'validated changes')}`}`;
}

/** Each part has a sign of its own, so that the bars are read without colour. */
const parts: Readonly<Record<string, readonly [string, Tone]>> = {rules: ['#', 'needs'], task: ['=', 'accent'], facts: ['+', 'good'], summaries: ['~', 'string'], skill: ['%', 'keyword']};

function legend({contexts}: AuditAnswer): Line {
  const names = [...new Set(contexts.flatMap((context) => context.parts.map(({name}) => name)))];
  return [span('  '), ...names.flatMap((name) => [span(`${(parts[name] ?? ['?'])[0]} `, parts[name]?.[1] ?? 'plain'), span(`${name}   `, 'quiet')]), span('. room left', 'quiet')];
}

function contextLines({session, about, agent, tokens, budget, parts: own, used}: Context, most: number, room: number): Line[] {
  const scale = (count: number): number => Math.round((count / most) * room);
  const bar = own.filter(({tokens: count}) => count > 0).map(({name, tokens: count}) => span((parts[name] ?? ['?'])[0].repeat(Math.max(1, scale(count))), parts[name]?.[1] ?? 'plain'));
  const length = bar.reduce((sum, {text}) => sum + text.length, 0);
  const cuts = own.filter(({isCut}) => isCut);
  const spent = used.input + used.output;
  return [
    [span(` ${fit(safeLine(session), 5)}${fit(safeLine(about), 8)}${fit(safeLine(agent), 11)}`, 'plain'), ...bar, span('.'.repeat(Math.max(0, scale(budget) - length)), 'quiet'), span(` ${counted(tokens)} of ${counted(budget)}`, tokens > budget ? 'bad' : 'plain')],
    ...(spent === 0 && cuts.length === 0 ? [] : [[span(`${' '.repeat(25)}${spent === 0 ? '' : `used ${counted(used.input)} in, ${counted(used.output)} out  `}`, 'quiet'), ...cuts.map(({name, full, tokens: kept}) => span(`${name} cut to ${counted(kept)} of ${counted(full)}  `, 'needs'))] as Line]),
  ];
}

/** What the tools of each server cost in every prompt, as `orchestra audit --tools` found it out. */
function toolLines({tools}: AuditAnswer, now: number): Line[] {
  if (tools === undefined) return [];
  const rows = tools.servers.map(({name, tokens, tools: own, problems}): Line => [
    span(` ${fit(safeLine(name), 24)}`), span(`${counted(tokens)} in every prompt, ${plural(own.length, 'tool', 'tools')}`, 'quiet'), ...(problems.length === 0 ? [] : [span(`  ${safeLine(problems[0] ?? '')}`, 'needs')]),
  ]);
  return [blank, heading(` Tools, as asked ${ageOf(now - tools.at)} ago`), ...rows];
}

const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const plotRows = 4;

/** Tokens used by one session after the other, summed up: a small plot from left to right. */
function plotLines(contexts: readonly Context[], columns: number): Line[] {
  let sum = 0;
  const sums = contexts.map(({used}) => (sum += used.input + used.output));
  if (sum === 0) return [];
  const width = Math.max(1, Math.min(6, Math.floor((columns - 16) / sums.length)));
  const shown = sums.slice(-Math.floor((columns - 16) / width));
  const rows = Array.from({length: plotRows}, (_, index) => {
    const floor = plotRows - 1 - index;
    const bars = shown.map((count) => {
      const height = (count / sum) * plotRows * steps.length - floor * steps.length;
      return (height <= 0 ? ' ' : (steps[Math.min(steps.length - 1, Math.max(0, Math.ceil(height) - 1))] ?? ' ')).repeat(Math.max(1, width - 1)).padEnd(width);
    });
    return [span(`  ${index === 0 ? counted(sum).padStart(10) : index === plotRows - 1 ? '0'.padStart(10) : ' '.repeat(10)} `, 'quiet'), span(bars.join(''), 'accent')] as Line;
  });
  const names = contexts.slice(-shown.length).map(({session}) => fit(safeLine(session), width)).join('');
  return [heading(' Tokens over time, session by session'), ...rows, [span(`${' '.repeat(13)}${names}`, 'quiet')]];
}

import {fit, safeLine} from '../model/cell-text.ts';
import {blank, span, type Line} from '../model/line.ts';
import type {AuditAnswer} from '../model/model.ts';
import {agoOf, counted, heading, paragraph, plural} from './words.ts';

const nameCells = 22;
const barCells = 16;

/** What the tools of each server cost in every prompt, as `orchestra audit --tools` found it out; the app itself starts no servers. */
export function toolLines(tools: AuditAnswer['tools'], columns: number, now: number): Line[] {
  if (tools === undefined)
    return [blank, [span('  What tools cost in every prompt: orchestra audit --tools', 'quiet')]];
  const most = Math.max(1, ...tools.servers.map(({tokens}) => tokens));
  const rows = tools.servers.flatMap(({name, tokens, tools: own, problems}): Line[] => [
    [
      span(` ${fit(safeLine(name), nameCells)} ${counted(tokens).padStart(7)}  `),
      span(
        fit(
          '█'.repeat(Math.max(tokens === 0 ? 0 : 1, Math.round((tokens / most) * barCells))),
          barCells,
        ),
        'accent',
      ),
      span(
        `  ${own.length === 0 ? 'no tools' : plural(own.length, 'tool', 'tools')}${dearestOf(own)}`,
        'quiet',
      ),
    ],
    ...problems
      .slice(0, mostProblems)
      .flatMap((text) =>
        paragraph(text.slice(0, mostCharacters), columns - 1, {first: '   ! ', tone: 'needs'}),
      ),
    ...(problems.length > mostProblems
      ? [
          [
            span(`     and ${plural(problems.length - mostProblems, 'more', 'more')}`, 'needs'),
          ] as Line,
        ]
      : []),
  ]);
  return [blank, heading(` Tools in every prompt, as asked ${agoOf(now - tools.at)}`), ...rows];
}

const mostProblems = 2;
const mostCharacters = 300;

/** The list is the dearest first. */
function dearestOf([first]: readonly {readonly name: string; readonly tokens: number}[]): string {
  return first === undefined ? '' : `, dearest ${first.name} (${counted(first.tokens)})`;
}

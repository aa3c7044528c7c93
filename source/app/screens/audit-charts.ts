import {
  blank,
  fit,
  formatAgo,
  formatCount,
  heading,
  type Line,
  paragraph,
  plural,
  safeLine,
  span,
} from '../model/line.ts';
import type {ContextAudit} from '../../reports/index.ts';

const nameCells = 22;
const barCells = 16;

/**
 * Prompt tokens of the tools of each server, as `orchestra audit --tools` measured them. The app
 * itself starts no servers.
 */
export function toolLines(tools: ContextAudit['tools'], columns: number, now: number): Line[] {
  if (tools === undefined)
    return [blank, [span('  What tools cost in every prompt: orchestra audit --tools', 'quiet')]];
  const max = Math.max(1, ...tools.servers.map(({tokens}) => tokens));
  const rows = tools.servers.flatMap(({name, tokens, tools: own, problems}): Line[] => [
    [
      span(` ${fit(safeLine(name), nameCells)} ${formatCount(tokens).padStart(7)}  `),
      span(
        fit(
          '█'.repeat(Math.max(tokens === 0 ? 0 : 1, Math.round((tokens / max) * barCells))),
          barCells,
        ),
        'accent',
      ),
      span(
        `  ${own.length === 0 ? 'no tools' : plural(own.length, 'tool', 'tools')}${formatDearest(own)}`,
        'quiet',
      ),
    ],
    ...problems
      .slice(0, maxProblems)
      .flatMap((text) =>
        paragraph(text.slice(0, maxCharacters), columns - 1, {first: '   ! ', tone: 'needs'}),
      ),
    ...(problems.length > maxProblems
      ? [
          [
            span(`     and ${plural(problems.length - maxProblems, 'more', 'more')}`, 'needs'),
          ] as Line,
        ]
      : []),
  ]);
  return [blank, heading(` Tools in every prompt, as asked ${formatAgo(now - tools.at)}`), ...rows];
}

const maxProblems = 2;
const maxCharacters = 300;

/** The list is sorted by tokens, the highest first. */
function formatDearest([first]: readonly {
  readonly name: string;
  readonly tokens: number;
}[]): string {
  return first === undefined ? '' : `, dearest ${first.name} (${formatCount(first.tokens)})`;
}

const barSteps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const chartRows = 4;
const axisCells = 13;

/** A chart of the cumulative tokens by session. If not all fit, it shows the latest. */
export function tokenChart(
  sessions: readonly {readonly name: string; readonly tokens: number}[],
  columns: number,
): Line[] {
  let sum = 0;
  const sums = sessions.map(({tokens}) => (sum += tokens));
  if (sum === 0) return [];
  const space = Math.max(1, columns - axisCells - 3);
  const width = Math.max(1, Math.min(6, Math.floor(space / sums.length)));
  const shown = sums.slice(-Math.floor(space / width));
  const rows = Array.from({length: chartRows}, (_, index): Line => {
    const bars = shown.map((count) =>
      stepAt(
        (count / sum) * chartRows * barSteps.length - (chartRows - 1 - index) * barSteps.length,
      )
        .repeat(Math.max(1, width - 1))
        .padEnd(width),
    );
    const bottom = index === chartRows - 1 ? '0' : '';
    const axis = index === 0 ? formatCount(sum) : bottom;
    return [span(`  ${axis.padStart(axisCells - 3)} `, 'quiet'), span(bars.join(''), 'accent')];
  });
  return [
    blank,
    heading(' Tokens over time, session by session'),
    ...rows,
    [
      span(
        `${' '.repeat(axisCells)}${namesBelow(
          sessions.slice(-shown.length).map(({name}) => safeLine(name)),
          width,
        )}`,
        'quiet',
      ),
    ],
  ];
}

function stepAt(height: number): string {
  return height <= 0
    ? ' '
    : (barSteps[Math.min(barSteps.length - 1, Math.ceil(height) - 1)] ?? ' ');
}

/** Names below their bars; every second or third only, if they would overlap. */
function namesBelow(names: readonly string[], width: number): string {
  const each = Math.max(
    1,
    Math.ceil((Math.min(maxNameLength, Math.max(...names.map(({length}) => length))) + 1) / width),
  );
  return names
    .filter((_, index) => index % each === 0)
    .map((name) => `${fit(name, each * width - 1)} `)
    .join('');
}

const maxNameLength = 6;

import type {ChartSegment} from '../../reports/index.ts';
import type {Token} from './tokens.ts';

/** A sign that fills a part of a line, as often as there is room. */
export type Fill = {readonly sign: string; readonly tone: Token};

export type Fills = {
  /** What a task did over time. */
  readonly chart: Readonly<Record<ChartSegment['kind'], Fill>>;
  /** The end of what still goes on. */
  readonly tip: string;
  /** The line of a time in a chart. */
  readonly tick: string;
  /** The parts of a prompt, and the room that is left. */
  readonly parts: Readonly<Record<string, Fill>>;
  readonly otherPart: Fill;
  readonly space: Fill;
  readonly arrow: string;
};

const tones: Readonly<Record<ChartSegment['kind'], Token>> = {
  work: 'run',
  checks: 'keyword',
  red: 'bad',
  'waited-for-you': 'warn',
  merged: 'good',
  you: 'accent',
};

/** Parts are told by their shade; the tones only underline it. */
const partTones: Readonly<Record<string, Token>> = {
  rules: 'warn',
  task: 'accent',
  facts: 'good',
  summaries: 'keyword',
  skill: 'string',
};

export function fillsFor({isAscii}: {readonly isAscii: boolean}): Fills {
  return isAscii ? asciiFills : unicodeFills;
}

function createFills(
  chart: Readonly<Record<ChartSegment['kind'], string>>,
  parts: Readonly<Record<string, string>>,
  signs: Pick<Fills, 'tip' | 'tick' | 'arrow'> & {readonly space: string},
): Fills {
  const toFill = (sign: string, tone: Token): Fill => ({sign, tone});
  return {
    ...signs,
    chart: {
      work: toFill(chart.work, tones.work),
      checks: toFill(chart.checks, tones.checks),
      red: toFill(chart.red, tones.red),
      'waited-for-you': toFill(chart['waited-for-you'], tones['waited-for-you']),
      merged: toFill(chart.merged, tones.merged),
      you: toFill(chart.you, tones.you),
    },
    parts: Object.fromEntries(
      Object.entries(parts).map(([name, sign]) => [name, toFill(sign, partTones[name] ?? 'text')]),
    ),
    otherPart: toFill('?', 'text'),
    space: toFill(signs.space, 'faint'),
  };
}

const unicodeFills = createFills(
  {work: '━', checks: '═', red: '✗', 'waited-for-you': '┄', merged: '✓', you: '◆'},
  {rules: '█', task: '▓', facts: '▒', summaries: '░', skill: '▚'},
  {tip: '╸', tick: '│', arrow: '→', space: '·'},
);

const asciiFills = createFills(
  {work: '=', checks: ':', red: 'x', 'waited-for-you': '.', merged: '*', you: '@'},
  {rules: '#', task: '=', facts: '+', summaries: '~', skill: '%'},
  {tip: '>', tick: '|', arrow: '->', space: '.'},
);

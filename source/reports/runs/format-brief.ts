import {cutLine, pluralize, wrapSentence, wrapWithTail} from '../../shared/index.ts';
import {createPaint, formatAge, type TextOptions, type TextTone} from '../terminal-text.ts';
import {type Brief, type BriefGroup, type BriefItem, measureAbsence} from './build-brief.ts';
import {needLines} from './needs-report.ts';

/** A brief as text: what needs the person first, then what failed, what was merged, what runs. */
export function formatBrief(
  brief: Brief,
  options: TextOptions & {
    /** The person chose the start of the period, so it says nothing about an absence. */
    readonly isAsked?: boolean;
  },
): string {
  const {width, color} = options;
  const paint = createPaint(color);
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint(title, 'title'), ...lines];
  const list = (items: readonly BriefItem[], tone?: TextTone): string[] =>
    items.flatMap((item) =>
      itemLines(item, width).map((line) => (tone === undefined ? line : paint(line, tone))),
    );
  return [
    ...wrapSentence(formatHeadline(brief, options.isAsked === true), width),
    ...part('Where you were', list(brief.before)),
    ...part(
      'Needs you',
      brief.needs.flatMap((need) =>
        needLines(need, {...options, width: width - 2}, maxOptions).map((line) => `  ${line}`),
      ),
    ),
    ...part('Failed', list(brief.failed, 'bad')),
    ...part('Merged', list(brief.merged, 'good')),
    ...part(
      'Running now',
      list(brief.running.map((item) => ({...item, words: `${item.about} ${item.words}`}))),
    ),
    ...part(
      'Services',
      list(brief.services.map((item) => ({...item, words: `${item.about}: ${item.words}`}))),
    ),
    ...part('Daemon', list(brief.house)),
    ...part(
      'What happened',
      brief.happened.flatMap((group) => groupLines(group, width, paint)),
    ),
    '',
  ].join('\n');
}

const minuteMs = 60_000;

/** How many commands a brief offers for each need; `orchestra needs` lists all. */
const maxOptions = 2;

function formatHeadline(brief: Brief, isAsked: boolean): string {
  const {since, at, needs, failed, merged, running, happened} = brief;
  const counts = (
    [
      [needs.length, 'needs you', 'need you'],
      [failed.length, 'failed', 'failed'],
      [merged.length, 'was merged', 'were merged'],
      [running.length, 'is running', 'are running'],
    ] as const
  ).flatMap(([count, one, many]) => (count === 0 ? [] : [pluralize(count, one, many)]));
  const {awayMs, backMs} = measureAbsence(brief);
  const until = backMs < minuteMs ? '' : `, until ${formatAge(backMs)} ago`;
  const away =
    isAsked || awayMs === undefined
      ? `The last ${formatAge(at - since)}.`
      : `You were away for ${formatAge(awayMs)}${until}.`;
  if (counts.length > 0) return `${away} ${counts.join(', ')}.`;
  return happened.length === 0 ? `${away} Nothing happened.` : `${away} Nothing needs you.`;
}

function itemLines({words, ageMs}: BriefItem, width: number): string[] {
  const lines =
    ageMs === null
      ? wrapSentence(words, width - 4)
      : wrapWithTail(words, `(${formatAge(ageMs)} ago)`, width - 4);
  return lines.map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);
}

function groupLines(
  {about, title, words, entries, leftOut}: BriefGroup,
  width: number,
  paint: ReturnType<typeof createPaint>,
): string[] {
  const ages = entries.map(({ageMs}) => `${formatAge(ageMs ?? 0)} ago`);
  const column = Math.max(0, ...ages.map((age) => age.length));
  return [
    ...wrapSentence(`${about} ${title}: ${words}`, width - 4).map(
      (line, index) => `${index === 0 ? '  ' : '    '}${line}`,
    ),
    ...(leftOut === 0
      ? []
      : [
          paint(
            `    ${leftOut} earlier: orchestra timeline ${about.split('.', 1)[0] ?? about}`,
            'quiet',
          ),
        ]),
    // The heading of the group already names its subject.
    ...entries.map((entry, index) =>
      paint(
        cutLine(
          `    ${(ages[index] ?? '').padStart(column)}  ` +
            (entry.words.startsWith(`${about} `)
              ? entry.words.slice(about.length + 1)
              : entry.words),
          width,
        ),
        'quiet',
      ),
    ),
  ];
}

import {cutLine} from '../../base/index.ts';
import {ageOf} from '../sessions/columns.ts';
import {absenceIn, type Brief, type BriefGroup, type BriefItem} from './brief-of.ts';
import {needLines} from './format-needs.ts';
import type {TextOptions} from './format-status.ts';
import {createPaint, type Tone} from './paint.ts';
import {wrapSentence, wrapWithTail} from './wrap-text.ts';

/** Since you left: what needs you first, then what failed, what was merged, what runs. */
export function formatBrief(
  brief: Brief,
  options: TextOptions & {
    /** The person named the moment; they may have been here since. */ readonly isAsked?: boolean;
  },
): string {
  const {width, color} = options;
  const paint = createPaint(color);
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint(title, 'title'), ...lines];
  const list = (items: readonly BriefItem[], tone?: Tone): string[] =>
    items.flatMap((item) =>
      itemLines(item, width).map((line) => (tone === undefined ? line : paint(line, tone))),
    );
  return [
    ...wrapSentence(headlineOf(brief, options.isAsked === true), width),
    ...part('Where you were', list(brief.before)),
    ...part(
      'Needs you',
      brief.needs.flatMap((need) =>
        needLines(need, {...options, width: width - 2}, mostWays).map((line) => `  ${line}`),
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
    ...part('Orchestra itself', list(brief.house)),
    ...part(
      'What happened',
      brief.happened.flatMap((group) => groupLines(group, width, paint)),
    ),
    '',
  ].join('\n');
}

const minuteMs = 60_000;

/** In a brief the usual answers are enough; `orchestra needs` has all of them. */
const mostWays = 2;

function headlineOf(brief: Brief, isAsked: boolean): string {
  const {since, at, needs, failed, merged, running, happened} = brief;
  const counts = [
    counted(needs.length, 'needs you', 'need you'),
    counted(failed.length, 'failed', 'failed'),
    counted(merged.length, 'was merged', 'were merged'),
    counted(running.length, 'is running', 'are running'),
  ].filter((words) => words !== '');
  const {awayMs, backMs} = absenceIn(brief);
  const until = backMs < minuteMs ? '' : `, until ${ageOf(backMs)} ago`;
  const away =
    isAsked || awayMs === undefined
      ? `The last ${ageOf(at - since)}.`
      : `You were away for ${ageOf(awayMs)}${until}.`;
  if (counts.length > 0) return `${away} ${counts.join(', ')}.`;
  return happened.length === 0 ? `${away} Nothing happened.` : `${away} Nothing needs you.`;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}

function itemLines({words, ageMs}: BriefItem, width: number): string[] {
  const lines =
    ageMs === null
      ? wrapSentence(words, width - 4)
      : wrapWithTail(words, `(${ageOf(ageMs)} ago)`, width - 4);
  return lines.map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);
}

function groupLines(
  {about, title, words, entries, leftOut}: BriefGroup,
  width: number,
  paint: ReturnType<typeof createPaint>,
): string[] {
  const ages = entries.map(({ageMs}) => `${ageOf(ageMs ?? 0)} ago`);
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
    // The group has its name already.
    ...entries.map((entry, index) =>
      paint(
        cutLine(
          `    ${(ages[index] ?? '').padStart(column)}  ${entry.words.startsWith(`${about} `) ? entry.words.slice(about.length + 1) : entry.words}`,
          width,
        ),
        'quiet',
      ),
    ),
  ];
}

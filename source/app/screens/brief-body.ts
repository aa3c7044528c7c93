import {type Brief, type BriefItem, buildNeedsReport, measureAbsence} from '../../reports/index.ts';
import {
  blank,
  formatAge,
  formatAgo,
  heading,
  type Line,
  maxProseColumns,
  paragraph,
  plural,
  span,
  type Tone,
} from '../model/line.ts';
import type {Body, ScreenView} from './body.ts';
import {formatForTask} from './need-in-brief.ts';

/** What happened since the last visit: needs first, then failures, merges and running work. */
export function briefBody({model, state, size, now}: ScreenView): Body {
  const columns = Math.min(size.columns, maxProseColumns);
  const brief = model.answers.brief;
  if (brief === undefined)
    return {
      list: 'brief',
      head: [],
      rows: [blank, [span('  Reading what happened …', 'quiet')]],
      foot: [],
      hasCursor: false,
    };
  // Needs are current; the rest is as of the request.
  const {needs} = buildNeedsReport(state, now);
  const rows = [
    ...part(
      'Needs you',
      needs.map(({words, ageMs}) => ({words: formatForTask(words, state), ageMs, about: ''})),
      columns,
      '!',
      'needs',
    ),
    ...part('Failed', brief.failed, columns, '!', 'bad'),
    ...part('Merged', brief.merged, columns, '✓', 'good'),
    ...part(
      'Running now',
      brief.running.map((item) => ({...item, words: `${item.about}  ${item.words}`})),
      columns,
      '●',
      'plain',
    ),
    ...part(
      'Services',
      brief.services.map((item) => ({...item, words: `${item.about}: ${item.words}`})),
      columns,
      '·',
      'plain',
    ),
    ...part('Orchestra itself', brief.house, columns, '·', 'plain'),
    ...part('Where you were', brief.before, columns, '·', 'quiet'),
    ...happened(brief, columns),
  ];
  return {
    list: 'brief',
    head: [blank, [span(`  ${formatHeadline(brief, needs.length)}`, 'strong')], blank],
    rows: rows.length === 0 ? [[span('  Nothing happened.', 'quiet')]] : rows,
    foot: [],
    hasCursor: false,
  };
}

function formatHeadline(brief: Brief, needs: number): string {
  const {failed, merged, running} = brief;
  const away = formatAbsence(brief);
  const counts = [
    needs === 0 ? 'nothing needs you' : plural(needs, 'thing needs you', 'things need you'),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(merged.length === 0 ? [] : [`${merged.length} merged`]),
    ...(running.length === 0 ? [] : [`${running.length} running`]),
  ];
  const text = counts.join(', ');
  return `${away} ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function formatAbsence(brief: Brief): string {
  const {since, at} = brief;
  const {awayMs, backMs} = measureAbsence(brief);
  const isJustBack = formatAge(backMs) === 'just now';
  if (since === 0) return 'Welcome.';
  if (awayMs === undefined)
    return isJustBack ? 'You are back.' : `The last ${formatAge(at - since)}.`;
  return `You were away for ${formatAge(awayMs)}${isJustBack ? '' : `, until ${formatAge(backMs)} ago`}.`;
}

function part(
  title: string,
  items: readonly BriefItem[],
  columns: number,
  mark: string,
  tone: Tone,
): Line[] {
  if (items.length === 0) return [];
  return [
    heading(`  ${title}`),
    ...items.flatMap(({words, ageMs}) =>
      paragraph(
        `${words}${ageMs === null ? '' : ` (${formatAgo(ageMs).replaceAll(' ', '\u00A0')})`}`,
        columns - 3,
        {first: `  ${mark} `, tone},
      ),
    ),
    blank,
  ];
}

function happened({happened: groups}: Brief, columns: number): Line[] {
  if (groups.length === 0) return [];
  return [
    heading('  What happened'),
    ...groups.flatMap(({about, title, words, entries, leftOut}) => [
      ...paragraph(`${about} ${title}: ${words}`, columns - 3, {first: '    '}),
      ...(leftOut === 0 ? [] : [[span(`      ${leftOut} earlier, in the timeline`, 'quiet')]]),
      ...entries.flatMap((entry) => [
        [
          span(
            `      ${formatAgo(entry.ageMs ?? 0).padStart(11)}  ${entry.words.startsWith(`${about} `) ? entry.words.slice(about.length + 1) : entry.words}`,
            'quiet',
          ),
        ] as Line,
      ]),
    ]),
  ];
}

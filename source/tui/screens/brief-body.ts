import {absenceIn, needsReport, type Brief, type BriefItem} from '../../documents/index.ts';
import {blank, span, type Line, type Tone} from '../model/line.ts';
import type {Body, ScreenView} from './body.ts';
import {inTaskWords} from './in-task-words.ts';
import {agoOf, calmAge, heading, paragraph, plural, readable} from './words.ts';

/** Since you left: what needs you first, then what failed, what was merged, what runs. */
export function briefBody({model, state, size, now}: ScreenView): Body {
  const columns = Math.min(size.columns, readable);
  const brief = model.answers.brief;
  if (brief === undefined)
    return {
      list: 'brief',
      head: [],
      rows: [blank, [span('  Reading what happened …', 'quiet')]],
      foot: [],
      hasCursor: false,
    };
  // What needs the person is told as it is now, the rest as it was read.
  const {needs} = needsReport(state, now);
  const rows = [
    ...part(
      'Needs you',
      needs.map(({words, ageMs}) => ({words: inTaskWords(words, state), ageMs, about: ''})),
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
    head: [blank, [span(`  ${headlineOf(brief, needs.length)}`, 'strong')], blank],
    rows: rows.length === 0 ? [[span('  Nothing happened.', 'quiet')]] : rows,
    foot: [],
    hasCursor: false,
  };
}

function headlineOf(brief: Brief, needs: number): string {
  const {failed, merged, running} = brief;
  const away = absenceInWords(brief);
  const counts = [
    needs === 0 ? 'nothing needs you' : plural(needs, 'thing needs you', 'things need you'),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(merged.length === 0 ? [] : [`${merged.length} merged`]),
    ...(running.length === 0 ? [] : [`${running.length} running`]),
  ];
  const words = counts.join(', ');
  return `${away} ${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function absenceInWords(brief: Brief): string {
  const {since, at} = brief;
  const {awayMs, backMs} = absenceIn(brief);
  const isJustBack = calmAge(backMs) === 'just now';
  if (since === 0) return 'Welcome.';
  if (awayMs === undefined)
    return isJustBack ? 'You are back.' : `The last ${calmAge(at - since)}.`;
  return `You were away for ${calmAge(awayMs)}${isJustBack ? '' : `, until ${calmAge(backMs)} ago`}.`;
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
        `${words}${ageMs === null ? '' : ` (${agoOf(ageMs).replaceAll(' ', '\u00A0')})`}`,
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
            `      ${agoOf(entry.ageMs ?? 0).padStart(11)}  ${entry.words.startsWith(`${about} `) ? entry.words.slice(about.length + 1) : entry.words}`,
            'quiet',
          ),
        ] as Line,
      ]),
    ]),
  ];
}

import {cutLine} from '../../base/index.ts';
import {ageOf} from '../sessions/columns.ts';
import type {TextOptions} from './format-status.ts';
import {createPaint} from './paint.ts';
import type {Timeline} from './timeline-of.ts';
import {toneOf} from './tone-of.ts';

/** One event a line, the oldest first, each with its age. */
export function formatTimeline(
  {entries, earlier}: Timeline,
  {width, color, now}: TextOptions & {readonly now: number},
): string {
  if (entries.length === 0) return 'Nothing has happened yet.\n';
  const paint = createPaint(color);
  const ages = entries.map(({at}) => `${ageOf(now - at)} ago`);
  const column = Math.max(...ages.map((age) => age.length));
  const lines = entries.map(({type, words}, index) => {
    const text = cutLine(words, Math.max(8, width - column - 2));
    const tone = toneOf(type);
    return `${(ages[index] ?? '').padStart(column)}  ${tone === undefined ? text : paint(text, tone)}`;
  });
  return `${[...(earlier === 0 ? [] : [`${earlier} earlier`]), ...lines].join('\n')}\n`;
}

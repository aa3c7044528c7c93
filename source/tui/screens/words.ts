import {safeLine, wrap} from '../model/cell-text.ts';
import {span, type Line, type Tone} from '../model/line.ts';

/** An age that changes once a minute at most, so that nothing is drawn for its sake alone. */
export function calmAge(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

export function agoOf(milliseconds: number): string {
  const age = calmAge(milliseconds);
  return age === 'just now' ? age : `${age} ago`;
}

/** Somebody's text as rows, each behind the indent; `first` stands before the first one. */
export function paragraph(
  text: string,
  columns: number,
  {
    first = '',
    indent = first.length,
    tone = 'plain',
  }: {readonly first?: string; readonly indent?: number; readonly tone?: Tone} = {},
): Line[] {
  return text
    .split('\n')
    .flatMap((one) => wrap(safeLine(one), columns - indent))
    .map((row, index) => [
      span(`${index === 0 ? first.padEnd(indent) : ' '.repeat(indent)}${row}`, tone),
    ]);
}

/** Prose is read in lines of at most so many cells, however wide the window is. */
export const readable = 110;

export function heading(text: string): Line {
  return [span(text, 'title')];
}

/** `12,300`; a count that is read at a glance. */
export function counted(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A short name of a hash. */
export function shortHash(hash: string): string {
  return safeLine(hash).slice(0, 10);
}

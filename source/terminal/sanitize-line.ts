import {sanitizeText} from '../base/index.ts';
import {widthOf} from './width-of.ts';

/** A label: one line of at most `most` cells in which nothing acts on a terminal, hides or reorders. For names and titles that others chose. */
export function sanitizeLine(text: string, most = 80): string {
  // Cut before it is made safe, because a name of a megabyte is not worth the work; and after, because escapes are longer.
  const line = sanitizeText(text.slice(0, most * 4).replaceAll(/[\t\n\v\f\r]+/g, ' ')).trim();
  return cutToWidth(line, most);
}

function cutToWidth(line: string, most: number): string {
  let width = 0;
  let end = 0;
  let lastFit = 0;
  for (const character of line) {
    width += widthOf(character.codePointAt(0) ?? 0);
    if (width > most) return `${line.slice(0, lastFit)}…`;
    end += character.length;
    if (width < most) lastFit = end;
  }

  return line;
}

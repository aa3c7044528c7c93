import {cutLine, sanitizeText} from '../shared/index.ts';
import {createReader} from './create-reader.ts';

/**
 * Makes a label: one line of at most `max` cells without control, hidden or reordering characters.
 * For names and titles from others.
 */
export function sanitizeLine(text: string, max = 80): string {
  // Cut before sanitizing, because a name of a megabyte is not worth the work; and after it,
  // because escapes are longer.
  const line = sanitizeText(text.slice(0, max * 4).replaceAll(/[\t\n\v\f\r]+/g, ' ')).trim();
  return cutLine(line, max);
}

/**
 * Makes text safe for a writer that does not filter (Ink): colours, styles, lines and tabs stay,
 * everything else is dropped.
 */
export function preserveStyles(text: string): string {
  let drawnText = '';
  const reader = createReader({
    draw(drawn) {
      drawnText += drawn;
    },
    control: () => '',
    escape: () => '',
    sequence: (name) => (name === 'm' ? undefined : ''),
    string: () => undefined,
  });
  reader.read(text);
  const lines = drawnText.replaceAll(/\r\n?|[\b]/g, (character) =>
    character === '\r\n' ? '\n' : '',
  );
  return lines.includes('\u001B') ? `${lines}\u001B[m` : lines;
}

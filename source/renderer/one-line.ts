import {sanitizeText} from '../base/index.ts';

/** Hostile text on one line: safe to print, and no longer than a person reads. */
export function oneLine(text: string, most = 160): string {
  const line = sanitizeText(
    text
      .slice(0, most * 4)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

import {sanitizeText} from '../base/index.ts';

/**
 * What an agent says, whole: only what acts on a terminal, hides or reorders is made visible, as the escape that JSON has for
 * it. So a plan that has such characters in its strings, as texts in Persian do, is still the same plan to whoever reads it.
 */
export function shownText(text: string): string {
  return text
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(suspicious, (character) =>
      sanitizeText(character) === character ? character : escaped(character),
    );
}

const suspicious = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2060-\u2069\u{E0000}-\u{E007F}]/gu;

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

import {hiddenCharactersOf} from '../hidden-characters.ts';
import {type Lint, lint} from './lint.ts';

/** One finding for each line with characters that a person cannot see. */
export function findHidden(text: string): Lint[] {
  return text.split('\n').flatMap((line, index) => {
    const hidden = hiddenCharactersOf(line);
    if (hidden.length === 0) return [];
    const places = hidden.slice(0, 3).map(({code, column}) => `${code} in column ${column}`);
    const more = hidden.length > places.length ? ` and ${hidden.length - places.length} more` : '';
    return [
      lint(
        'hidden-character',
        index + 1,
        `Expected text that shows what it is, got hidden characters: ${places.join(', ')}${more}. Take them away.`,
      ),
    ];
  });
}

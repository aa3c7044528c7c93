import {findHiddenCharacters, type Problem} from '../shared/index.ts';

/** One finding about a rules file. */
export type Lint = Problem & {readonly level: 'error' | 'warning'; readonly name: LintName};

export type LintName = keyof typeof lintLevels;

export function lint(name: LintName, line: number, text: string): Lint {
  return {line, level: lintLevels[name], name, text};
}

/**
 * All findings. Names are stable, because people silence and search for them. An error means that a
 * rule does not do what its author thinks; the rest are warnings. docs/rules-file.md explains each
 * one.
 */
export const lintLevels = {
  'too-large': 'error',
  'not-utf8': 'error',
  'unclosed-block': 'error',
  'hidden-character': 'warning',
  'hidden-in-tooth': 'error',
  'misspelt-tooth': 'error',
  'unknown-tooth': 'warning',
  'tooth-not-last': 'error',
  'empty-tooth': 'error',
  'bad-glob': 'error',
  'bad-number': 'error',
  'bad-pattern': 'error',
  'slow-pattern': 'error',
  'bad-check-name': 'error',
  'duplicate-check': 'error',
  'check-outside-validation': 'error',
  'check-without-name': 'error',
  'no-rules': 'error',
  'no-checks': 'warning',
  'empty-validation': 'error',
  'vague-check': 'error',
  'check-cannot-fail': 'warning',
  'check-never-ends': 'warning',
  'retry-not-once': 'error',
  contradiction: 'error',
  'duplicate-rule': 'warning',
  'duplicate-section': 'warning',
  'section-misnumbered': 'warning',
  'rules-before-heading': 'warning',
  'style-above-constraints': 'warning',
  'prose-ignored': 'warning',
  'shallow-glob': 'warning',
  manifesto: 'warning',
} as const satisfies Readonly<Record<string, Lint['level']>>;

/** One finding for each line with hidden characters. */
export function lintHiddenCharacters(text: string): Lint[] {
  return text.split('\n').flatMap((line, index) => {
    const hidden = findHiddenCharacters(line);
    if (hidden.length === 0) return [];
    const places = hidden.slice(0, 3).map(({code, column}) => `${code} in column ${column}`);
    const more = hidden.length > places.length ? ` and ${hidden.length - places.length} more` : '';
    return [
      lint(
        'hidden-character',
        index + 1,
        `Expected visible text, got hidden characters: ${places.join(', ')}${more}. Remove them.`,
      ),
    ];
  });
}

import {nearest} from '../../base/index.ts';
import type {Check} from '../../domain/index.ts';
import {checkName} from '../check-name.ts';
import {looksLikeCommand} from '../command-quality.ts';
import {excerpt} from '../excerpt.ts';
import {hasHiddenCharacters} from '../hidden-characters.ts';
import {type Lint, lint} from './lint.ts';
import {type ToothReading, isToothKind, readTooth, toothKinds} from './read-tooth.ts';

/** What the code span at the end of an item turned out to be: a tooth, a check, or only words. */
export type ClaimReading = ToothReading & {readonly check?: Check};

export type Place = {readonly line: number; readonly isValidation: boolean};

export function readClaim(span: string, {line, isValidation}: Place): ClaimReading {
  const [, word = '', value = ''] = /^([A-Za-z][\w-]*)\s*:(.*)$/s.exec(span) ?? [];
  if (isToothKind(word))
    return unlessHollow(span, value, line, () => readTooth(word, value.trim(), line));
  return isValidation ? readCheck(span, line) : {problems: doubtsAbout(span, line)};
}

/** Whether a span that is not at the end of its item was meant to be a tooth or a check. */
export function isMisplaced(span: string, {isValidation}: Pick<Place, 'isValidation'>): boolean {
  const [, word = '', value = ''] = /^([a-z][\w-]*)\s*:\s*(\S.*)$/s.exec(span) ?? [];
  return (
    value !== '' &&
    (isToothKind(word) || (isValidation && checkName.test(word) && looksLikeCommand(value)))
  );
}

/** Reads what says something and can be seen; the rest is a problem. */
function unlessHollow(
  span: string,
  value: string,
  line: number,
  read: () => ClaimReading,
): ClaimReading {
  if (value.trim() === '')
    return {
      problems: [
        lint(
          'empty-tooth',
          line,
          `Nothing stands after \`${excerpt(span)}\`, so it does nothing. Write what it is about, or take it away.`,
        ),
      ],
    };
  if (!hasHiddenCharacters(span)) return read();
  return {
    problems: [
      lint(
        'hidden-in-tooth',
        line,
        `\`${excerpt(span)}\` has hidden characters, so it is not what it looks like and does nothing. Type it again.`,
      ),
    ],
  };
}

/** `name: command`, with a space: `node:fs` and `https://…` are words. */
function readCheck(span: string, line: number): ClaimReading {
  const [, name = '', command = ''] = /^([^:]{1,60}):(|\s.*)$/s.exec(span) ?? [];
  if (checkName.test(name))
    return unlessHollow(span, command, line, () => ({
      check: {name, command: command.trim()},
      problems: [],
    }));
  if (name !== '' && command.trim() !== '') {
    return {
      problems: [
        lint(
          'bad-check-name',
          line,
          `Expected a check's name of small letters, digits and "-" (at most 31), got "${excerpt(name)}", so it is not run. Write \`${slugOf(name)}: ${excerpt(command.trim())}\`.`,
        ),
      ],
    };
  }

  return {problems: looksLikeCommand(span) ? [namelessCheck(span, line)] : []};
}

export function namelessCheck(span: string, line: number): Lint {
  return lint(
    'check-without-name',
    line,
    `The command \`${excerpt(span)}\` has no name, so it is not run. End the item with \`name: command\`, for example \`test: ${excerpt(span)}\`.`,
  );
}

/** Outside the validation section: a slip of the pen is an error, a check that will not run too; the rest may be words. */
function doubtsAbout(span: string, line: number): Lint[] {
  const [, word = '', value = ''] = /^([A-Za-z][\w-]{0,40})\s*:\s+(\S.*)$/s.exec(span) ?? [];
  if (word === '') return [];

  const meant = nearest(word.toLowerCase(), toothKinds);
  if (meant !== undefined) {
    return [
      lint(
        'misspelt-tooth',
        line,
        `\`${word}:\` is not a tooth, so it does nothing. Did you mean \`${meant}:\`?`,
      ),
    ];
  }

  if (looksLikeCommand(value) || /^(?:tests?|build|lint|typecheck)$/.test(word)) {
    return [
      lint(
        'check-outside-validation',
        line,
        `\`${excerpt(span)}\` looks like a check, but only a section whose title says "validation" has checks, so it is not run. Move it there.`,
      ),
    ];
  }

  // `strict: true` and `color: red` end many an honest sentence.
  if (/^[A-Z]/.test(word) || /^(?:[\w-]+|"[^"]*"|'[^']*')[;,]?$/.test(value)) return [];
  return [
    lint(
      'unknown-tooth',
      line,
      `\`${word}:\` is not a tooth, so it does nothing. The teeth are ${toothKinds.map((kind) => `\`${kind}:\``).join(', ')}.`,
    ),
  ];
}

function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+/, '')
      .slice(0, 31)
      .replace(/-$/, '') || 'test'
  );
}

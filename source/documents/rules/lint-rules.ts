import {contradictionsOf} from './contradictions-of.ts';
import {contradictsRetryLaw} from './contradicts-retry-law.ts';
import {findRepeats} from './find-repeats.ts';
import {type Lint, lint} from './lint.ts';
import {lintChecks} from './lint-checks.ts';
import {lintSections} from './lint-sections.ts';
import type {RulesReading} from './read-rules.ts';
import {rulesTokens} from './rules-tokens.ts';

/** Everything to tell the author of a rules file, in the order of its lines. */
export function lintRules(reading: RulesReading): Lint[] {
  if (reading.outline.isRefused) return [...reading.problems];
  const lints = [
    lintLength,
    lintSections,
    lintChecks,
    lintContradictions,
    lintRetries,
    lintGlobs,
    findRepeats,
  ].flatMap((find) => find(reading));
  return [...reading.problems, ...lints].toSorted((a, b) => a.line - b.line);
}

/** More than this and an agent no longer keeps the rules apart from the rest. */
const mostTokens = 1500;

function lintLength({value}: RulesReading): Lint[] {
  if (value.rules.length === 0)
    return [
      lint(
        'no-rules',
        1,
        'Expected rules as list items (- …) under headings, got none. Write at least one.',
      ),
    ];
  const tokens = rulesTokens(value);
  if (tokens <= mostTokens) return [];
  return [
    lint(
      'manifesto',
      1,
      `The rules are ${tokens} tokens, and every prompt carries them; expected at most ${mostTokens}. Keep what a check or a reviewer would insist on.`,
    ),
  ];
}

function lintContradictions({value}: RulesReading): Lint[] {
  return contradictionsOf(value.rules).map(({earlier, later, text}) =>
    lint(
      'contradiction',
      later.line,
      `Rule ${later.number} contradicts rule ${earlier.number} on line ${earlier.line}: ${text}. The earlier wins; change one of them.`,
    ),
  );
}

function lintRetries({outline}: RulesReading): Lint[] {
  return outline.sections
    .flatMap(({entries}) => entries)
    .filter(({isValidation, rule}) => isValidation && contradictsRetryLaw(rule.text))
    .map(({rule}) =>
      lint(
        'retry-not-once',
        rule.line,
        `Rule ${rule.number} asks for something else than one retry. orchestra repairs and validates again exactly once, then stops and explains; say so or leave it out.`,
      ),
    );
}

function lintGlobs({value}: RulesReading): Lint[] {
  return value.rules.flatMap(({tooth, line}) => {
    if (tooth === undefined || !('globs' in tooth)) return [];
    return tooth.globs
      .filter((glob) => glob.includes('*') && !glob.includes('/') && glob !== '**')
      .map((glob) =>
        lint(
          'shallow-glob',
          line,
          `"${glob}" matches at the root of the repository only. Write "**/${glob}" for every folder.`,
        ),
      );
  });
}

import {cannotFail, neverEnds, vaguenessOf} from '../command-quality.ts';
import {excerpt} from '../excerpt.ts';
import {type Lint, lint} from './lint.ts';
import type {Entry, RulesReading} from './read-rules.ts';

/** Findings about the commands: that there are any, and that each can tell good from bad. */
export function lintChecks({value, outline: {sections}}: RulesReading): Lint[] {
  const entries = sections.flatMap((section) => section.entries);
  return [...missing(entries, value.checks.length), ...entries.flatMap(doubtsAbout)];
}

function missing(entries: readonly Entry[], checks: number): Lint[] {
  if (checks > 0 || entries.length === 0) return [];
  const first = entries.find(({isValidation}) => isValidation);
  if (first !== undefined)
    return [
      lint(
        'empty-validation',
        first.rule.line,
        'No item of the validation section ends in a check, so nothing is validated. End one with `name: command`, for example `test: npm test`.',
      ),
    ];
  return [
    lint(
      'no-checks',
      1,
      'Expected a section "Validation" with checks, got none, so only the plan says what is validated. Add one with `test: npm test` or the like.',
    ),
  ];
}

function doubtsAbout({rule: {tooth, line}, check}: Entry): Lint[] {
  const command = check?.command ?? (tooth?.kind === 'require' ? tooth.command : undefined);
  if (command === undefined) return [];

  const vagueness = vaguenessOf(command);
  const shown = excerpt(command);
  if (vagueness !== undefined) return [lint('vague-check', line, `"${shown}" ${vagueness}`)];
  return [
    ...(cannotFail(command)
      ? [
          lint(
            'check-cannot-fail',
            line,
            `"${shown}" succeeds whatever happens, so it proves nothing. Let it fail.`,
          ),
        ]
      : []),
    ...(neverEnds(command)
      ? [
          lint(
            'check-never-ends',
            line,
            `"${shown}" watches or serves and does not end by itself, so it will be stopped as a failure. Use the command that runs once.`,
          ),
        ]
      : []),
  ];
}

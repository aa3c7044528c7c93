import {lint, type Lint} from './lint.ts';
import type {RuleEntry, RulesParseResult, RulesSection} from './parse-rules.ts';
import {contradictsSingleRetry, findContradictions} from './contradictions.ts';
import {cannotFail, findVagueness, neverEnds} from './command-quality.ts';
import {countTokens, excerpt} from '../shared/index.ts';
import type {Rules} from '../domain/index.ts';
import {formatDirective} from './directives.ts';

/** All findings about a rules file, in the order of its lines. */
export function lintRules(parsed: RulesParseResult): Lint[] {
  if (parsed.outline.isRejected) return [...parsed.problems];
  const lints = [
    lintLength,
    lintSections,
    lintChecks,
    lintContradictions,
    lintRetries,
    lintGlobs,
    findRepeats,
  ].flatMap((find) => find(parsed));
  return [...parsed.problems, ...lints].toSorted((a, b) => a.line - b.line);
}

/** Findings about the outline: the order of sections, and text outside of rules. */
export function lintSections({outline: {sections}}: RulesParseResult): Lint[] {
  return [
    ...lintUntitled(sections),
    ...lintNumbers(sections),
    ...lintStyleAbove(sections),
    ...lintProse(sections),
  ];
}

function lintUntitled(sections: readonly RulesSection[]): Lint[] {
  return sections
    .filter(({title, shown}) => title === '' && shown === undefined)
    .map(({entries, line}) =>
      lint(
        'rules-before-heading',
        entries[0]?.rule.line ?? line,
        'Expected a heading with a title above these rules, got none. Put one there that ' +
          'says what they have in common.',
      ),
    );
}

function lintNumbers(sections: readonly RulesSection[]): Lint[] {
  const first = sections.find(({number, shown}) => shown !== undefined && shown !== number);
  if (first === undefined) return [];
  return [
    lint(
      'section-misnumbered',
      first.line,
      `The heading says ${String(first.shown)}, but this is section ${first.number}: ` +
        'position is priority, not the number. Number the headings in their order.',
    ),
  ];
}

function lintStyleAbove(sections: readonly RulesSection[]): Lint[] {
  const isStyle = ({title}: RulesSection): boolean =>
    styleTitle.test(title) && !constraintTitle.test(title);
  const isConstraint = ({title}: RulesSection): boolean =>
    constraintTitle.test(title) && !styleTitle.test(title);
  const last = sections.findLast(isConstraint);
  if (last === undefined) return [];
  return sections
    .filter((section) => isStyle(section) && section.number < last.number)
    .map((section) =>
      lint(
        'style-above-constraints',
        section.line,
        `"${section.title}" is above "${last.title}" (line ${last.line}), so style has ` +
          'priority over what must not break. Move it below.',
      ),
    );
}

const styleTitle =
  /\b(?:style|styling|formatting|naming|conventions?|whitespace|cosmetics?|tone|wording)\b/i;
const constraintTitle =
  /\b(?:constraints?|architectur\w*|safety|security|invariants?|boundar\w+|contracts?|compatibility)\b/i;

function lintProse(sections: readonly RulesSection[]): Lint[] {
  return sections.flatMap(({proseAt}) =>
    proseAt === undefined
      ? []
      : [
          lint(
            'prose-ignored',
            proseAt,
            'Agents do not get text, tables and code outside list items. Make it a rule ' +
              '(- …) or a comment (<!-- … -->).',
          ),
        ],
  );
}

/** With more, an agent no longer tells the rules from the rest of its prompt. */
const maxTokens = 1500;

function lintLength({value}: RulesParseResult): Lint[] {
  if (value.rules.length === 0)
    return [
      lint(
        'no-rules',
        1,
        'Expected rules as list items (- …) under headings, got none. Write at least one.',
      ),
    ];
  const tokens = countRulesTokens(value);
  if (tokens <= maxTokens) return [];
  return [
    lint(
      'manifesto',
      1,
      `The rules are ${tokens} tokens, and every prompt contains them; expected at most ` +
        `${maxTokens}. Keep only what a check or a reviewer would require.`,
    ),
  ];
}

function lintContradictions({value}: RulesParseResult): Lint[] {
  return findContradictions(value.rules).map(({earlier, later, text}) =>
    lint(
      'contradiction',
      later.line,
      `Rule ${later.number} contradicts rule ${earlier.number} on line ${earlier.line}: ` +
        `${text}. The earlier one wins; change one of them.`,
    ),
  );
}

function lintRetries({outline}: RulesParseResult): Lint[] {
  return outline.sections
    .flatMap(({entries}) => entries)
    .filter(({isValidation, rule}) => isValidation && contradictsSingleRetry(rule.text))
    .map(({rule}) =>
      lint(
        'retry-not-once',
        rule.line,
        `Rule ${rule.number} asks for a number of retries other than one. orchestra ` +
          'repairs and validates again exactly once, then stops and explains. Write that, ' +
          'or remove the rule.',
      ),
    );
}

function lintGlobs({value}: RulesParseResult): Lint[] {
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

/** Rules and sections that repeat an earlier one. */
export function findRepeats({outline: {sections}}: RulesParseResult): Lint[] {
  const titled = sections.filter(({title}) => title !== '');
  const plain = sections.flatMap(({entries}) => entries).filter(({check}) => check === undefined);
  return [
    ...listRepeats(titled, ({title}) => toTextKey(title)).map(([earlier, later]) =>
      lint(
        'duplicate-section',
        later.line,
        `"${later.title}" is also the title on line ${earlier.line}. Both count, and the ` +
          'earlier one has priority. Merge them.',
      ),
    ),
    ...listRepeats(plain, toMeaningKey).map(([{rule: earlier}, {rule: later}]) =>
      lint(
        'duplicate-rule',
        later.line,
        `Rule ${later.number} says what rule ${earlier.number} on line ${earlier.line} says. Remove one.`,
      ),
    ),
  ];
}

/** The members whose key occurred before, each with the first member that has the key. */
function listRepeats<Member>(
  members: readonly Member[],
  toKey: (member: Member) => string,
): [earlier: Member, later: Member][] {
  const first = new Map<string, Member>();
  return members.flatMap((later): [Member, Member][] => {
    const key = toKey(later);
    const earlier = first.get(key);
    if (earlier !== undefined) return [[earlier, later]];
    first.set(key, later);
    return [];
  });
}

/** The directive of a rule, or the text of a rule without one. */
function toMeaningKey({rule: {tooth, text}}: RuleEntry): string {
  return tooth === undefined ? toTextKey(text) : JSON.stringify(tooth);
}

function toTextKey(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s.!]+/g, ' ')
    .trim();
}

/** Findings about the commands: missing ones, and those that prove nothing. */
export function lintChecks({value, outline: {sections}}: RulesParseResult): Lint[] {
  const entries = sections.flatMap((section) => section.entries);
  return [...lintMissingChecks(entries, value.checks.length), ...entries.flatMap(lintCommand)];
}

function lintMissingChecks(entries: readonly RuleEntry[], checks: number): Lint[] {
  if (checks > 0 || entries.length === 0) return [];
  const first = entries.find(({isValidation}) => isValidation);
  if (first !== undefined)
    return [
      lint(
        'empty-validation',
        first.rule.line,
        'No item of the validation section ends in a check, so nothing is validated. End ' +
          'one with `name: command`, for example `test: npm test`.',
      ),
    ];
  return [
    lint(
      'no-checks',
      1,
      'Expected a section "Validation" with checks, got none, so only the plan defines ' +
        'the checks. Add one, for example with `test: npm test`.',
    ),
  ];
}

function lintCommand({rule: {tooth, line}, check}: RuleEntry): Lint[] {
  const command = check?.command ?? (tooth?.kind === 'require' ? tooth.command : undefined);
  if (command === undefined) return [];

  const vagueness = findVagueness(command);
  const shown = excerpt(command);
  if (vagueness !== undefined) return [lint('vague-check', line, `"${shown}" ${vagueness}`)];
  return [
    ...(cannotFail(command)
      ? [
          lint(
            'check-cannot-fail',
            line,
            `"${shown}" always succeeds, so it proves nothing. Write a command that can fail.`,
          ),
        ]
      : []),
    ...(neverEnds(command)
      ? [
          lint(
            'check-never-ends',
            line,
            `"${shown}" watches or serves and does not end by itself, so it times out ` +
              'and fails. Use the command that runs once.',
          ),
        ]
      : []),
  ];
}

/**
 * The tokens that the rules take in every prompt: texts, directives and checks, without comments.
 */
export function countRulesTokens({rules, checks}: Rules): number {
  const lines = [
    ...rules.map(
      ({number, text, tooth}) =>
        `${number} ${text}${tooth === undefined ? '' : ` \`${formatDirective(tooth)}\``}`,
    ),
    ...checks.map(({name, command}) => `${name}: ${command}`),
  ];
  return countTokens(lines.join('\n'));
}

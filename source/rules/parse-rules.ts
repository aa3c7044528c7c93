import {toNfc, toSha256} from '../shared/index.ts';
import type {Check, Rule, Rules} from '../domain/index.ts';
import {parseText} from '../syntax/index.ts';
import {lint, type Lint, lintHiddenCharacters} from './lint.ts';
import {parseBlocks} from './parse-blocks.ts';
import {parseItem} from './parse-item.ts';
import {parseSections, type SectionItem, type SectionOfItems} from './parse-sections.ts';

/** The rules, the problems of their text, and the outline for the lints. */
export type RulesParseResult = {
  readonly value: Rules;
  readonly problems: readonly Lint[];
  readonly outline: Outline;
};

export type Outline = {
  readonly isRejected: boolean;
  readonly sections: readonly RulesSection[];
};

export type RulesSection = Omit<SectionOfItems, 'items'> & {readonly entries: readonly RuleEntry[]};

export type RuleEntry = {
  readonly rule: Rule;
  readonly check?: Check;
  readonly isValidation: boolean;
  readonly problems: readonly Lint[];
};

/**
 * Parses a rules file. Never throws: an invalid part is a problem with its line, and the rest still
 * counts.
 */
export function parseRules(source: Uint8Array | string): RulesParseResult {
  const {text, isRejected, problems: textProblems} = parseText(source);
  const lines = normalizeLines(text);
  const {blocks, unclosed} = parseBlocks(lines);
  const sections = parseSections(blocks).map(parseSection);
  const entries = sections.flatMap((section) => section.entries);
  const {checks, problems: duplicates} = collectChecks(entries);

  const problems = [
    ...textProblems.map((problem) => lint(problem.name, problem.line, problem.text)),
    ...lintHiddenCharacters(text),
    ...(unclosed === undefined
      ? []
      : [
          lint(
            'unclosed-block',
            unclosed.line,
            `The ${unclosed.what} that starts here is not closed, so the rest of the file is not read. Close it.`,
          ),
        ]),
    ...entries.flatMap((entry) => entry.problems),
    ...duplicates,
  ].toSorted((a, b) => a.line - b.line);
  return {
    value: {
      rules: entries.map(({rule, check}) =>
        check !== undefined && checks.includes(check) ? {...rule, check: check.name} : rule,
      ),
      checks,
      hash: toSha256(lines.join('\n')),
    },
    problems,
    outline: {isRejected, sections},
  };
}

/**
 * Removes differences between systems and editors, so that the hash covers exactly what is parsed.
 */
function normalizeLines(text: string): string[] {
  const lines = text.split('\n').map((line) => toNfc(line).trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

function parseSection({items, ...section}: SectionOfItems): RulesSection {
  return {
    ...section,
    entries: items.map((item, index) => parseEntry(item, `${section.number}.${index + 1}`)),
  };
}

function parseEntry(item: SectionItem, number: string): RuleEntry {
  const {text, directive, check, problems} = parseItem(item);
  const rule: Rule = {
    number,
    text,
    line: item.line,
    ...(directive === undefined ? {} : {tooth: directive}),
  };
  return {rule, isValidation: item.isValidation, problems, ...(check === undefined ? {} : {check})};
}

/** The checks in their order. Of two with the same name the first counts. */
function collectChecks(entries: readonly RuleEntry[]): {checks: Check[]; problems: Lint[]} {
  const lineOf = new Map<string, number>();
  const checks: Check[] = [];
  const problems: Lint[] = [];
  for (const {check, rule} of entries) {
    if (check === undefined) continue;
    const earlier = lineOf.get(check.name);
    if (earlier === undefined) {
      lineOf.set(check.name, rule.line);
      checks.push(check);
    } else {
      problems.push(
        lint(
          'duplicate-check',
          rule.line,
          `The name "${check.name}" is taken by the check on line ${earlier}, which ` +
            'wins; this one is not run. Give it another name.',
        ),
      );
    }
  }

  return {checks, problems};
}

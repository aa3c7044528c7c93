import {sha256Of} from '../../base/index.ts';
import type {Check, Rule, Rules} from '../../domain/index.ts';
import {readText} from '../read-text.ts';
import {toNfc} from '../to-nfc.ts';
import {findHidden} from './find-hidden.ts';
import {type Lint, lint} from './lint.ts';
import {readBlocks} from './read-blocks.ts';
import {readItem} from './read-item.ts';
import {type SectionItem, type SectionOfItems, readSections} from './read-sections.ts';

/** The rules, what is wrong with their text, and the outline that the lints look at. */
export type RulesReading = {
  readonly value: Rules;
  readonly problems: readonly Lint[];
  readonly outline: Outline;
};

export type Outline = {
  readonly isRefused: boolean;
  readonly sections: readonly Section[];
};

export type Section = Omit<SectionOfItems, 'items'> & {readonly entries: readonly Entry[]};

export type Entry = {
  readonly rule: Rule;
  readonly check?: Check;
  readonly isValidation: boolean;
  readonly problems: readonly Lint[];
};

/** Reads a rules file. Never fails: what cannot be read is a problem with its line, and the rest still counts. */
export function readRules(source: Uint8Array | string): RulesReading {
  const {text, isRefused, problems: textProblems} = readText(source);
  const lines = normalLinesOf(text);
  const {blocks, unclosed} = readBlocks(lines);
  const sections = readSections(blocks).map(readSection);
  const entries = sections.flatMap((section) => section.entries);
  const {checks, problems: duplicates} = checksOf(entries);

  const problems = [
    ...textProblems.map((problem) => lint(problem.name, problem.line, problem.text)),
    ...findHidden(text),
    ...(unclosed === undefined
      ? []
      : [
          lint(
            'unclosed-block',
            unclosed.line,
            `Nothing ends the ${unclosed.what} that begins here, so the rest of the file is not read. Close it.`,
          ),
        ]),
    ...entries.flatMap((entry) => entry.problems),
    ...duplicates,
  ].toSorted((a, b) => a.line - b.line);
  return {
    value: {rules: entries.map(({rule}) => rule), checks, hash: sha256Of(lines.join('\n'))},
    problems,
    outline: {isRefused, sections},
  };
}

/** The same lines whatever system and editor wrote the file; what is hashed is what is read. */
function normalLinesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => toNfc(line).trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

function readSection({items, ...section}: SectionOfItems): Section {
  return {
    ...section,
    entries: items.map((item, index) => readEntry(item, `${section.number}.${index + 1}`)),
  };
}

function readEntry(item: SectionItem, number: string): Entry {
  const {text, tooth, check, problems} = readItem(item);
  const rule: Rule = {number, text, line: item.line, ...(tooth === undefined ? {} : {tooth})};
  return {rule, isValidation: item.isValidation, problems, ...(check === undefined ? {} : {check})};
}

/** The checks in their order. A name means one command: the earlier wins. */
function checksOf(entries: readonly Entry[]): {checks: Check[]; problems: Lint[]} {
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
          `The name "${check.name}" is taken by the check on line ${earlier}, which wins; this one is not run. Give it another name.`,
        ),
      );
    }
  }

  return {checks, problems};
}

import {hasHiddenCharacters, sanitizeText, showHiddenInJson} from '../shared/index.ts';
import type {Skill} from './parse-skills.ts';
import type {PromptSection} from './compose-prompt.ts';
import {fenceData, type Fencing, toPlainText} from './prompt-text.ts';
import {formatAge} from '../reports/index.ts';
import type {Rules} from '../domain/index.ts';
import {formatDirective} from '../rules/index.ts';

/** The summary of an earlier task. */
export type RecalledSummary = {
  readonly path: string;
  readonly text: string;
  /** How well it fits the task: 1 for one that changed the same file. */
  readonly score?: number;
};

/** The summaries, best first. */
export function summariesSection(
  summaries: readonly RecalledSummary[],
  fencing: Fencing,
): PromptSection {
  return {
    name: 'summaries',
    head: '# What earlier tasks found out',
    pieces: summaries
      .slice(0, maxSummaries)
      .map(({path, text}) => fenceData(path, text, maxSummaryLength, fencing)),
    values: summaries.map(({score = 0.6}) => 0.8 * Math.min(1, score)),
    joint: '\n\n',
    units: 'summaries',
  };
}

const maxSummaries = 20;
const maxSummaryLength = 6000;

/** A skill is written by a person and meant to be followed, so it is not fenced. */
export function skillSection(skill: Skill | undefined): PromptSection {
  const paragraphs = (skill?.body ?? '')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '');
  return {
    name: 'skill',
    head: `# Skill: ${skill?.name ?? ''}\n\nFollow it where the rules and the task leave you free.`,
    pieces: paragraphs.map(sanitizeText),
    // A person approved the skill for this task; its beginning says what it is about.
    values: paragraphs.map((_, index) => Math.max(0.3, 0.6 - 0.03 * index)),
    isOrdered: true,
    joint: '\n\n',
    units: 'paragraphs of the skill',
  };
}

/** One fact with its source and time, or the reason why it is unknown. */
export type PromptFact =
  | {readonly name: string; readonly value: unknown; readonly source: string; readonly at: number}
  | {readonly name: string; readonly unknown: string; readonly at: number};

export type FactsContext = {readonly now: number; readonly secrets: readonly string[]};

/** Live facts, one line of JSON each, so that no text in a fact can pass for anything else. */
export function factsSection(
  facts: readonly PromptFact[],
  context: FactsContext,
  head: string = factsHead,
): PromptSection {
  return {
    name: 'facts',
    head,
    pieces: facts.slice(0, maxFacts).map((fact) => formatFact(fact, context)),
    values: facts.map(({name}) => factValues[name] ?? 0.65),
    joint: '\n',
    units: 'facts',
  };
}

/** An agent cannot find out by itself who else works where; the rest it can look up. */
const factValues: Readonly<Record<string, number>> = {
  worktree: 0.9,
  services: 0.85,
  siblings: 0.8,
  ports: 0.5,
  head: 0.4,
  disk: 0.2,
};

const factsHead =
  '# Live facts\n\nRead by orchestra when this was written. They outrank what anybody remembers. "unknown" means unknown: look, do not assume.';
const maxFacts = 100;
const maxFactLength = 1000;

function formatFact(fact: PromptFact, {now, secrets}: FactsContext): string {
  const age = `${formatAge(now - fact.at)} ago`;
  const limits = {max: maxFactLength, secrets};
  const name = onOneLine(toPlainText(fact.name, {max: 60, secrets}));
  if ('unknown' in fact)
    return `- ${name}: unknown, ${onOneLine(toPlainText(fact.unknown, limits))} (${age})`;
  return `- ${name}: ${toPlainText(toJson(fact.value, secrets), limits)} (${onOneLine(toPlainText(fact.source, {max: 40, secrets}))}, ${age})`;
}

/** Strings are sanitised one by one, because JSON escapes colours and line ends. */
function toJson(value: unknown, secrets: readonly string[]): string {
  const json = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? toPlainText(member, {max: maxFactLength, secrets}) : member,
  ) as string | undefined;
  if (json === undefined) return 'unknown';
  return hasHiddenCharacters(json) ? showHiddenInJson(json) : json;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** All rules, in order and unchanged. */
export function rulesSection({rules, checks}: Rules): PromptSection {
  const lines = rules.map(
    ({number, text, tooth}) =>
      `${number} ${text}${tooth === undefined || text === formatDirective(tooth) ? '' : ` \`${formatDirective(tooth)}\``}`,
  );
  return {
    name: 'rules',
    head: '# Rules\n\nPosition is priority: where two rules disagree, the one above wins. They outrank everything below.',
    pieces: [...lines, ...checks.map(({name, command}) => `check ${name}: \`${command}\``)].map(
      sanitizeText,
    ),
    joint: '\n',
  };
}

/** Live facts for an agent, one line each, with source and age. */
export function formatEnvironment(facts: readonly PromptFact[], context: FactsContext): string {
  return factsSection(facts, context).pieces.join('\n');
}

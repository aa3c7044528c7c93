import {hasHiddenCharacters, showHiddenInJson} from '../hidden-characters.ts';
import {ageOf} from '../sessions/columns.ts';
import type {Section} from './compose-prompt.ts';
import {plainTextOf} from './plain-text-of.ts';

/** One thing that is so, where that was read, and when; or that it cannot be told. */
export type PromptFact =
  | {readonly name: string; readonly value: unknown; readonly source: string; readonly at: number}
  | {readonly name: string; readonly unknown: string; readonly at: number};

export type FactsContext = {readonly now: number; readonly secrets: readonly string[]};

/** What is told instead of remembered. Each fact is one line of JSON, so that no name in it can pretend to be more. */
export function factsSection(facts: readonly PromptFact[], context: FactsContext): Section {
  return {
    name: 'facts',
    head: '# Live facts\n\nRead by orchestra when this was written. They outrank what anybody remembers. "unknown" means unknown: look, do not assume.',
    pieces: facts.slice(0, mostFacts).map((fact) => lineOf(fact, context)),
    joint: '\n',
    units: 'facts',
  };
}

const mostFacts = 100;
const mostCharacters = 1000;

function lineOf(fact: PromptFact, {now, secrets}: FactsContext): string {
  const age = `${ageOf(now - fact.at)} ago`;
  const limits = {most: mostCharacters, secrets};
  const name = onOneLine(plainTextOf(fact.name, {most: 60, secrets}));
  if ('unknown' in fact)
    return `- ${name}: unknown, ${onOneLine(plainTextOf(fact.unknown, limits))} (${age})`;
  return `- ${name}: ${plainTextOf(jsonOf(fact.value, secrets), limits)} (${onOneLine(plainTextOf(fact.source, {most: 40, secrets}))}, ${age})`;
}

/** Texts are made plain one by one: inside JSON a colour or a line end is spelt in another way. */
function jsonOf(value: unknown, secrets: readonly string[]): string {
  const json = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? plainTextOf(member, {most: mostCharacters, secrets}) : member,
  ) as string | undefined;
  if (json === undefined) return 'unknown';
  return hasHiddenCharacters(json) ? showHiddenInJson(json) : json;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

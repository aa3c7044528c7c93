import {needsOf, type Need, type State} from '../../domain/index.ts';

/** The need after the one in view, or before it, oldest first and round again. Whatever comes or goes, the one in view is the point to go on from. */
export function neighbourOf(state: State, need: Need | undefined, step: 1 | -1): Need | undefined {
  const needs = needsOf(state);
  if (need === undefined) return step === 1 ? needs[0] : needs.at(-1);
  const at = needs.findIndex(({id}) => id === need.id);
  if (at !== -1) return needs[(at + step + needs.length) % needs.length];
  // It is settled: on from the moment when it came.
  return step === 1
    ? (needs.find(({since}) => since >= need.since) ?? needs[0])
    : (needs.findLast(({since}) => since < need.since) ?? needs.at(-1));
}

/** `2 of 3`: where the one in view stands in the queue. */
export function positionOf(state: State, need: Need): {readonly at: number; readonly of: number} {
  const needs = needsOf(state);
  return {at: needs.findIndex(({id}) => id === need.id) + 1, of: needs.length};
}

/** What can be answered by a number: what the agent itself offers, or what stands in the question. */
export function answersTo({
  asked,
  options,
  question,
}: Extract<Need, {readonly kind: 'question'}>): readonly string[] {
  return asked === undefined && options === undefined
    ? optionsOf(question)
    : (options ?? []).slice(0, 9);
}

/** What a program offers as answers: `[y/N]`, `(yes/no/always)`. */
export function optionsOf(question: string): string[] {
  const offered = /[[(]\s*([^\s[\]()/]{1,20}(?:\s*\/\s*[^\s[\]()/]{1,20}){1,8})\s*[\])]/u.exec(
    question,
  )?.[1];
  return offered === undefined
    ? []
    : offered
        .split('/')
        .map((option) => option.trim())
        .filter((option) => option !== '')
        .slice(0, 9);
}

import {type Need, selectNeeds, type State} from '../../domain/index.ts';

/** The need after or before the one in view, oldest first, wrapping around. */
export function selectNextNeed(
  state: State,
  need: Need | undefined,
  step: 1 | -1,
): Need | undefined {
  const needs = selectNeeds(state);
  if (need === undefined) return step === 1 ? needs[0] : needs.at(-1);
  const at = needs.findIndex(({id}) => id === need.id);
  if (at !== -1) return needs[(at + step + needs.length) % needs.length];
  // The need in view is settled: continue from the time when it came.
  return step === 1
    ? (needs.find(({since}) => since >= need.since) ?? needs[0])
    : (needs.findLast(({since}) => since < need.since) ?? needs.at(-1));
}

/** The position of a need in the queue, as in `2 of 3`. */
export function selectNeedPosition(
  state: State,
  need: Need,
): {readonly at: number; readonly of: number} {
  const needs = selectNeeds(state);
  return {at: needs.findIndex(({id}) => id === need.id) + 1, of: needs.length};
}

/** The answers with a number: those that the agent offers, or those in the text of the question. */
export function selectAnswerOptions({
  asked,
  options,
  question,
}: Extract<Need, {readonly kind: 'question'}>): readonly string[] {
  return asked === undefined && options === undefined
    ? parseOptions(question)
    : (options ?? []).slice(0, 9);
}

/** The answers in the text of a question: `[y/N]`, `(yes/no/always)`. */
export function parseOptions(question: string): string[] {
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

/** Whether a need still waits for the person. */
export function isOpenNeed(need: Need, state: State): boolean {
  return selectNeeds(state).some(({id}) => id === need.id);
}

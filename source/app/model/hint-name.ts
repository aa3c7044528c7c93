/** The places that have a hint for the first visit; where two are one, the first comes first. */
export const hintNames = ['typing', 'work', 'plan', 'review'] as const;
export type HintName = (typeof hintNames)[number];

/** The hint that stands now, and all that were ever shown or are not needed any more. */
export type FirstHints = {
  readonly standing: HintName | undefined;
  readonly seen: readonly HintName[];
};

/** The names that were saved: a value of another version is ignored. */
export function parseSeenHints(value: unknown): readonly HintName[] {
  return Array.isArray(value) ? hintNames.filter((name) => value.includes(name)) : [];
}

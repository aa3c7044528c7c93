/**
 * A seeded source of chance: the same seed tells the same story, so a failing one can be told
 * again.
 */
export type Random = {
  /** From 0 to just below 1. */
  readonly next: () => number;
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
};

export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : toHash(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
  };
}

/** A number from 0 to just below 1 that depends on the words alone. */
export function getFate(text: string): number {
  return createRandom(text).next();
}

function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}

/** How often the daemon is told. What happens in between may be told twice, and is not missed. */
const everyMs = 30_000;

export type Presence = {
  /** The person did something. */
  readonly pressed: () => void;
};

/** Tells now and then that the person is here, while they do something. `isKnown`: that they came was told by another question already. */
export function createPresence({
  now,
  tell,
  isKnown,
}: {
  readonly now: () => number;
  readonly tell: () => void;
  readonly isKnown: boolean;
}): Presence {
  let toldAt = isKnown ? now() : Number.NEGATIVE_INFINITY;
  return {
    pressed() {
      if (now() - toldAt < everyMs) return;
      toldAt = now();
      tell();
    },
  };
}

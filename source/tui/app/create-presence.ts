/** How often the daemon is told. What happens in between may be told twice, and is not missed. */
const everyMs = 30_000;

export type Presence = {
  /** The person did something. */
  readonly pressed: () => void;
};

/** Tells now and then that the person is here, while they do something. That they came is told by the first question. */
export function createPresence({now, tell}: {readonly now: () => number; readonly tell: () => void}): Presence {
  let toldAt = now();
  return {
    pressed() {
      if (now() - toldAt < everyMs) return;
      toldAt = now();
      tell();
    },
  };
}

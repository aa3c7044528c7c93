import type {Event} from '../domain/index.ts';

export type NumberedEvent = {readonly seq: number; readonly event: Event};

export type EventSequence = {
  /** Takes an event as it came; passes it on if it is the next one. */
  readonly receive: (fact: NumberedEvent) => void;
};

export type EventSequenceOptions = {
  /** The number of the last event that is known. */
  readonly last: () => number;
  readonly onNext: (fact: NumberedEvent) => void;
  /** Asks for every event after this one again; resolves when those that are there have come. */
  readonly refollow: (after: number) => Promise<unknown>;
  /** It was asked again, and the next one still did not come. */
  readonly onGap: () => void;
};

/**
 * Passes on each event once and in its order. When numbers are missing, nothing after them is believed: what comes after the
 * last known event is asked for again. A copy of the state with a gap in it would say the opposite of the journal.
 */
export function createEventSequence({
  last,
  onNext,
  refollow,
  onGap,
}: EventSequenceOptions): EventSequence {
  let isAsking = false;
  const ask = async (): Promise<void> => {
    isAsking = true;
    const before = last();
    try {
      await refollow(before);
      if (last() === before) onGap();
    } catch {
      onGap();
    } finally {
      isAsking = false;
    }
  };

  return {
    receive: (fact) => {
      const next = last() + 1;
      if (fact.seq === next) onNext(fact);
      else if (fact.seq > next && !isAsking) void ask();
    },
  };
}

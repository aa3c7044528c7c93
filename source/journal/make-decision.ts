import type {Decision} from './encode-records.ts';
import type {Draft} from './entry.ts';

/** Where the stamps of a record come from. */
export type Clock = {
  readonly wall: () => number;
  /** Nanoseconds. */
  readonly mono: () => bigint;
};

export type DecisionOptions = {
  readonly clock: Clock;
  readonly boot: string;
  readonly knows: (type: string) => boolean;
};

/**
 * Stamps the events of one append and copies them, so that what happens to them afterwards does not matter.
 * Whoever decided on them may have looked at the clock already: then that moment is the one.
 */
export function makeDecision(
  drafts: readonly Draft[],
  {clock, boot, knows}: DecisionOptions,
  at = clock.wall(),
): Decision {
  const unknown = drafts.find(({type}) => !knows(type));
  // It would be written, and the next start would refuse the whole journal because of it.
  if (unknown !== undefined)
    throw new TypeError(
      `expected an event type that this version knows, got ${JSON.stringify(unknown.type)}`,
    );
  return {
    at,
    mono: String(clock.mono()),
    boot,
    drafts: drafts.map(({type, data}) => ({type, data: asRead(data)})),
  };
}

/** As a reader will see it: state that was lived and state that was replayed may not differ by a Date or an `undefined`. */
function asRead(data: Draft['data']): Draft['data'] {
  const text = JSON.stringify(data);
  if (!text.startsWith('{'))
    throw new TypeError(`expected data to be an object, got ${text.slice(0, 40)}`);
  return JSON.parse(text) as Draft['data'];
}

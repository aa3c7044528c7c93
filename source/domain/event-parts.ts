import type {Event} from './event.ts';

/** An event as it is written down: what it is and when it was, and beside that all it says. */
export type EventParts = {
  readonly type: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
};

export function partsOf({type, at, ...data}: Event): EventParts {
  return {type, at, data};
}

/** The event that was written down. Whether this version knows its type is asked before (`isKnownEvent`). */
export function eventOf({type, at, data}: EventParts): Event {
  return {...data, type, at} as Event;
}

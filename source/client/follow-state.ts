import {type Event, evolve, findMalformation, type State} from '../domain/index.ts';
import type {JournalNews} from '../protocol/index.ts';
import {
  connectDaemon,
  ConnectionLostError,
  type DaemonAddress,
  type DaemonConnection,
} from './connect-daemon.ts';

/** A live copy of the daemon's state: the client folds the same events with the same `evolve`. */
export type LiveState = {
  readonly state: () => State;
  readonly ask: DaemonConnection['ask'];
  readonly welcome: DaemonConnection['welcome'];
  /**
   * Resolves with the state as soon as `isSo` holds for it. Rejects when the connection ends first.
   */
  readonly until: (isSo: (state: State) => boolean) => Promise<State>;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/**
 * Connects, fetches the whole state, and folds each further event in order. When a gap in the
 * numbers cannot be filled, the connection is closed; the next one starts from the whole state.
 */
export async function followState(
  address: DaemonAddress,
  onEvent: (event: Event, state: State) => void = () => undefined,
  journal: (news: JournalNews) => void = () => undefined,
): Promise<LiveState> {
  let state: State | undefined;
  let early: NumberedEvent[] = [];
  let waiting: {
    readonly isSo: (state: State) => boolean;
    readonly found: PromiseWithResolvers<State>;
  }[] = [];

  const now = (): State => {
    if (state === undefined) throw new Error('the state is not known yet');
    return state;
  };

  const fold = ({event}: NumberedEvent): void => {
    const latest = evolve(now(), event);
    state = latest;
    // Journals of older versions may hold malformed events. `evolve` notes them; listeners need not
    // handle them.
    if (findMalformation(event) === undefined) onEvent(event, latest);
    const met = waiting.filter(({isSo}) => isSo(latest));
    waiting = waiting.filter((one) => !met.includes(one));
    for (const {found} of met) found.resolve(latest);
  };

  const sequence = createEventSequence({
    last: () => now().seq,
    onNext: fold,
    refollow: (from) => connection.ask({about: 'events', from}),
    onGap: () => {
      connection.close();
    },
  });
  // An event that the fetched state already contains can arrive a second time; the sequence drops
  // it.
  const take = (fact: NumberedEvent): void => {
    if (state === undefined) early.push(fact);
    else sequence.receive(fact);
  };

  const connection = await connectDaemon(address, {facts: take, journal});
  let hasEnded = false;
  const ended = connection.ended.then(() => {
    hasEnded = true;
    for (const {found} of waiting) found.reject(new ConnectionLostError());
  });
  // Both questions are sent at once: every event since the welcome is then in the state, arrives as
  // an event, or both.
  const [, first] = await Promise.all([
    connection.ask({about: 'events', from: connection.welcome.seq}),
    connection.ask({about: 'state'}),
  ]);
  state = first as State;
  for (const one of early) take(one);
  early = [];
  return {
    state: () => now(),
    ask: connection.ask,
    welcome: connection.welcome,
    until: (isSo) => {
      if (isSo(now())) return Promise.resolve(now());
      if (hasEnded) return Promise.reject(new ConnectionLostError());
      const found = Promise.withResolvers<State>();
      waiting = [...waiting, {isSo, found}];
      return found.promise;
    },
    ended,
    close: connection.close,
  };
}

export type NumberedEvent = {readonly seq: number; readonly event: Event};

export type EventSequence = {
  /** Takes an event in the order of arrival, and passes it on if it is the next one. */
  readonly receive: (fact: NumberedEvent) => void;
};

type EventSequenceOptions = {
  /** The number of the last event that was folded. */
  readonly last: () => number;
  readonly onNext: (fact: NumberedEvent) => void;
  /** Asks the daemon again for every event after this one. Resolves when they have arrived. */
  readonly refollow: (after: number) => Promise<unknown>;
  /** The missing event did not arrive although it was asked for again. */
  readonly onGap: () => void;
};

/**
 * Passes on each event once and in order. When a number is missing, later events are dropped and
 * everything after the last known event is asked for again: a state with a gap would contradict the
 * journal.
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

import {evolve, malformationOf, type Event, type State} from '../domain/index.ts';
import type {JournalNews} from '../protocol/index.ts';
import {connectDaemon, type DaemonAddress, type DaemonConnection} from './connect-daemon.ts';
import {createEventSequence, type NumberedEvent} from './create-event-sequence.ts';
import {Lost} from './lost.ts';

/** A live copy of what the daemon knows: the same events, folded in the same way. */
export type LiveState = {
  readonly state: () => State;
  readonly ask: DaemonConnection['ask'];
  readonly welcome: DaemonConnection['welcome'];
  /** Resolves with the state when it is so, at once if it is so already. Rejects when the connection ends first. */
  readonly until: (isSo: (state: State) => boolean) => Promise<State>;
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/** Connects, takes the state as it is, and from then on folds in each event in its order. After a gap that stays the connection ends: the next one begins from the whole state. */
export async function followState(
  address: DaemonAddress,
  heard: (event: Event, state: State) => void = () => undefined,
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
    // A journal of an older version may hold what is none; nobody has to read that.
    if (malformationOf(event) === undefined) heard(event, latest);
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
  // What the state holds already came twice: once in it, once as an event.
  const take = (fact: NumberedEvent): void => {
    if (state === undefined) early.push(fact);
    else sequence.receive(fact);
  };

  const connection = await connectDaemon(address, {facts: take, journal});
  let hasEnded = false;
  const ended = connection.ended.then(() => {
    hasEnded = true;
    for (const {found} of waiting) found.reject(new Lost());
  });
  // In one go: whichever is answered first, what happened since the welcome is in the state, comes as an event, or both.
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
      if (hasEnded) return Promise.reject(new Lost());
      const found = Promise.withResolvers<State>();
      waiting = [...waiting, {isSo, found}];
      return found.promise;
    },
    ended,
    close: connection.close,
  };
}

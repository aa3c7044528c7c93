import {createEventSequence, Lost} from '../client/index.ts';
import type {Event} from '../domain/index.ts';
import type {Here} from './here.ts';
import {reach} from './with-daemon.ts';

export type Following = {
  /** The first event, of those since the beginning, that is the one. */
  readonly until: (isIt: (event: Event) => boolean) => Promise<Event>;
  readonly close: () => void;
};

/** Hears every event after `from`, each once and without a gap, on a connection of its own. */
export async function followEvents(here: Here, from: number): Promise<Following> {
  const heard: Event[] = [];
  let waiting: {
    readonly isIt: (event: Event) => boolean;
    readonly found: PromiseWithResolvers<Event>;
  }[] = [];
  const sequence = createEventSequence({
    last: () => from + heard.length,
    onNext: ({event}) => {
      heard.push(event);
      for (const {isIt, found} of waiting) if (isIt(event)) found.resolve(event);
    },
    refollow: (after) => daemon?.ask({about: 'events', from: after}) ?? Promise.reject(new Lost()),
    onGap: () => daemon?.close(),
  });
  const daemon = await reach(here, {facts: sequence.receive});
  if (daemon === undefined) throw new Lost();
  await daemon.ask({about: 'events', from});
  let hasEnded = false;
  void daemon.ended.then(() => {
    hasEnded = true;
    for (const {found} of waiting) found.reject(new Lost());
  });
  return {
    until: (isIt) => {
      const found = Promise.withResolvers<Event>();
      const past = heard.find(isIt);
      if (past !== undefined) return Promise.resolve(past);
      if (hasEnded) return Promise.reject(new Lost());
      waiting = [...waiting, {isIt, found}];
      return found.promise;
    },
    close: daemon.close,
  };
}

import {insteadOfTyping, unreadInWords} from '../../documents/index.ts';
import {sessionOf, unreadTyping, type SessionId, type State} from '../../domain/index.ts';
import {keyFor} from './key-for.ts';
import type {Deed} from './deed.ts';
import type {Model} from './model.ts';

/** What stands in for typing, as keys. */
const deeds = {
  note: 'note',
  'take-over': 'take-over',
  stop: 'stop',
  shell: 'start-command',
} as const satisfies Readonly<Record<string, Deed>>;

/** Why a session is not typed into, with the keys for what works instead; nothing if it reads what is typed. */
export function typingRefused(model: Model, session: SessionId, state: State): string | undefined {
  const known = sessionOf(state, session);
  const unread = known === undefined ? undefined : unreadTyping(state, known);
  if (known === undefined || unread === undefined) return undefined;
  const ways =
    unread.why === 'ended'
      ? []
      : insteadOfTyping(state, known).map(
          ({does, words}) => `${keyFor(model, deeds[does], 'workers')} to ${words}`,
        );
  return [
    unreadInWords(unread, known),
    ...(ways.length === 0 ? [] : [`Press ${ways.join(', ')}.`]),
  ].join(' ');
}

/** The deeds that stand in for typing into this session: they are named where the key to type would be. */
export function insteadDeeds(session: SessionId, state: State): ReadonlySet<Deed> {
  const known = sessionOf(state, session);
  const unread = known === undefined ? undefined : unreadTyping(state, known);
  return new Set(
    known === undefined || unread === undefined || unread.why === 'ended'
      ? []
      : insteadOfTyping(state, known).map(({does}) => deeds[does]),
  );
}

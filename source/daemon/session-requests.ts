import type {SessionId} from '../domain/index.ts';
import type {SessionStore} from './session-store.ts';
import type {Workshop} from './workshop.ts';

type Surroundings = ReturnType<Workshop['surroundingsOf']>;

export type SessionRequests = Pick<Workshop, 'surroundingsOf' | 'releaseSurroundings'> & {
  /** On disk before it returns: also a daemon that comes after this one starts the session with it. */
  readonly request: (session: SessionId, surroundings: Surroundings) => void;
};

const usualSize = {columns: 120, rows: 40};

/** What a person's own sessions were asked for with, until their programs run. */
export function createSessionRequests(
  store: Pick<SessionStore, 'noteOf' | 'writeNote' | 'removeNote'>,
  env: Surroundings['env'],
): SessionRequests {
  return {
    request: (session, surroundings) => {
      store.writeNote(session, 'request', surroundings);
    },
    surroundingsOf: (session) =>
      (store.noteOf(session, 'request') as Surroundings | undefined) ?? {env, size: usualSize},
    releaseSurroundings: (session) => {
      store.removeNote(session, 'request');
    },
  };
}

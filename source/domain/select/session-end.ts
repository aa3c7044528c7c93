import type {SessionId} from '../ids.ts';
import type {State} from '../state.ts';
import {sessionOf} from './find.ts';

/** It ended by itself, with a status that means something. */
export function hasExited(state: State, id: SessionId): boolean {
  const life = sessionOf(state, id)?.life;
  return life?.at === 'exited' && life.signal === null;
}

/** It ended, but not by itself: its keeper died, or a signal took it. */
export function isCutShort(state: State, id: SessionId): boolean {
  const life = sessionOf(state, id)?.life;
  return life?.at === 'lost' || (life?.at === 'exited' && life.signal !== null);
}

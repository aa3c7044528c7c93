import type {Session, Turn} from '../session.ts';

/** The agent begins to work on what it was told. The time at its prompt is waiting time. */
export function openTurn(session: Session, at: number, by: Turn['by']): Session {
  const {turn, waited = 0} = session;
  return {
    ...session,
    turn: {number: (turn?.number ?? 0) + 1, at: 'open', since: at, ...(by && {by})},
    ...(turn?.at === 'ended' ? {waited: waited + at - turn.since} : {}),
  };
}

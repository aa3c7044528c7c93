import type {Effect} from '../effect.ts';
import type {SessionId, TaskId} from '../ids.ts';
import type {Run} from '../run.ts';
import {sessionOf} from '../select/find.ts';
import {deadlineOf} from '../session.ts';
import type {State} from '../state.ts';

/** The moment at which a session of a run has worked for as long as one may. While it waits for a person its clock stands still. */
export function wantedOfClock(
  state: State,
  run: Run,
  key: string,
  id: SessionId,
  task?: TaskId,
): Effect[] {
  const session = sessionOf(state, id);
  const limit = run.budget.attemptWallClock;
  const deadline =
    session === undefined || limit === undefined ? undefined : deadlineOf(session, limit);
  if (deadline === undefined) return [];
  const {until, waited} = deadline;
  return [
    {
      key: `${key}/${id}${waited === 0 ? '' : `/${waited}`}`,
      do: 'wait',
      run: run.id,
      until,
      ...(task === undefined ? {} : {task}),
    },
  ];
}

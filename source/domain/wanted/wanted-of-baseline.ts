import type {Effect} from '../effect.ts';
import type {Run} from '../run.ts';
import {baselineOf, isBaselineDue, isBaselineOver, isRecalled} from '../select/baseline.ts';
import {liveSessionsOf, sessionOf, worktreeOf, worktreeOwnerOf} from '../select/find.ts';
import {hasExited} from '../select/session-end.ts';
import type {State} from '../state.ts';
import {wantedOfClock} from './wanted-of-clock.ts';

/** What the checks on the base want besides their live sessions. */
export function wantedOfBaseline(state: State, run: Run): Effect[] {
  if (!isBaselineDue(state, run) || run.head === undefined) return [];
  const {session: id, recalls} = baselineOf(run);
  if (id !== undefined) {
    const purpose = sessionOf(state, id)?.purpose;
    if (purpose?.for === 'worktree-setup')
      return wantedOfClock(state, run, `${run.id}/setup-clock`, id);
    return purpose?.for === 'baseline' && hasExited(state, id)
      ? [
          {
            key: `${run.id}/read-baseline/${purpose.check}/${id}`,
            do: 'read-baseline',
            run: run.id,
            check: purpose.check,
            session: id,
          },
        ]
      : [];
  }

  if (isBaselineOver(state, run)) return [];
  const recall: Effect[] = isRecalled(state, run)
    ? []
    : [{key: `${run.id}/recall-baseline/${recalls + 1}`, do: 'recall-baseline', run: run.id}];
  return [...recall, ...layOut(state, run, run.head)];
}

/** The worktree for merges, at the base. */
function layOut(state: State, run: Run, base: string): Effect[] {
  const owner = `${run.id}.merge` as const;
  const worktree = worktreeOf(run, owner);
  const isOccupied = liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === owner);
  if (isOccupied || worktree?.commit === base) return [];
  return worktree === undefined
    ? [{key: `${owner}/make`, do: 'make-worktree', run: run.id, owner, from: base}]
    : [{key: `${owner}/renew/${base}`, do: 'renew-worktree', run: run.id, owner, from: base}];
}

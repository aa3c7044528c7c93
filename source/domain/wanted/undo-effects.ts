import type {Effect} from '../effect.ts';
import type {Run} from '../run.ts';
import {selectTasksToRestore} from '../select/undo.ts';

/** Effects of an undo that a person asked for. The removals of before are finished first. */
export function undoEffects(run: Run, isRemoving: boolean): Effect[] {
  const {id, stage, undoable} = run;
  if (stage.at === 'accepted')
    return undoable?.kind === 'accept' && undoable.isAsked === true && !isRemoving
      ? [
          {
            key: `${id}/undo-accept/${stage.commit}`,
            do: 'undo-accept',
            run: id,
            branch: undoable.branch,
            from: stage.commit,
            to: undoable.from,
          },
        ]
      : [];
  return selectTasksToRestore(run).flatMap(({id: owner}): Effect[] => {
    const removed = run.removed?.find((one) => one.owner === owner);
    if (removed === undefined || removed.isBack === true) return [];
    const endings = run.tasks.find(({id: task}) => task === owner)?.endings ?? 0;
    return [
      {
        key: `${owner}/restore-${endings}`,
        do: 'restore-worktree',
        run: id,
        task: owner,
        owner,
        base: removed.commit,
        tip: removed.tip ?? removed.commit,
        kept: removed.kept,
      },
    ];
  });
}

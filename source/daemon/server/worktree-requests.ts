import {
  isTaskId,
  type RunId,
  runIdIn,
  selectLiveSessions,
  selectRuns,
  selectWorktree,
  selectWorktreeOwner,
  type TaskId,
} from '../../domain/index.ts';
import {forecastConflicts, gcReport, readRestoreSteps, sweepLeftovers} from '../../git/index.ts';
import type {Progress} from '../../protocol/index.ts';
import type {
  JournalReader,
  RepositoryAccess,
  RunVariables,
  StateReader,
} from '../daemon-context.ts';

/**
 * What could be removed. A worktree is removed only by a person's command about it; with `sweep`,
 * leftovers that no journal knows and nobody has touched are removed now.
 */
export async function collectGarbage(
  context: StateReader & Pick<RepositoryAccess, 'workspace'> & Pick<RunVariables, 'environments'>,
  sweep: boolean,
  onProgress: (progress: Progress) => void,
): Promise<unknown> {
  const runs = selectRuns(context.state());
  const busy = new Set(selectLiveSessions(context.state()).map(selectWorktreeOwner));
  const known = runs.flatMap((run) =>
    run.worktrees.map(({owner, path: place, branch, commit}) => ({
      owner,
      path: place,
      branch,
      base: commit,
      ...(run.stage.at === 'accepted' ? {mergedInto: run.head ?? run.stage.commit} : {}),
      isLive: () => busy.has(owner),
    })),
  );
  const {worktrees, leftovers, backups} = await gcReport(
    context.workspace(),
    known,
    (owner, done) => {
      onProgress({what: `looking at ${owner}`, done, total: known.length});
    },
  );
  const isOver = (owner: string): boolean =>
    runs.some(
      ({id, stage}) =>
        owner.startsWith(`${id}.`) && (stage.at === 'accepted' || stage.at === 'discarded'),
    );
  if (sweep && leftovers.length > 0)
    onProgress({what: 'removing leftovers', done: known.length, total: known.length});
  if (sweep) context.environments.sweep();
  const swept = sweep
    ? await sweepLeftovers(
        context.workspace(),
        known.map(({path: place}) => place),
      )
    : [];
  return {
    worktrees: worktrees.map((worktree) =>
      isOver(worktree.owner) ? worktree : {...worktree, mayGo: false, why: 'its run is not over'},
    ),
    leftovers,
    backups,
    swept,
  };
}

/** Where discarded work was backed up, and the steps that restore it. */
export function describeBackups(
  context: JournalReader & Pick<RepositoryAccess, 'workspace'>,
  of: RunId | TaskId,
): {readonly owner: string; readonly ref: string | null; readonly words: readonly string[]}[] {
  const removed = context
    .eventsOf(runIdIn(of))
    .flatMap((event) =>
      event.type === 'worktree-removed' && (event.owner === of || !isTaskId(of))
        ? [{owner: event.owner, ref: event.kept}]
        : [],
    );
  return removed.map(({owner, ref}) => ({
    owner,
    ref,
    words: readRestoreSteps(context.workspace(), owner),
  }));
}

/** Which unmerged tasks would conflict with each other if they were merged as they are now. */
export async function forecastTaskConflicts(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
): Promise<unknown> {
  const places = selectRuns(context.state()).flatMap((run) =>
    run.tasks
      .filter(
        ({stage}) =>
          stage.at === 'attempting' ||
          stage.at === 'validated' ||
          stage.at === 'merging' ||
          stage.at === 'stopped' ||
          stage.at === 'taken-over',
      )
      .flatMap(({id}) => {
        const worktree = selectWorktree(run, id);
        return worktree === undefined
          ? []
          : [{owner: id, directory: worktree.path, base: worktree.commit}];
      }),
  );
  return forecastConflicts(context.workspace(), places);
}

import {
  hasWorkLeft,
  liveSessionsOf,
  openRunsOf,
  runIdIn,
  runOf,
  worktreeOf,
  worktreeOwnerOf,
  type Session,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  furnishWorktree,
  lacksFurniture,
  type FurnishOptions,
  type Furniture,
} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';

/** Brings what `share` and `copy` of the project file name into the worktree of any owner but a planner's, which nobody builds in. */
export async function furnish(
  workshop: Workshop,
  owner: WorktreeOwner,
  place: string,
  options: Pick<FurnishOptions, 'isUsed' | 'goOn'> = {},
): Promise<void> {
  if (owner.endsWith('.plan')) return;
  const {notes} = await furnishWorktree(workshop.workspace(), place, furnitureOf(workshop), {
    ...options,
    owner,
  });
  for (const note of notes) workshop.log(`${owner}: ${note}`);
}

/**
 * What the project file has come to name since a worktree was made reaches it before the next session begins there. Nobody else may be
 * in it: a process that lives there could put a link in the way.
 */
export async function furnishBefore(workshop: Workshop, session: Session): Promise<void> {
  const owner = worktreeOwnerOf(session);
  if (owner !== undefined) await furnishUsed(workshop, owner, (other) => other.id === session.id);
}

/** The same at once, for every worktree that nobody is in and that is still worked in. One whose task is merged gets it if it is ever gone on with. */
export async function furnishIdle(workshop: Workshop): Promise<void> {
  const owners = openRunsOf(workshop.state()).flatMap((run) =>
    run.worktrees
      .filter(({isTidied, owner}) => !isTidied && hasWorkLeft(run, owner))
      .map(({owner}) => owner),
  );
  for (const owner of owners) {
    await furnishUsed(workshop, owner, () => false).catch((error: unknown) => {
      workshop.log(
        `${owner}: what the project file names now was not brought into its worktree: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }
}

async function furnishUsed(
  workshop: Workshop,
  owner: WorktreeOwner,
  isOwn: (session: Session) => boolean,
): Promise<void> {
  const {state, guards} = workshop;
  const run = runOf(state(), runIdIn(owner));
  const worktree = run === undefined ? undefined : worktreeOf(run, owner);
  if (run === undefined || worktree === undefined || owner.endsWith('.plan')) return;
  if (!lacksFurniture(workshop.workspace(), worktree.path, furnitureOf(workshop))) return;
  const isLivedIn = liveSessionsOf(state()).some(
    (other) => worktreeOwnerOf(other) === owner && !isOwn(other),
  );
  // Git is asked what it ignores. Where somebody has laid a trap for it, whoever calls it next says so.
  if (isLivedIn || (await guards.check(run.id)).length > 0) return;
  await furnish(workshop, owner, worktree.path, {isUsed: true});
}

function furnitureOf({state}: Workshop): Furniture {
  const {copy = [], share = []} = state().project;
  return {copy, share};
}

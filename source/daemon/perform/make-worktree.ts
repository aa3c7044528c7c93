import {entriesOf} from '../../base/index.ts';
import {branchPrefixOf} from '../../documents/index.ts';
import {
  aheadOf,
  isRunActive,
  isTaskId,
  runIdIn,
  runOf,
  worktreeOf,
  worktreeOwnerOf,
  type TaskId,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  discardPrepared,
  ensureWorktree,
  preparedOwners,
  prepareShares,
  prepareWorktrees,
} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {pauseFor} from '../pause-for.ts';
import {setupReads} from './setup-reads.ts';
import type {Workshop} from '../workshop.ts';
import {furnish} from './furnish.ts';

/** One for each task, on a branch of its own; those of the planner and of merges stand on none. */
export function makeWorktree(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'make-worktree') return;
    const {owner, from} = effect;
    const workspace = workshop.workspace();
    const isLivedIn = entriesOf(workshop.state().sessions).some(
      (session) => worktreeOwnerOf(session) === owner,
    );
    const made = await ensureWorktree(workspace, {
      owner,
      branch: branchOf(workshop, owner),
      from,
      mayRebuild: !isLivedIn,
    });
    await furnish(workshop, owner, made.path, {isUsed: isLivedIn});
    await workshop.guards.extend(runIdIn(owner));
    await report({
      type: 'worktree-made',
      owner,
      path: made.path,
      branch: made.branch,
      commit: made.commit,
      tree: made.tree,
      ...(await setupReads(workshop, made.commit)),
    });
  };
}

/**
 * Made while the person reads the plan, with what the project shares. Nobody counts on them: what is not ready by then is made as if this
 * had not been. What the plan that holds now has no use for goes again.
 */
export function prepareAhead(workshop: Workshop): Perform {
  return async (effect, _report, signal) => {
    if (effect.do !== 'prepare-worktrees') return;
    const {owners, from} = effect;
    const workspace = workshop.workspace();
    await sweepPrepared(workshop);
    await prepareWorktrees(
      workspace,
      owners.map((owner) => ({owner, from})),
    ).catch((error: unknown) => {
      workshop.log(`worktrees of ${effect.run} could not be made ahead: ${wordsOf(error)}`);
    });
    const told = new Set<string>();
    while (!signal.aborted) {
      await shareAhead(workshop, owners, signal, told);
      await pauseFor(lookMs, signal);
    }

    await sweepPrepared(workshop);
  };
}

/** How often it is looked whether something else is to be shared, or was installed in the checkout meanwhile. */
const lookMs = 2000;

async function shareAhead(
  workshop: Workshop,
  owners: readonly WorktreeOwner[],
  signal: AbortSignal,
  told: Set<string>,
): Promise<void> {
  for (const owner of owners) {
    // Once the plan is approved, the copy that is under way is finished and not begun anew; the next ones are made by whoever needs them.
    if (signal.aborted) return;
    const goOn = (): void => {
      if (signal.aborted && !isComing(workshop, owner)) signal.throwIfAborted();
    };
    const words = await prepareShares(
      workshop.workspace(),
      owner,
      workshop.state().project.share ?? [],
      goOn,
    ).then(
      ({notes}) => notes,
      (error: unknown) => (signal.aborted ? [] : [`nothing was shared ahead: ${wordsOf(error)}`]),
    );
    for (const line of words.map((note) => `${owner}: ${note}`).filter((one) => !told.has(one))) {
      told.add(line);
      workshop.log(line);
    }
  }
}

/** Its plan is approved, and its worktree is about to be put in place. */
function isComing({state}: Workshop, owner: WorktreeOwner): boolean {
  const run = runOf(state(), runIdIn(owner));
  return (
    run?.stage.at === 'working' &&
    run.tasks.some(({id}) => id === owner) &&
    worktreeOf(run, owner) === undefined
  );
}

/** Worktrees that were made ahead for a plan that was rejected, changed or discarded. Nobody has worked in them. */
export async function sweepPrepared(workshop: Workshop): Promise<void> {
  const workspace = workshop.workspace();
  const prepared = preparedOwners(workspace).filter(isTaskId);
  const isWanted = (owner: TaskId): boolean => {
    const run = runOf(workshop.state(), runIdIn(owner));
    // Of a run that stands still, nothing goes: it may be resumed.
    if (run?.stage.at !== 'reviewing' || !isRunActive(run))
      return (
        run !== undefined &&
        run.stage.at !== 'discarded' &&
        run.stage.at !== 'accepted' &&
        run.stage.at !== 'planning'
      );
    return aheadOf(workshop.state(), run).includes(owner);
  };
  await discardPrepared(
    workspace,
    prepared.filter((owner) => !isWanted(owner)),
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function branchOf({state}: Workshop, owner: WorktreeOwner): string | null {
  return isTaskId(owner) ? `${branchPrefixOf(state().project)}/${owner.replace('.', '-')}` : null;
}

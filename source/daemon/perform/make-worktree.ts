import {entriesOf} from '../../base/index.ts';
import {branchPrefixOf} from '../../documents/index.ts';
import {isTaskId, runIdIn, worktreeOwnerOf, type WorktreeOwner} from '../../domain/index.ts';
import {ensureWorktree, furnishWorktree, prepareWorktrees} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {pauseFor} from '../pause-for.ts';
import {setupReads} from './setup-reads.ts';
import type {Workshop} from '../workshop.ts';

/** One for each task, on a branch of its own; those of the planner and of merges stand on none. */
export function makeWorktree(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'make-worktree') return;
    const {owner, from} = effect;
    const workspace = workshop.workspace();
    const {project, sessions} = workshop.state();
    const isLivedIn = entriesOf(sessions).some((session) => worktreeOwnerOf(session) === owner);
    const made = await ensureWorktree(workspace, {owner, branch: branchOf(workshop, owner), from, mayRebuild: !isLivedIn});
    if (!owner.endsWith('.plan')) {
      const {notes} = await furnishWorktree(workspace, made.path, {copy: project.copy ?? [], share: project.share ?? []});
      for (const note of notes) workshop.log(`${owner}: ${note}`);
    }

    await workshop.guards.extend(runIdIn(owner));
    await report({type: 'worktree-made', owner, path: made.path, branch: made.branch, commit: made.commit, tree: made.tree, ...(await setupReads(workshop, made.commit))});
  };
}

/** Made while the person reads the plan. Nobody counts on them: what is not ready by then is made as if this had not been. */
export function prepareAhead(workshop: Workshop): Perform {
  return async (effect, _report, signal) => {
    if (effect.do !== 'prepare-worktrees') return;
    const {owners, from} = effect;
    await prepareWorktrees(workshop.workspace(), owners.map((owner) => ({owner, from}))).catch((error: unknown) => {
      workshop.log(`worktrees of ${effect.run} could not be made ahead: ${error instanceof Error ? error.message : String(error)}`);
    });
    while (!signal.aborted) await pauseFor(longMs, signal);
  };
}

const longMs = 60 * 60 * 1000;

function branchOf({state}: Workshop, owner: WorktreeOwner): string | null {
  return isTaskId(owner) ? `${branchPrefixOf(state().project)}/${owner.replace('.', '-')}` : null;
}

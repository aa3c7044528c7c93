import {runIdIn, runOf, worktreeOf} from '../../domain/index.ts';
import {removeWorktree as remove} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {dropAgentState} from '../launch/agent-state.ts';
import type {Workshop} from '../workshop.ts';

/** What is not merged is kept by a ref and a patch before anything goes. */
export function removeWorktree(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'remove-worktree') return;
    const {owner} = effect;
    const run = runOf(workshop.state(), runIdIn(owner));
    const worktree = run === undefined ? undefined : worktreeOf(run, owner);
    if (run === undefined || worktree === undefined) throw new Error(`${owner} has no worktree`);
    const {path, branch, commit} = worktree;
    const {kept, how} = await remove(workshop.workspace(), {
      owner,
      path,
      branch,
      base: commit,
      ...(run.stage.at === 'accepted' ? {mergedInto: run.head ?? run.stage.commit} : {}),
    });
    dropAgentState(workshop, owner);
    for (const line of how) workshop.log(`${owner}: ${line}`);
    await report({type: 'worktree-removed', owner, kept});
  };
}

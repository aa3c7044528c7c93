import {
  runIdIn,
  runOf,
  worktreeOf,
  type Run,
  type Worktree,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  buildMerge,
  checkoutCandidate,
  commitChange,
  commitMessageOf,
  movedBranch,
  publishMerge,
  renewWorktree,
  restoreBranch,
  treeOf,
} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {setupReads} from './setup-reads.ts';
import {mergePlaceOf, ownBranchOf, placeOfTask, type TaskPlace} from './task-of-effect.ts';

/** The captured tree, and nothing that came into the worktree since. The same intent makes the same commit. */
export function commit(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'commit') return;
    const {task: id, attempt, tree} = effect;
    const place = placeOfTask(workshop, id);
    const {worktree} = place;
    if (worktree.branch === null) throw new Error(`the worktree of ${id} is on no branch`);
    const made = await commitChange(workshop.workspace(), {
      branch: worktree.branch,
      directory: worktree.path,
      parent: worktree.commit,
      tree,
      message: messageOf(place),
      at: approvedAt(place.run),
    });
    await report({type: 'change-committed', task: id, attempt, commit: made});
  };
}

/** Beside every working tree; then it is laid out where the checks run. */
export function merge(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'build-merge') return;
    const {task: id, commit: theirs, onto} = effect;
    const place = placeOfTask(workshop, id);
    // Before anything is built or checked: what is built on another tip than the branch has could never be published.
    if (await reportMoved(workshop, place.run, onto, report)) return;
    const built = await buildMerge(workshop.workspace(), {
      onto,
      commit: theirs,
      message: mergeMessageOf(place),
      at: approvedAt(place.run),
    });
    if ('conflicts' in built) {
      const hunks = built.conflicts
        .map(({path, kind, hunks: text}) => `${path} (${kind})\n${text}`)
        .join('\n')
        .slice(0, mostHunks);
      await report({
        type: 'merge-conflicted',
        task: id,
        paths: built.conflicts.map(({path}) => path),
        hunks,
      });
      return;
    }

    await checkoutCandidate(workshop.workspace(), {
      directory: mergePlaceOf(place.run).path,
      commit: built.candidate,
    });
    await report({
      type: 'merge-built',
      task: id,
      candidate: built.candidate,
      onto,
      ...(await setupReads(workshop, built.candidate)),
    });
  };
}

const mostHunks = 4000;

export function publish(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'publish-merge') return;
    const {task: id, candidate, onto} = effect;
    const {run} = placeOfTask(workshop, id);
    const outcome = await publishMerge(workshop.workspace(), {
      branch: ownBranchOf(run),
      candidate,
      onto,
    });
    if (outcome === 'published') await report({type: 'task-merged', task: id, commit: candidate});
    else await reportMoved(workshop, run, onto, report);
  };
}

/** Whether the run's own branch is somewhere else than the run left it. Then a person is asked what holds. */
export async function reportMoved(
  workshop: Workshop,
  run: Run,
  expected: string,
  report: Parameters<Perform>[1],
): Promise<boolean> {
  const branch = ownBranchOf(run);
  const moved = await movedBranch(workshop.workspace(), {branch, expected});
  if (moved !== undefined)
    await report({type: 'branch-moved', run: run.id, branch, expected, ...moved});
  return moved !== undefined;
}

/** At a person's word; what somebody else put there is kept. */
export function restore(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'restore-branch') return;
    const {run, branch, to, from} = effect;
    const restored = await restoreBranch(workshop.workspace(), {branch, to, from});
    await report(
      'kept' in restored
        ? {type: 'branch-restored', run, kept: restored.kept}
        : {type: 'branch-moved', run, branch, expected: to, ...restored},
    );
  };
}

/** Onto another commit: a task's with its work laid over it, a planner's as that commit is. */
export function renew(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'renew-worktree') return;
    const {owner, from, task} = effect;
    const workspace = workshop.workspace();
    if (task === undefined) {
      const directory = placeOfOwner(workshop, owner).path;
      await checkoutCandidate(workspace, {directory, commit: from});
      await report({
        type: 'worktree-renewed',
        owner,
        commit: from,
        tree: await treeOf(workspace, directory),
        ...(await setupReads(workshop, from)),
      });
      return;
    }

    const {worktree} = placeOfTask(workshop, task);
    const {commit: base, tree} = await renewWorktree(workspace, {
      directory: worktree.path,
      branch: worktree.branch,
      base: worktree.commit,
      onto: from,
    });
    await report({
      type: 'worktree-renewed',
      owner,
      commit: base,
      tree,
      ...(await setupReads(workshop, tree)),
    });
  };
}

function placeOfOwner({state}: Workshop, owner: WorktreeOwner): Worktree {
  const run = runOf(state(), runIdIn(owner));
  const worktree = run === undefined ? undefined : worktreeOf(run, owner);
  if (worktree === undefined) throw new Error(`${owner} has no worktree`);
  return worktree;
}

function messageOf({run, task}: TaskPlace): string {
  const plan = run.stage.at === 'working' ? run.stage.approval.plan : '';
  return commitMessageOf({
    title: task.planned.title,
    body: task.planned.brief,
    run: run.id,
    task: task.id,
    plan,
  });
}

/** What was done is said by the task's own commit; this one says for what it was merged. */
function mergeMessageOf({run, task}: TaskPlace): string {
  const plan = run.stage.at === 'working' ? run.stage.approval.plan : '';
  return commitMessageOf({
    title: `Merge ${task.id}: ${run.request.objective}`,
    run: run.id,
    task: task.id,
    plan,
  });
}

/** A moment that a redo finds again. */
function approvedAt({stage, createdAt}: Run): number {
  return stage.at === 'working' ? stage.approval.at : createdAt;
}

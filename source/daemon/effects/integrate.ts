import {
  type Run,
  runIdIn,
  selectRun,
  selectWorktree,
  type Worktree,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  buildMerge,
  checkoutCandidate,
  commitChange,
  composeCommitMessage,
  findMovedRunBranch,
  hashTree,
  publishMerge,
  renewWorktree,
  restoreBranch,
} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import type {RepositoryAccess, StateReader} from '../daemon-context.ts';
import {
  readSetupFingerprint,
  selectMergeWorktree,
  selectOwnBranch,
  selectTaskPlace,
  type TaskPlace,
} from './task-place.ts';

/**
 * Commits the captured tree, without later changes in the worktree. The same input gives the same
 * commit.
 */
export function commit(context: StateReader & Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'commit') return;
    const {task: id, attempt, tree} = effect;
    const place = selectTaskPlace(context, id);
    const {worktree} = place;
    if (worktree.branch === null) throw new Error(`the worktree of ${id} is on no branch`);
    const made = await commitChange(context.workspace(), {
      branch: worktree.branch,
      directory: worktree.path,
      parent: worktree.commit,
      tree,
      message: composeTaskMessage(place),
      at: approvedAt(place.run),
    });
    await report({type: 'change-committed', task: id, attempt, commit: made});
  };
}

/**
 * Builds the merge outside of every working tree, then checks it out in the worktree for checks.
 */
export function merge(context: StateReader & Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'build-merge') return;
    const {task: id, commit: theirs, onto} = effect;
    const place = selectTaskPlace(context, id);
    // Checked first: a merge onto another tip than the branch's could never be published.
    if (await reportMoved(context, place.run, onto, report)) return;
    const built = await buildMerge(context.workspace(), {
      onto,
      commit: theirs,
      message: composeMergeMessage(place),
      at: approvedAt(place.run),
    });
    if ('conflicts' in built) {
      const hunks = built.conflicts
        .map(({path, kind, hunks: text}) => `${path} (${kind})\n${text}`)
        .join('\n')
        .slice(0, maxHunkCharacters);
      await report({
        type: 'merge-conflicted',
        task: id,
        paths: built.conflicts.map(({path}) => path),
        hunks,
      });
      return;
    }

    await checkoutCandidate(context.workspace(), {
      directory: selectMergeWorktree(place.run).path,
      commit: built.candidate,
    });
    await report({
      type: 'merge-built',
      task: id,
      candidate: built.candidate,
      onto,
      ...(await readSetupFingerprint(context, built.candidate)),
    });
  };
}

const maxHunkCharacters = 4000;

export function publish(context: StateReader & Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'publish-merge') return;
    const {task: id, candidate, onto} = effect;
    const {run} = selectTaskPlace(context, id);
    const outcome = await publishMerge(context.workspace(), {
      branch: selectOwnBranch(run),
      candidate,
      onto,
    });
    if (outcome === 'published') await report({type: 'task-merged', task: id, commit: candidate});
    else await reportMoved(context, run, onto, report);
  };
}

/** Whether somebody moved the run's branch. If so, reports it, and a person is asked. */
export async function reportMoved(
  context: Pick<RepositoryAccess, 'workspace'>,
  run: Run,
  expected: string,
  report: Parameters<EffectHandler>[1],
): Promise<boolean> {
  const branch = selectOwnBranch(run);
  const moved = await findMovedRunBranch(context.workspace(), {branch, expected});
  if (moved !== undefined)
    await report({type: 'branch-moved', run: run.id, branch, expected, ...moved});
  return moved !== undefined;
}

/** Moves the run's branch back at a person's command. Foreign commits are backed up. */
export function restore(context: Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'restore-branch') return;
    const {run, branch, to, from} = effect;
    const restored = await restoreBranch(context.workspace(), {branch, to, from});
    await report(
      'retained' in restored
        ? {type: 'branch-restored', run, kept: restored.retained}
        : {type: 'branch-moved', run, branch, expected: to, ...restored},
    );
  };
}

/**
 * Moves a worktree onto another commit: a task's with its work on top, a planner's exactly as the
 * commit is.
 */
export function renew(context: StateReader & Pick<RepositoryAccess, 'workspace'>): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'renew-worktree') return;
    const {owner, from, task} = effect;
    const workspace = context.workspace();
    if (task === undefined) {
      const directory = selectOwnerWorktree(context, owner).path;
      await checkoutCandidate(workspace, {directory, commit: from});
      await report({
        type: 'worktree-renewed',
        owner,
        commit: from,
        tree: await hashTree(workspace, directory),
        ...(await readSetupFingerprint(context, from)),
      });
      return;
    }

    const {worktree} = selectTaskPlace(context, task);
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
      ...(await readSetupFingerprint(context, tree)),
    });
  };
}

function selectOwnerWorktree({state}: StateReader, owner: WorktreeOwner): Worktree {
  const run = selectRun(state(), runIdIn(owner));
  const worktree = run === undefined ? undefined : selectWorktree(run, owner);
  if (worktree === undefined) throw new Error(`${owner} has no worktree`);
  return worktree;
}

function composeTaskMessage({run, task}: TaskPlace): string {
  const plan = run.stage.at === 'working' ? run.stage.approval.plan : '';
  return composeCommitMessage({
    title: task.planned.title,
    body: task.planned.brief,
    run: run.id,
    task: task.id,
    plan,
  });
}

/** Names the objective; the task's own commit describes the change. */
function composeMergeMessage({run, task}: TaskPlace): string {
  const plan = run.stage.at === 'working' ? run.stage.approval.plan : '';
  return composeCommitMessage({
    title: `Merge ${task.id}: ${run.request.objective}`,
    run: run.id,
    task: task.id,
    plan,
  });
}

/** A time that is the same on every retry. */
function approvedAt({stage, createdAt}: Run): number {
  return stage.at === 'working' ? stage.approval.at : createdAt;
}

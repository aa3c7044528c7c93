import path from 'node:path';
import {rmSync} from 'node:fs';
import {computeDifferences, type Difference} from '../changes/differences.ts';
import {readRef, toBranchRef} from '../commit/refs.ts';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {
  dropHold,
  findOldEntries,
  findStrangeEntries,
  holdIndex,
  writeIndex,
} from './checkout-index.ts';
import {
  type AcceptIntent,
  advanceUserBranch,
  dropIntent,
  formatNames,
  movePhrases,
  readIntent,
} from './user-branch.ts';
import {dirtyPaths} from './obstacles.ts';
import {
  dropStaged,
  type PathState,
  readPathState,
  stageFiles,
  temporaryFileSuffix,
} from './checkout-files.ts';
import type {CheckoutPaths} from '../client/plumbing.ts';
import {restoreFiles, writeDifferences} from './sync-checkout.ts';
import {waitForLocks} from '../worktrees/live-git.ts';
import {statAt} from '../worktrees/paths.ts';

/**
 * Finishes an accept that a crash interrupted; null when there is none or it is done. A rejection
 * names the files that a person has to check. The caller holds the workspace lock.
 */
export async function resumeAccept(
  workspace: Workspace,
  lockTimeoutMs: number,
): Promise<{readonly rejected: string} | null> {
  const found = readIntent(workspace);
  if (found === undefined) return null;
  const {since, ...intent} = found;
  const {branch, from, to, checkout} = intent;
  await dropOwnLocks(workspace, {
    branch,
    since,
    gitDirectory: checkout?.gitDirectory ?? workspace.commonDirectory,
  });
  if (checkout === null) {
    if ((await readRef(workspace, toBranchRef(branch))) === from)
      await advanceUserBranch(workspace, {
        branch,
        from,
        to,
        since,
        gitDirectory: workspace.commonDirectory,
        ...(intent.purpose === undefined ? {} : {purpose: intent.purpose}),
      });
    dropIntent(workspace);
    return null;
  }

  dropHold(checkout.gitDirectory);
  const seen = await readRef(workspace, toBranchRef(branch));
  if (intent.at === 'looking') return finishAccept(workspace, checkout);
  const held = await holdIndex(checkout, lockTimeoutMs);
  if ('rejected' in held) return held;
  try {
    const differences = await computeDifferences(workspace, from, to);
    dropTemporaryFiles(checkout.directory, differences);
    if (seen === to) {
      // Files are written before the branch moves, so only the index can be out of date.
      const behind = await findOldEntries(workspace, checkout, differences);
      if (behind.length > 0)
        await writeIndex(
          workspace,
          checkout,
          held,
          behind.map((one) => ({path: one.path, entry: one.new})),
        );
      return finishAccept(workspace, checkout);
    }

    if (seen !== from && intent.at === 'writing')
      return await finishMovedBranch(workspace, {intent, checkout, differences});
    const states = await readStates(workspace, checkout, intent, differences);
    if (intent.at === 'taking-back') {
      // Restore only our changes: the edit that caused the rollback is the person's.
      const ours = differences.filter((one) =>
        ['new', 'half'].includes(states.get(one.path) ?? ''),
      );
      await restoreFiles(workspace, {
        intent: {...intent, checkout},
        since,
        held,
        differences: ours,
      });
      return null;
    }

    const strange = await findStrangeEntries(workspace, checkout, differences);
    const edited = differences
      .map(({path: file}) => file)
      .filter((file) => states.get(file) === 'edited' || strange.includes(file));
    if (edited.length > 0) return {rejected: formatEdited(checkout, intent, edited)};
    const staged = await stageFiles(workspace, checkout, {
      commit: to,
      paths: differences.filter((one) => one.new !== null).map(({path: file}) => file),
    });
    const result = await writeDifferences(workspace, {
      intent: {...intent, checkout},
      since,
      held,
      differences,
      staged,
      looks: new Map(),
    });
    return typeof result === 'string' ? null : result;
  } finally {
    held.release();
  }
}

function finishAccept(workspace: Workspace, {gitDirectory}: CheckoutPaths): null {
  // Release the lock first: the proof that it is ours is in the staging directory.
  dropHold(gitDirectory);
  dropStaged(gitDirectory);
  dropIntent(workspace);
  return null;
}

/**
 * The person moved the branch after the crash. Without dirty files among the changed ones, nothing
 * is left to finish.
 */
async function finishMovedBranch(
  workspace: Workspace,
  {
    intent,
    checkout,
    differences,
  }: {
    readonly intent: AcceptIntent;
    readonly checkout: CheckoutPaths;
    readonly differences: readonly Difference[];
  },
): Promise<{readonly rejected: string} | null> {
  const changed = new Set(differences.map(({path: file}) => file));
  const dirty = (await dirtyPaths(workspace, checkout)).filter((file) => changed.has(file));
  if (dirty.length === 0) return finishAccept(workspace, checkout);
  return {
    rejected:
      `${movePhrases[intent.purpose ?? 'accept'].doing} ${formatNames([intent.branch])} ` +
      `was interrupted, and the branch has moved since then. Look at ${formatNames(dirty)} ` +
      `in ${formatNames([checkout.directory])}: commit what you want to keep, "git ` +
      `restore" the rest, then ${movePhrases[intent.purpose ?? 'accept'].again}.`,
  };
}

async function readStates(
  workspace: Workspace,
  place: CheckoutPaths,
  {from, to}: AcceptIntent,
  differences: readonly Difference[],
): Promise<ReadonlyMap<string, PathState>> {
  const stagedOld = await stageFiles(workspace, place, {
    commit: from,
    paths: differences.filter((one) => one.old !== null).map(({path: file}) => file),
  });
  const stagedNew = await stageFiles(workspace, place, {
    commit: to,
    paths: differences.filter((one) => one.new !== null).map(({path: file}) => file),
  });
  const states = new Map<string, PathState>();
  for (const difference of differences)
    states.set(
      difference.path,
      await readPathState(workspace, place, {difference, stagedOld, stagedNew}),
    );
  return states;
}

function formatEdited(
  place: CheckoutPaths,
  {branch, from, purpose = 'accept'}: AcceptIntent,
  edited: readonly string[],
): string {
  const {doing, again} = movePhrases[purpose];
  return (
    `${doing} ${formatNames([branch])} was interrupted, and ${formatNames(edited)} in ` +
    `${formatNames([place.directory])} has been edited since then. Your edits are ` +
    `untouched. Keep a copy of them elsewhere, put the file back ("git checkout ${from} -- ` +
    `FILE"), then ${again}: it continues where it was interrupted.`
  );
}

function dropTemporaryFiles(directory: string, differences: readonly Difference[]): void {
  for (const place of new Set(
    differences.map(({path: file}) => path.join(directory, path.dirname(file))),
  )) {
    for (const name of namesIn(place, {maxEntries: 1_000_000}))
      if (name.endsWith(temporaryFileSuffix)) rmSync(path.join(place, name), {force: true});
  }
}

/**
 * Removes locks that our killed git left. Git locks HEAD while it moves HEAD's branch; a leftover
 * lock would keep the person from committing. A lock that is younger than our intent, and that no
 * running git can hold, is ours.
 */
export async function dropOwnLocks(
  workspace: Workspace,
  {
    branch,
    gitDirectory,
    since,
  }: {readonly branch: string; readonly gitDirectory: string; readonly since: number},
): Promise<void> {
  const locks = [
    path.join(gitDirectory, 'HEAD.lock'),
    path.join(workspace.commonDirectory, `${toBranchRef(branch)}.lock`),
  ];
  const isOurs = (lock: string): boolean => (statAt(lock)?.mtimeMs ?? 0) >= since - 1;
  if (!locks.some(isOurs)) return;
  await waitForLocks([workspace.root, workspace.commonDirectory, workspace.worktrees]);
  for (const lock of locks) if (isOurs(lock)) rmSync(lock, {force: true});
}

import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync, rmdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {copyIndex, retryPastLocks} from '../client/plumbing.ts';
import type {Workspace} from '../open-workspace.ts';
import {checkDisk} from './check-disk.ts';
import {getOwnPlace, toSlug} from './paths.ts';
import {
  dropNote,
  getSeedIndex,
  readGitLink,
  readRegistered,
  type WorktreeNote,
  writeNote,
} from './records.ts';
import {waitForLocks} from './live-git.ts';
import {forgetPrepared} from '../sharing/prepared-shares.ts';

export type Staging = {
  readonly owner: string;
  readonly commit: string;
  readonly tree: string;
  readonly asked: string | null;
  /** The branch of an earlier attempt, reused if it has not moved. */
  readonly branch: string | null;
  readonly since: number | undefined;
};

/**
 * Builds a complete, detached worktree in a private directory, where a half-made one can be deleted
 * after a crash. `placeWorktree` moves the finished one to its visible path by one rename.
 *
 * Only the registration needs the lock. The checkout, which takes most of the time, writes to this
 * worktree alone.
 */
export async function stageWorktree(
  workspace: Workspace,
  {owner, commit, tree, asked, branch, since}: Staging,
): Promise<WorktreeNote> {
  const slug = toSlug(owner);
  await checkDisk(workspace, {tree});
  const place = getOwnPlace(workspace, 'making');
  mkdirSync(place, {recursive: true, mode: 0o700});
  const stage = path.join(place, `${slug}-${randomBytes(5).toString('hex')}`);
  const note: WorktreeNote = {
    owner,
    from: commit,
    at: 'staging',
    stage,
    admin: null,
    asked,
    branch,
    path: null,
    began: since ?? workspace.now(),
  };
  writeNote(workspace, slug, note);
  // Locked, so that `git worktree prune` does not remove it while its directory moves.
  await workspace.withLock(() =>
    retryPastLocks(workspace, since, () =>
      workspace.git(workspace.root, [
        'worktree',
        'add',
        '--detach',
        '--no-checkout',
        '--lock',
        '--reason',
        'orchestra',
        stage,
        commit,
      ]),
    ),
  );
  const admin = readGitLink(stage);
  if (admin === null)
    throw new Error(
      `Expected git to have made ${stage}, but there is no worktree. Check the disk, then resume.`,
    );
  await workspace.limitConcurrency(() =>
    workspace.git(stage, ['reset', '--hard', '--quiet', '--no-recurse-submodules', commit]),
  );
  const seed = getSeedIndex(workspace, slug);
  mkdirSync(path.dirname(seed), {recursive: true, mode: 0o700});
  copyIndex(path.join(admin, 'index'), `${seed}.tmp`);
  renameSync(`${seed}.tmp`, seed);
  return writeNote(workspace, slug, {...note, at: 'ready', admin});
}

/** Deletes an unused, staged worktree and git's entry for it. */
export async function discardStaged(workspace: Workspace, note: WorktreeNote): Promise<void> {
  // A git that outlived its daemon could still write there.
  await waitForLocks([note.stage]);
  await workspace.withLock(async () => {
    for (const {admin, path: place} of readRegistered(workspace)) {
      // The name has ten random digits, so it is ours even when git has written nothing else yet.
      const isNamed = path.basename(admin).startsWith(path.basename(note.stage));
      if (admin === note.admin || place === note.stage || (isNamed && place === null))
        dropAdmin(workspace, admin);
    }

    await rm(note.stage, {recursive: true, force: true, maxRetries: 3});
  });
  forgetPrepared(workspace, note.owner);
  dropNote(workspace, toSlug(note.owner));
}

/** Deletes git's directory for a worktree, and the parent when it was the last, as git does. */
export function dropAdmin(workspace: Workspace, admin: string): void {
  rmSync(admin, {recursive: true, force: true});
  try {
    rmdirSync(path.join(workspace.commonDirectory, 'worktrees'));
  } catch {
    // Other worktrees are left.
  }
}

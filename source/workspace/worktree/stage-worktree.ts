import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync} from 'node:fs';
import path from 'node:path';
import {copyIndex} from '../git/copy-index.ts';
import type {Workspace} from '../open-workspace.ts';
import {checkDisk} from './check-disk.ts';
import {ownPlaceOf, slugOf} from './names.ts';
import {seedIndexOf, writeNote, type Note} from './note.ts';
import {pastLocks} from './past-locks.ts';
import {linkOf} from './registered.ts';

export type Staging = {
  readonly owner: string;
  readonly commit: string;
  readonly tree: string;
  readonly asked: string | null;
  /** The branch of an earlier one that is gone; taken again if nobody has touched it. */
  readonly branch: string | null;
  readonly since: number | undefined;
};

/**
 * Builds a worktree whole, detached, in a place of our own. What is half-made by a crash can be thrown away there
 * without a thought; the place that people see gets a finished one, by one rename.
 *
 * Only the registration takes its turn. The checkout, which costs all the time, writes to this worktree alone.
 */
export async function stageWorktree(
  workspace: Workspace,
  {owner, commit, tree, asked, branch, since}: Staging,
): Promise<Note> {
  const slug = slugOf(owner);
  await checkDisk(workspace, {tree});
  const place = ownPlaceOf(workspace, 'making');
  mkdirSync(place, {recursive: true, mode: 0o700});
  const stage = path.join(place, `${slug}-${randomBytes(5).toString('hex')}`);
  const note: Note = {
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
  // Locked, so that nobody's `git worktree prune` takes it while its directory is on the way.
  await workspace.inTurn(() =>
    pastLocks(workspace, since, () =>
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
  const admin = linkOf(stage);
  if (admin === null)
    throw new Error(
      `Expected git to have made ${stage}, but there is no worktree. Look at the disk, then go on.`,
    );
  await workspace.amongFew(() =>
    workspace.git(stage, ['reset', '--hard', '--quiet', '--no-recurse-submodules', commit]),
  );
  const seed = seedIndexOf(workspace, slug);
  mkdirSync(path.dirname(seed), {recursive: true, mode: 0o700});
  copyIndex(path.join(admin, 'index'), `${seed}.tmp`);
  renameSync(`${seed}.tmp`, seed);
  return writeNote(workspace, slug, {...note, at: 'ready', admin});
}

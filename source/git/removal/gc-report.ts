import path from 'node:path';
import {statSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {formatProcesses, liveProcessesIn} from '../worktrees/live-git.ts';
import {isThere} from '../worktrees/paths.ts';
import {listNamesThroughLinks} from '../worktrees/records.ts';
import {hashTree, readHeadCommit} from '../worktrees/get-tree.ts';
import {measureBytes} from './back-up-files.ts';
import {type LeftoverPath, listLeftovers} from './leftovers.ts';
import type {RemovalOptions} from './removal.ts';

export type GcWorktree = {
  readonly owner: string;
  readonly path: string;
  readonly bytes: number;
  /** Removing it loses nothing and needs no backup. */
  readonly mayGo: boolean;
  readonly why: string;
};

export type Backup = {
  readonly ref: string;
  readonly commit: string;
  readonly at: number;
  readonly patch: string | null;
  readonly bytes: number;
};

export type GcReport = {
  readonly worktrees: readonly GcWorktree[];
  readonly leftovers: readonly (LeftoverPath & {readonly bytes: number})[];
  readonly backups: readonly Backup[];
};

/**
 * What could be removed, with size and reason. Changes nothing. `onWorktree` is called before each
 * worktree, because a large one takes seconds.
 */
export async function gcReport(
  workspace: Workspace,
  known: readonly RemovalOptions[],
  onWorktree: (owner: string, index: number) => void = () => undefined,
): Promise<GcReport> {
  const worktrees: GcWorktree[] = [];
  for (const [index, options] of known.entries()) {
    onWorktree(options.owner, index);
    worktrees.push({
      owner: options.owner,
      path: options.path,
      bytes: await measureBytes(options.path),
      ...(await judgeIfThere(workspace, options)),
    });
  }

  const leftovers = await Promise.all(
    listLeftovers(
      workspace,
      known.map((options) => options.path),
    ).map(async (leftover) => ({...leftover, bytes: await measureBytes(leftover.path)})),
  );
  return {worktrees, leftovers, backups: await listBackups(workspace)};
}

/** A worktree that is removed meanwhile counts as gone, not as an error. */
async function judgeIfThere(
  workspace: Workspace,
  options: RemovalOptions,
): Promise<Pick<GcWorktree, 'mayGo' | 'why'>> {
  try {
    return await judgeWorktree(workspace, options);
  } catch (error) {
    if (isThere(options.path)) throw error;
    return judgeWorktree(workspace, options);
  }
}

async function judgeWorktree(
  workspace: Workspace,
  {path: place, branch, base, mergedInto, isLive}: RemovalOptions,
): Promise<Pick<GcWorktree, 'mayGo' | 'why'>> {
  if (!isThere(place)) return {mayGo: true, why: 'its directory is gone'};
  if ((await isLive?.(place)) === true) return {mayGo: false, why: 'a session runs in it'};
  const live = liveProcessesIn(place);
  if (live.length > 0) return {mayGo: false, why: `${formatProcesses(live)} runs in it`};
  const read = (...argv: readonly string[]): Promise<string> =>
    workspace.git(workspace.root, argv, {isRead: true}).then((text) => text.trim());
  const isWithin = async (commit: string): Promise<boolean> => {
    for (const target of [base, ...(mergedInto === undefined ? [] : [mergedInto])]) {
      if (
        await read('merge-base', '--is-ancestor', commit, target).then(
          () => true,
          () => false,
        )
      )
        return true;
    }

    return false;
  };
  const tree = await hashTree(workspace, place);
  const tips = [
    await readHeadCommit(workspace, place).catch(() => null),
    branch === null
      ? null
      : await read('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).catch(() => null),
  ].filter((tip) => tip !== null);
  for (const tip of tips)
    if (!(await isWithin(tip)))
      return {
        mayGo: false,
        why: 'it has commits that are not merged; removing it keeps them as a ref and a patch',
      };
  const settled = await Promise.all(
    [base, ...tips, ...(mergedInto === undefined ? [] : [mergedInto])].map((commit) =>
      read('rev-parse', '--verify', `${commit}^{tree}`),
    ),
  );
  if (!settled.includes(tree))
    return {
      mayGo: false,
      why: 'it has files that are in no commit; removing it keeps them as a ref and a patch',
    };
  return {
    mayGo: true,
    why: mergedInto === undefined ? 'nothing was changed in it' : 'everything in it is merged',
  };
}

/** Backups of removed worktrees. */
export async function listBackups(workspace: Workspace): Promise<readonly Backup[]> {
  const lines = (
    await workspace.git(
      workspace.root,
      [
        'for-each-ref',
        '--sort=-creatordate',
        '--format=%(refname) %(objectname) %(creatordate:unix)',
        'refs/orchestra/backup',
      ],
      {isRead: true},
    )
  )
    .split('\n')
    .filter((line) => line !== '');
  const patches = new Set(listNamesThroughLinks(path.join(workspace.private, 'kept')));
  return lines.map((line) => {
    const [ref = '', commit = '', seconds = '0'] = line.split(' ');
    const name = `${ref.slice('refs/orchestra/backup/'.length)}.patch`;
    const patch = patches.has(name) ? path.join(workspace.private, 'kept', name) : null;
    return {
      ref,
      commit,
      at: Number(seconds) * 1000,
      patch,
      bytes: patch === null ? 0 : statSync(patch).size,
    };
  });
}

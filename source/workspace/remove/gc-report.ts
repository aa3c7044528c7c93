import {statSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {liveProcessesIn, nameOf} from '../worktree/live-git.ts';
import {isThere} from '../worktree/names.ts';
import {namesIn} from '../worktree/note.ts';
import {headOf, treeOf} from '../worktree/tree-of.ts';
import {bytesOf} from './keep-files.ts';
import {listLeftovers, type Leftover} from './list-leftovers.ts';
import type {RemovalWish} from './removal.ts';

export type GcWorktree = {
  readonly owner: string;
  readonly path: string;
  readonly bytes: number;
  /** Removing it loses nothing, and keeps nothing either. */
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
  readonly leftovers: readonly (Leftover & {readonly bytes: number})[];
  readonly backups: readonly Backup[];
};

/** What could go and how large it is, and why or why not. Only looks. `onWorktree` is told before each of them: a large one takes seconds. */
export async function gcReport(
  workspace: Workspace,
  known: readonly RemovalWish[],
  onWorktree: (owner: string, index: number) => void = () => undefined,
): Promise<GcReport> {
  const worktrees: GcWorktree[] = [];
  for (const [index, wish] of known.entries()) {
    onWorktree(wish.owner, index);
    worktrees.push({
      owner: wish.owner,
      path: wish.path,
      bytes: await bytesOf(wish.path),
      ...(await judgeIfThere(workspace, wish)),
    });
  }

  const leftovers = await Promise.all(
    listLeftovers(
      workspace,
      known.map((wish) => wish.path),
    ).map(async (leftover) => ({...leftover, bytes: await bytesOf(leftover.path)})),
  );
  return {worktrees, leftovers, backups: await listBackups(workspace)};
}

/** One that is removed while it is looked at is gone, and no fault. */
async function judgeIfThere(
  workspace: Workspace,
  wish: RemovalWish,
): Promise<Pick<GcWorktree, 'mayGo' | 'why'>> {
  try {
    return await judge(workspace, wish);
  } catch (error) {
    if (isThere(wish.path)) throw error;
    return judge(workspace, wish);
  }
}

async function judge(
  workspace: Workspace,
  {path: place, branch, base, mergedInto, isLive}: RemovalWish,
): Promise<Pick<GcWorktree, 'mayGo' | 'why'>> {
  if (!isThere(place)) return {mayGo: true, why: 'its directory is gone'};
  if ((await isLive?.(place)) === true) return {mayGo: false, why: 'a session is at work in it'};
  const live = liveProcessesIn(place);
  if (live.length > 0) return {mayGo: false, why: `${nameOf(live)} is in it`};
  const read = (...argv: readonly string[]): Promise<string> =>
    workspace.git(workspace.root, argv, {isRead: true}).then((text) => text.trim());
  const isWithin = async (commit: string): Promise<boolean> => {
    for (const home of [base, ...(mergedInto === undefined ? [] : [mergedInto])]) {
      if (
        await read('merge-base', '--is-ancestor', commit, home).then(
          () => true,
          () => false,
        )
      )
        return true;
    }

    return false;
  };
  const tree = await treeOf(workspace, place);
  const tips = [
    await headOf(workspace, place).catch(() => null),
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

/** What was kept of worktrees that are gone. */
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
  const patches = new Set(namesIn(path.join(workspace.private, 'kept')));
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

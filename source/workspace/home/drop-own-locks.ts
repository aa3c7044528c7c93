import {rmSync} from 'node:fs';
import path from 'node:path';
import {refOf} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {outwait} from '../worktree/live-git.ts';
import {statAt} from './stat-at.ts';

/**
 * Git holds HEAD while it moves the branch that HEAD is on, also for a moment after the branch has moved: killed there, it
 * leaves a lock that would keep the person from committing. One that is younger than our intent, and that no living git can hold, is ours.
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
    path.join(workspace.commonDirectory, `${refOf(branch)}.lock`),
  ];
  const isOurs = (lock: string): boolean => (statAt(lock)?.mtimeMs ?? 0) >= since - 1;
  if (!locks.some(isOurs)) return;
  await outwait([workspace.root, workspace.commonDirectory, workspace.worktrees]);
  for (const lock of locks) if (isOurs(lock)) rmSync(lock, {force: true});
}

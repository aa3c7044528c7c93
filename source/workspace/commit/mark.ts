import {rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from '../worktree/write-whole.ts';

/**
 * A mark on the disk while we are about to do something: a lock file that is younger than the mark of a call that never
 * came to its end is one of ours. Gives when the unfinished one began, else now.
 */
export function markSince(workspace: Workspace, name: string): number {
  const file = fileOf(workspace, name);
  const earlier = statSync(file, {throwIfNoEntry: false});
  if (earlier !== undefined) return earlier.mtimeMs;
  writeWhole(file, '');
  return statSync(file).mtimeMs;
}

export function dropMark(workspace: Workspace, name: string): void {
  rmSync(fileOf(workspace, name), {force: true});
}

function fileOf(workspace: Workspace, name: string): string {
  return path.join(workspace.private, 'marks', name);
}

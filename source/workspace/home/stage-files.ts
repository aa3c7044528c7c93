import {closeSync, fsyncSync, mkdirSync, openSync, rmSync} from 'node:fs';
import path from 'node:path';
import {aside} from '../change/aside.ts';
import {withIndex} from '../change/with-index.ts';
import type {Workspace} from '../open-workspace.ts';
import type {Place} from './run-in.ts';
import {statAt} from './stat-at.ts';

/**
 * Writes files of a commit into a place of our own inside git's directory, as a checkout writes them: line ends, modes,
 * links. The attributes are those of the commit. From there each goes to its place by one rename.
 */
export async function stageFiles(
  workspace: Workspace,
  {gitDirectory}: Place,
  {commit, paths}: {readonly commit: string; readonly paths: readonly string[]},
): Promise<string> {
  const staged = stagedIn(gitDirectory, commit);
  rmSync(staged, {recursive: true, force: true});
  mkdirSync(staged, {recursive: true, mode: 0o700});
  if (paths.length === 0) return staged;
  await withIndex(workspace, async (index) => {
    await aside(workspace, ['read-tree', commit], {index});
    await workspace.git(
      staged,
      [
        '--git-dir',
        workspace.commonDirectory,
        '--work-tree',
        staged,
        'checkout-index',
        '-f',
        '-q',
        '-z',
        '--stdin',
      ],
      {index, input: paths.map((file) => `${file}\0`).join('')},
    );
  });
  for (const file of paths) {
    const full = path.join(staged, file);
    const stat = statAt(full);
    if (stat === undefined)
      throw new Error(
        `Expected git to write ${full}, but it is not there. Nothing of yours was changed; try again.`,
      );
    if (stat.isFile()) syncFile(full);
  }

  return staged;
}

export function dropStaged(gitDirectory: string): void {
  rmSync(path.join(gitDirectory, 'orchestra-home'), {recursive: true, force: true});
}

function stagedIn(gitDirectory: string, commit: string): string {
  return path.join(gitDirectory, 'orchestra-home', commit);
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

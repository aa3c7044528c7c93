import path from 'node:path';
import {cpSync, existsSync, lstatSync, mkdirSync, rmSync} from 'node:fs';
import {lstat} from 'node:fs/promises';
import {streamDirectory, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {hashOfFile, readProvisioned, writeWhole} from '../worktrees/records.ts';
import {isThere} from '../worktrees/paths.ts';
import type {Dropped} from './removal.ts';

export type BackUpFilesOptions = {
  /** Where the worktree is now. */
  readonly directory: string;
  /** Where it was when it was provisioned. */
  readonly place: string;
  readonly admin: string | null;
  readonly name: string;
  readonly nested: readonly string[];
  /** Our own index of it, up to date. */
  readonly index: string;
};

/**
 * Backs up what no commit can hold: repositories inside of the worktree, and copies of ignored
 * files (`.worktreeinclude`) that were changed there. Other ignored files are dropped, and listed
 * with their size.
 */
export async function backUpFiles(
  workspace: Workspace,
  {directory, place, admin, name, nested, index}: BackUpFilesOptions,
): Promise<{readonly dropped: readonly Dropped[]; readonly directory: string | null}> {
  const backup = path.join(workspace.private, 'kept', name);
  const provisioned = readProvisioned(workspace, place);
  const changed = Object.entries(provisioned)
    .filter(
      ([file, hash]) =>
        isThere(path.join(directory, file)) && hashOfFile(path.join(directory, file)) !== hash,
    )
    .map(([file]) => file);
  const dropped = await findIgnored(workspace, directory, index, new Set(changed));
  const within = [
    ...new Set([
      ...nested,
      ...(await findRepositories(
        directory,
        new Set(dropped.map(({path: file}) => file.replace(/\/$/, ''))),
      )),
    ]),
  ].filter((file) => existsSync(path.join(directory, file, '.git')));
  rmSync(backup, {recursive: true, force: true});
  for (const file of [...changed, ...within])
    copyTo(path.join(directory, file), path.join(backup, 'files', file));
  const modules = admin === null ? undefined : path.join(admin, 'modules');
  if (modules !== undefined && existsSync(modules)) copyTo(modules, path.join(backup, 'modules'));
  const log =
    admin === null
      ? undefined
      : tryReadText(path.join(admin, 'logs', 'HEAD'), {
          maxBytes: 64 * 1024 * 1024,
          below: path.dirname(admin),
        });
  if (existsSync(backup) && log !== undefined) writeWhole(path.join(backup, 'HEAD.log'), log);
  return {dropped, directory: existsSync(backup) ? backup : null};
}

/**
 * Directories with a repository of their own, also those with tracked files in them, which git does
 * not report.
 */
async function findRepositories(
  top: string,
  ignored: ReadonlySet<string>,
  name = '',
): Promise<readonly string[]> {
  if (name !== '' && isThere(path.join(top, name, '.git'))) return [name];
  const found: string[] = [];
  for await (const entry of streamDirectory(path.join(top, name))) {
    const child = path.join(name, entry.name);
    if (entry.kind === 'directory' && entry.name !== '.git' && !ignored.has(child))
      found.push(...(await findRepositories(top, ignored, child)));
  }

  return found;
}

function copyTo(from: string, to: string): void {
  mkdirSync(path.dirname(to), {recursive: true, mode: 0o700});
  // Pipes and sockets have no content to back up.
  const filter = (file: string): boolean => {
    const stats = lstatSync(file, {throwIfNoEntry: false});
    return stats !== undefined && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink());
  };
  cpSync(from, to, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter});
}

async function findIgnored(
  workspace: Workspace,
  directory: string,
  index: string,
  backup: ReadonlySet<string>,
): Promise<readonly Dropped[]> {
  const text = await workspace.git(
    directory,
    [
      '--git-dir',
      workspace.commonDirectory,
      '--work-tree',
      directory,
      'ls-files',
      '-z',
      '-o',
      '-i',
      '--exclude-standard',
      '--directory',
    ],
    {isRead: true, index},
  );
  const names = text.split('\0').filter((name) => name !== '' && !backup.has(name));
  return Promise.all(
    names.map(async (name) => ({
      path: name,
      bytes: await measureBytes(path.join(directory, name)),
    })),
  );
}

/** Size of a file, or of a directory with everything in it. Links are not followed. */
export async function measureBytes(file: string): Promise<number> {
  const stat = await lstat(file).catch(() => undefined);
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  let sum = 0;
  for await (const {name} of streamDirectory(file))
    sum += await measureBytes(path.join(file, name));
  return sum;
}

import {cpSync, existsSync, lstatSync, mkdirSync, rmSync} from 'node:fs';
import {lstat} from 'node:fs/promises';
import path from 'node:path';
import {streamDirectory, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {hashOfFile, readFurnished} from '../worktree/furnished.ts';
import {isThere} from '../worktree/names.ts';
import {writeWhole} from '../worktree/write-whole.ts';
import type {Dropped} from './removal.ts';

export type FileQuestion = {
  /** Where it is now. */
  readonly directory: string;
  /** Where it was furnished. */
  readonly place: string;
  readonly admin: string | null;
  readonly name: string;
  readonly nested: readonly string[];
  /** Our own index of it, as it was read a moment ago. */
  readonly index: string;
};

/**
 * What no commit can hold: repositories within the worktree, and copies of ignored files (`.worktreeinclude`) that were
 * changed here. All else that is ignored goes, and is listed with its size.
 */
export async function keepFiles(
  workspace: Workspace,
  {directory, place, admin, name, nested, index}: FileQuestion,
): Promise<{readonly dropped: readonly Dropped[]; readonly directory: string | null}> {
  const kept = path.join(workspace.private, 'kept', name);
  const furnished = readFurnished(workspace, place);
  const changed = Object.entries(furnished)
    .filter(
      ([file, hash]) =>
        isThere(path.join(directory, file)) && hashOfFile(path.join(directory, file)) !== hash,
    )
    .map(([file]) => file);
  const dropped = await ignoredIn(workspace, directory, index, new Set(changed));
  const within = [
    ...new Set([
      ...nested,
      ...(await repositoriesIn(
        directory,
        new Set(dropped.map(({path: file}) => file.replace(/\/$/, ''))),
      )),
    ]),
  ].filter((file) => existsSync(path.join(directory, file, '.git')));
  rmSync(kept, {recursive: true, force: true});
  for (const file of [...changed, ...within])
    copyTo(path.join(directory, file), path.join(kept, 'files', file));
  const modules = admin === null ? undefined : path.join(admin, 'modules');
  if (modules !== undefined && existsSync(modules)) copyTo(modules, path.join(kept, 'modules'));
  const log =
    admin === null
      ? undefined
      : tryReadText(path.join(admin, 'logs', 'HEAD'), {
          maxBytes: 64 * 1024 * 1024,
          below: path.dirname(admin),
        });
  if (existsSync(kept) && log !== undefined) writeWhole(path.join(kept, 'HEAD.log'), log);
  return {dropped, directory: existsSync(kept) ? kept : null};
}

/** Directories with a repository of their own, also where git still sees tracked files and looks no further. */
async function repositoriesIn(
  top: string,
  ignored: ReadonlySet<string>,
  name = '',
): Promise<readonly string[]> {
  if (name !== '' && isThere(path.join(top, name, '.git'))) return [name];
  const found: string[] = [];
  for await (const entry of streamDirectory(path.join(top, name))) {
    const child = path.join(name, entry.name);
    if (entry.kind === 'directory' && entry.name !== '.git' && !ignored.has(child))
      found.push(...(await repositoriesIn(top, ignored, child)));
  }

  return found;
}

function copyTo(from: string, to: string): void {
  mkdirSync(path.dirname(to), {recursive: true, mode: 0o700});
  // A pipe or a socket holds nothing that could be kept.
  const filter = (file: string): boolean => {
    const stats = lstatSync(file, {throwIfNoEntry: false});
    return stats !== undefined && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink());
  };
  cpSync(from, to, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter});
}

async function ignoredIn(
  workspace: Workspace,
  directory: string,
  index: string,
  kept: ReadonlySet<string>,
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
  const names = text.split('\0').filter((name) => name !== '' && !kept.has(name));
  return Promise.all(
    names.map(async (name) => ({path: name, bytes: await bytesOf(path.join(directory, name))})),
  );
}

/** What a file or a directory with all in it takes, links not followed. */
export async function bytesOf(file: string): Promise<number> {
  const stat = await lstat(file).catch(() => undefined);
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  let sum = 0;
  for await (const {name} of streamDirectory(file)) sum += await bytesOf(path.join(file, name));
  return sum;
}

import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {copyIndex} from '../git/copy-index.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere} from './names.ts';
import {readNotes, seedIndexOf} from './note.ts';
import {linkOf, readRegistered} from './registered.ts';
import {slugOf} from './names.ts';

/**
 * The hash of everything in a directory that git does not ignore, untracked files too. Whoever works there notices
 * nothing: the index is ours. Theirs is not even read, since a flag in it could hide a file; nor is their `.git` file,
 * which could name a repository with a configuration that runs programs.
 */
export async function treeOf(workspace: Workspace, directory: string): Promise<string> {
  return (await contentOf(workspace, directory)).tree;
}

export type Content = {
  readonly tree: string;
  /** Repositories within: git keeps only the name of a commit of each, not its files. */
  readonly nested: readonly string[];
};

/** `kept` is the index of the worktree when its directory has another name by now. */
export async function contentOf(
  workspace: Workspace,
  directory: string,
  kept?: string,
): Promise<Content> {
  const known = kept ?? seedFor(workspace, directory);
  mkdirSync(path.join(workspace.private, 'index'), {recursive: true, mode: 0o700});
  const index = path.join(
    workspace.private,
    'index',
    `${path.basename(known)}.${randomBytes(4).toString('hex')}`,
  );
  const run = (argv: readonly string[], input?: string): Promise<string> =>
    workspace.git(
      directory,
      ['--git-dir', workspace.commonDirectory, '--work-tree', directory, ...argv],
      {index, ...(input === undefined ? {} : {input})},
    );
  try {
    if (isThere(known)) copyIndex(known, index);
    else await run(['read-tree', await baseOf(workspace, directory)]);
    const links = await gitlinksOf(run);
    // Git looks for changes inside of a repository that is in the index, with that repository's own configuration: an agent's.
    if (links.length > 0)
      await run(
        ['update-index', '-z', '--index-info'],
        links.map(({object, path: file}) => `0 ${'0'.repeat(object.length)}\t${file}\0`).join(''),
      );
    const empty = await addAll(run);
    const now = await gitlinksOf(run);
    const bare = links.filter(
      ({path: file}) =>
        isThere(path.join(directory, file)) && !isThere(path.join(directory, file, '.git')),
    );
    if (bare.length > 0)
      await run(
        ['update-index', '-z', '--index-info'],
        bare.map(({object, path: file}) => `160000 ${object}\t${file}\0`).join(''),
      );
    const tree = (await run(['write-tree'])).trim();
    renameSync(index, known);
    return {tree, nested: [...now.map(({path: file}) => file), ...empty]};
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

/** The paths in which a directory differs from a tree. */
export async function changedSince(
  workspace: Workspace,
  directory: string,
  tree: string,
): Promise<string[]> {
  const now = await treeOf(workspace, directory);
  const names = await workspace.git(
    workspace.root,
    ['diff-tree', '-r', '-z', '--name-only', '--no-renames', tree, now],
    {isRead: true},
  );
  return names.split('\0').filter((name) => name !== '');
}

/** The commit that a worktree stands on, from git's own directory for it. */
export async function headOf(workspace: Workspace, directory: string): Promise<string> {
  return baseOf(workspace, directory);
}

async function baseOf(workspace: Workspace, directory: string): Promise<string> {
  const admin = adminOf(workspace, directory) ?? workspace.commonDirectory;
  return (
    await workspace.git(
      workspace.root,
      ['--git-dir', admin, 'rev-parse', '--verify', 'HEAD^{commit}'],
      {isRead: true},
    )
  ).trim();
}

export function adminOf(workspace: Workspace, directory: string): string | undefined {
  const registered = readRegistered(workspace);
  return (
    registered.find((one) => one.path === directory) ??
    registered.find((one) => one.admin === linkOf(directory))
  )?.admin;
}

function seedFor(workspace: Workspace, directory: string): string {
  const note = readNotes(workspace).find(
    (one) => one.path === directory || one.stage === directory,
  );
  return seedIndexOf(
    workspace,
    note === undefined
      ? `at-${Buffer.from(directory).toString('base64url').slice(-60)}`
      : slugOf(note.owner),
  );
}

type Run = (argv: readonly string[], input?: string) => Promise<string>;

async function gitlinksOf(
  run: Run,
): Promise<readonly {readonly object: string; readonly path: string}[]> {
  return (await run(['ls-files', '-s', '-z']))
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => ({object: line.split(' ')[1] ?? '', path: line.slice(line.indexOf('\t') + 1)}));
}

/** Gives the repositories within that have no commit yet: git refuses them, so they are left out. */
async function addAll(run: Run): Promise<readonly string[]> {
  const empty: string[] = [];
  for (;;) {
    try {
      await run([
        'add',
        '-A',
        '--sparse',
        '--',
        '.',
        ...empty.map((file) => `:(exclude,top,literal)${file}`),
      ]);
      return empty;
    } catch (error) {
      const found =
        error instanceof GitFailure
          ? /'(?<file>[^\n]+?)\/?' does not have a commit checked out/.exec(error.stderr)?.groups?.[
              'file'
            ]
          : undefined;
      if (found === undefined || empty.includes(found)) throw error;
      empty.push(found);
    }
  }
}

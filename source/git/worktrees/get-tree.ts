import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import {copyIndex} from '../client/plumbing.ts';
import {GitFailure} from '../client/create-git.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, toSlug} from './paths.ts';
import {getSeedIndex, readGitLink, readNotes, readRegistered} from './records.ts';

/**
 * Hashes everything in a directory that git does not ignore, also untracked files. Uses our own
 * index: the worktree's index could hide a file with a flag. Its `.git` file is not read either: it
 * could name a repository with a configuration that runs programs.
 */
export async function hashTree(workspace: Workspace, directory: string): Promise<string> {
  return (await captureContent(workspace, directory)).tree;
}

export type Content = {
  readonly tree: string;
  /** Repositories inside: git stores a commit hash for each, not its files. */
  readonly nested: readonly string[];
};

/**
 * `seedIndex` is the index that the worktree was made with; needed when its directory was renamed.
 */
export async function captureContent(
  workspace: Workspace,
  directory: string,
  seedIndex?: string,
): Promise<Content> {
  const known = seedIndex ?? findSeedIndex(workspace, directory);
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
    else await run(['read-tree', await readHeadCommit(workspace, directory)]);
    const links = await listGitlinks(run);
    // Git would look for changes inside of these repositories with their own configuration, which
    // an agent can write.
    if (links.length > 0)
      await run(
        ['update-index', '-z', '--index-info'],
        links.map(({object, path: file}) => `0 ${'0'.repeat(object.length)}\t${file}\0`).join(''),
      );
    const empty = await addAll(run);
    const now = await listGitlinks(run);
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

/** Paths in which a directory differs from a tree. */
export async function changedSince(
  workspace: Workspace,
  directory: string,
  tree: string,
): Promise<string[]> {
  const now = await hashTree(workspace, directory);
  const names = await workspace.git(
    workspace.root,
    ['diff-tree', '-r', '-z', '--name-only', '--no-renames', tree, now],
    {isRead: true},
  );
  return names.split('\0').filter((name) => name !== '');
}

/** HEAD of a worktree, from git's directory for it. */
export async function readHeadCommit(workspace: Workspace, directory: string): Promise<string> {
  const admin = findAdmin(workspace, directory) ?? workspace.commonDirectory;
  return (
    await workspace.git(
      workspace.root,
      ['--git-dir', admin, 'rev-parse', '--verify', 'HEAD^{commit}'],
      {isRead: true},
    )
  ).trim();
}

export function findAdmin(workspace: Workspace, directory: string): string | undefined {
  const registered = readRegistered(workspace);
  return (
    registered.find((one) => one.path === directory) ??
    registered.find((one) => one.admin === readGitLink(directory))
  )?.admin;
}

function findSeedIndex(workspace: Workspace, directory: string): string {
  const note = readNotes(workspace).find(
    (one) => one.path === directory || one.stage === directory,
  );
  return getSeedIndex(
    workspace,
    note === undefined
      ? `at-${Buffer.from(directory).toString('base64url').slice(-60)}`
      : toSlug(note.owner),
  );
}

type Run = (argv: readonly string[], input?: string) => Promise<string>;

async function listGitlinks(
  run: Run,
): Promise<readonly {readonly object: string; readonly path: string}[]> {
  return (await run(['ls-files', '-s', '-z']))
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => ({object: line.split(' ')[1] ?? '', path: line.slice(line.indexOf('\t') + 1)}));
}

/**
 * Adds everything and returns the repositories without a commit, which git rejects and which are
 * left out.
 */
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

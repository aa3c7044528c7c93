import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import {
  copyRegularFile,
  namesIn,
  tryReadText,
  walkTree,
  writeFileAtomic,
} from '../../files/index.ts';
import {readRef, toBranchRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lstatBig, toSlug} from '../worktrees/paths.ts';
import {readLine} from '../worktrees/records.ts';
import {findAdmin} from '../worktrees/get-tree.ts';
import {saveViewCommits} from './save-view-commits.ts';

/**
 * The git files of one worktree as a sandboxed command sees them: its own objects, index, HEAD and
 * branch, with the repository's objects as read-only alternates. Changes reach the repository only
 * when the daemon fetches and hashes them.
 */
export type GitView = {
  /** Has `objects`, `info`, `admin`, `refs` and `logs`, each mounted at git's own path for it. */
  readonly directory: string;
  /** Git's directory for the worktree, which `admin` replaces. */
  readonly worktreeAdmin: string;
};

export type ViewOptions = {
  readonly worktree: string;
  /** Null when the worktree is detached. */
  readonly branch: string | null;
  /** The owner: `r1.t3` for a task, or a session that gets a fresh view. */
  readonly name: string;
};

const limits = {smallBytes: 64 * 1024, indexBytes: 512 * 1024 * 1024, files: 10_000};

/** Path of the repository's objects inside of the view's object directory. */
export const repositoryObjects = 'repository';

/**
 * Creates a view, or keeps the existing one until the daemon has changed the worktree's branch or
 * index. Undefined when git does not know the worktree.
 */
export async function ensureGitView(
  workspace: Workspace,
  {worktree, branch, name}: ViewOptions,
): Promise<GitView | undefined> {
  const admin = findAdmin(workspace, worktree);
  if (admin === undefined) return undefined;
  const directory = getViewDirectory(workspace, name);
  return workspace.withKeyLock(directory, async () => {
    const commit =
      branch === null
        ? readLine(path.join(admin, 'HEAD'))
        : await readRef(workspace, toBranchRef(branch));
    const stamp = JSON.stringify({
      worktree,
      branch,
      commit,
      index: readSignature(path.join(admin, 'index')),
    });
    if (readStamp(directory) === stamp) return {directory, worktreeAdmin: admin};
    if (
      branch !== null &&
      isThere(directory) &&
      !(await saveViewCommits(workspace, {directory, branch})).isWhole
    )
      setViewAside(workspace, name);
    rmSync(directory, {recursive: true, force: true});
    for (const part of [
      'objects/info',
      'objects/pack',
      `objects/${repositoryObjects}`,
      'info',
      'refs',
      'logs',
    ])
      mkdirSync(path.join(directory, part), {recursive: true, mode: 0o700});
    writeFileAtomic(
      path.join(directory, 'info', 'alternates'),
      [repositoryObjects, ...readAlternates(workspace)].map((line) => `${line}\n`).join(''),
    );
    copyAdmin(admin, path.join(directory, 'admin'));
    if (branch !== null && commit !== null)
      writeFileAtomic(path.join(directory, 'refs', path.posix.basename(branch)), `${commit}\n`);
    writeFileAtomic(path.join(directory, 'stamp.json'), stamp, {isDurable: true});
    return {directory, worktreeAdmin: admin};
  });
}

export function getViewDirectory(workspace: Pick<Workspace, 'private'>, name: string): string {
  return path.join(workspace.private, 'views', /^r\d+\./.test(name) ? toSlug(name) : name);
}

/**
 * Moves a view to the backups because its commits could not be saved (a full disk, a broken
 * object).
 */
export function setViewAside(workspace: Pick<Workspace, 'private'>, name: string): void {
  const backup = path.join(
    workspace.private,
    'kept',
    `${path.basename(getViewDirectory(workspace, name))}-git-files-${randomBytes(4).toString('hex')}`,
  );
  mkdirSync(path.dirname(backup), {recursive: true, mode: 0o700});
  renameSync(getViewDirectory(workspace, name), backup);
}

/** Deletes a view. Save its commits first (`saveViewCommits`). */
export function dropGitView(workspace: Pick<Workspace, 'private'>, name: string): void {
  rmSync(getViewDirectory(workspace, name), {recursive: true, force: true});
}

/** Names of all views, to sweep those of ended sessions. */
export function gitViewNames(workspace: Pick<Workspace, 'private'>): readonly string[] {
  return namesIn(path.join(workspace.private, 'views'), {maxEntries: limits.files});
}

function readStamp(directory: string): string | undefined {
  return tryReadText(path.join(directory, 'stamp.json'), {maxBytes: limits.smallBytes});
}

function readSignature(file: string): string {
  const stat = lstatBig(file);
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Copies git's files without locks, which belong to a running git, and without submodules. */
function copyAdmin(admin: string, to: string): void {
  mkdirSync(to, {recursive: true, mode: 0o700});
  for (const {name, kind} of walkTree(admin, {maxEntries: limits.files, maxDepth: 6})) {
    if (name.endsWith('.lock') || name.split(path.sep, 1)[0] === 'modules') continue;
    if (kind === 'directory') mkdirSync(path.join(to, name), {recursive: true, mode: 0o700});
    else if (kind === 'file')
      copyRegularFile(path.join(admin, name), path.join(to, name), {
        maxBytes: limits.indexBytes,
        below: admin,
      });
  }
}

/**
 * A repository that was cloned with `--shared` has objects elsewhere; relative paths start at its
 * object directory.
 */
function readAlternates({commonDirectory}: Workspace): readonly string[] {
  const objects = path.join(commonDirectory, 'objects');
  const text =
    tryReadText(path.join(objects, 'info', 'alternates'), {
      maxBytes: limits.smallBytes,
      below: commonDirectory,
    }) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => path.resolve(objects, line));
}

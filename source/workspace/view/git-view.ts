import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {copyRegularFile, namesIn, tryReadText, walkTree, writeWhole} from '../../files/index.ts';
import {readRef, refOf} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lookAt, slugOf} from '../worktree/names.ts';
import {lineOf} from '../worktree/registered.ts';
import {adminOf} from '../worktree/tree-of.ts';
import {keepViewCommits} from './keep-view-commits.ts';

/**
 * The git files of one worktree as a sandboxed command sees them: objects, index, HEAD and branch of its own, the repository's
 * objects read-only below. Whatever is done to them, the repository has nothing of it until the daemon has read and hashed
 * it again.
 */
export type GitView = {
  /** Holds `objects`, `info`, `admin`, `refs` and `logs`; the command sees each at git's own path for it. */
  readonly directory: string;
  /** Git's directory for the worktree, which `admin` stands in for. */
  readonly worktreeAdmin: string;
};

export type ViewOptions = {
  readonly worktree: string;
  /** Nothing when the worktree is detached. */
  readonly branch: string | null;
  /** Whose view it is: `r1.t3` for a task, or the name of one session that gets a fresh one. */
  readonly name: string;
};

const limits = {smallBytes: 64 * 1024, indexBytes: 512 * 1024 * 1024, files: 10_000};

/** Where git looks for the repository's own objects inside the view. */
export const repositoryObjects = 'repository';

/** The view of a task stays as its agent left it, until the daemon itself has moved the worktree on. Nothing when git does not know the worktree. */
export async function ensureGitView(
  workspace: Workspace,
  {worktree, branch, name}: ViewOptions,
): Promise<GitView | undefined> {
  const admin = adminOf(workspace, worktree);
  if (admin === undefined) return undefined;
  const directory = viewDirectoryOf(workspace, name);
  return workspace.alone(directory, async () => {
    const commit =
      branch === null ? lineOf(path.join(admin, 'HEAD')) : await readRef(workspace, refOf(branch));
    const stamp = JSON.stringify({
      worktree,
      branch,
      commit,
      index: signatureOf(path.join(admin, 'index')),
    });
    if (readStamp(directory) === stamp) return {directory, worktreeAdmin: admin};
    if (
      branch !== null &&
      isThere(directory) &&
      !(await keepViewCommits(workspace, {directory, branch})).isWhole
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
    writeWhole(
      path.join(directory, 'info', 'alternates'),
      [repositoryObjects, ...alternatesOf(workspace)].map((line) => `${line}\n`).join(''),
    );
    copyAdmin(admin, path.join(directory, 'admin'));
    if (branch !== null && commit !== null)
      writeWhole(path.join(directory, 'refs', path.posix.basename(branch)), `${commit}\n`);
    writeWhole(path.join(directory, 'stamp.json'), stamp, {isDurable: true});
    return {directory, worktreeAdmin: admin};
  });
}

export function viewDirectoryOf(workspace: Pick<Workspace, 'private'>, name: string): string {
  return path.join(workspace.private, 'views', /^r\d+\./.test(name) ? slugOf(name) : name);
}

/** Commits in it could not be taken over (a full disk, a broken object): its files are kept beside the patches, for whoever wants to look. */
export function setViewAside(workspace: Pick<Workspace, 'private'>, name: string): void {
  const kept = path.join(
    workspace.private,
    'kept',
    `${path.basename(viewDirectoryOf(workspace, name))}-git-files-${randomBytes(4).toString('hex')}`,
  );
  mkdirSync(path.dirname(kept), {recursive: true, mode: 0o700});
  renameSync(viewDirectoryOf(workspace, name), kept);
}

/** What was committed in it has to be kept before. */
export function dropGitView(workspace: Pick<Workspace, 'private'>, name: string): void {
  rmSync(viewDirectoryOf(workspace, name), {recursive: true, force: true});
}

/** Names of the views that are there, for whoever sweeps those of sessions that are over. */
export function gitViewNames(workspace: Pick<Workspace, 'private'>): readonly string[] {
  return namesIn(path.join(workspace.private, 'views'), {maxEntries: limits.files});
}

function readStamp(directory: string): string | undefined {
  return tryReadText(path.join(directory, 'stamp.json'), {maxBytes: limits.smallBytes});
}

function signatureOf(file: string): string {
  const stat = lookAt(file);
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Git's own files; locks are somebody's who is at work, and submodules have directories of their own. */
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

/** A repository that was cloned with `--shared` has its objects elsewhere; relative paths start at its own object directory. */
function alternatesOf({commonDirectory}: Workspace): readonly string[] {
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

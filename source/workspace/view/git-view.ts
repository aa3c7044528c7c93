import {cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {readRef, refOf} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lookAt, slugOf} from '../worktree/names.ts';
import {namesIn} from '../worktree/note.ts';
import {lineOf} from '../worktree/registered.ts';
import {adminOf} from '../worktree/tree-of.ts';
import {writeWhole} from '../worktree/write-whole.ts';
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

/** Where git looks for the repository's own objects inside the view. */
export const repositoryObjects = 'repository';

/** The view of a task stays as its agent left it, until the daemon itself has moved the worktree on. Nothing when git does not know the worktree. */
export async function ensureGitView(workspace: Workspace, {worktree, branch, name}: ViewOptions): Promise<GitView | undefined> {
  const admin = adminOf(workspace, worktree);
  if (admin === undefined) return undefined;
  const directory = viewDirectoryOf(workspace, name);
  return workspace.alone(directory, async () => {
    const commit = branch === null ? lineOf(path.join(admin, 'HEAD')) : await readRef(workspace, refOf(branch));
    const stamp = JSON.stringify({worktree, branch, commit, index: signatureOf(path.join(admin, 'index'))});
    if (readStamp(directory) === stamp) return {directory, worktreeAdmin: admin};
    if (branch !== null && isThere(directory)) await keepViewCommits(workspace, {directory, branch});
    rmSync(directory, {recursive: true, force: true});
    for (const part of ['objects/info', 'objects/pack', `objects/${repositoryObjects}`, 'info', 'refs', 'logs']) mkdirSync(path.join(directory, part), {recursive: true, mode: 0o700});
    writeFileSync(path.join(directory, 'info', 'alternates'), [repositoryObjects, ...alternatesOf(workspace)].map((line) => `${line}\n`).join(''), {mode: 0o600});
    cpSync(admin, path.join(directory, 'admin'), {recursive: true, filter: isCopied});
    if (branch !== null && commit !== null) writeFileSync(path.join(directory, 'refs', path.posix.basename(branch)), `${commit}\n`, {mode: 0o600});
    writeWhole(path.join(directory, 'stamp.json'), stamp);
    return {directory, worktreeAdmin: admin};
  });
}

export function viewDirectoryOf(workspace: Pick<Workspace, 'private'>, name: string): string {
  return path.join(workspace.private, 'views', /^r\d+\./.test(name) ? slugOf(name) : name);
}

/** What was committed in it has to be kept before. */
export function dropGitView(workspace: Pick<Workspace, 'private'>, name: string): void {
  rmSync(viewDirectoryOf(workspace, name), {recursive: true, force: true});
}

/** Names of the views that are there, for whoever sweeps those of sessions that are over. */
export function gitViewNames(workspace: Pick<Workspace, 'private'>): readonly string[] {
  return namesIn(path.join(workspace.private, 'views'));
}

function readStamp(directory: string): string | undefined {
  try {
    return readFileSync(path.join(directory, 'stamp.json'), 'utf8');
  } catch {
    return undefined;
  }
}

function signatureOf(file: string): string {
  const stat = lookAt(file);
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Git's own files and directories; locks are somebody's who is at work, and submodules have directories of their own. */
function isCopied(file: string): boolean {
  const stat = lstatSync(file, {throwIfNoEntry: false});
  const name = path.basename(file);
  return stat !== undefined && (stat.isFile() || stat.isDirectory()) && !name.endsWith('.lock') && name !== 'modules';
}

/** A repository that was cloned with `--shared` has its objects elsewhere; relative paths start at its own object directory. */
function alternatesOf({commonDirectory}: Workspace): readonly string[] {
  const objects = path.join(commonDirectory, 'objects');
  const file = path.join(objects, 'info', 'alternates');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => path.resolve(objects, line));
}

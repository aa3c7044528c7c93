import path from 'node:path';
import {rmSync, statSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {retryPastLocks, runOnObjects} from '../client/plumbing.ts';
import {GitFailure} from '../client/create-git.ts';
import {writeWhole} from '../worktrees/records.ts';

const backupPrefix = 'refs/orchestra/keep';

/**
 * Creates a ref for an object, so that `git gc` never deletes it, and returns the ref. Callers that
 * hold the lock use `backUpNow`.
 */
export function backUpObject(workspace: Workspace, group: string, object: string): Promise<string> {
  return workspace.withLock(() => backUpNow(workspace, group, object));
}

export async function backUpNow(
  workspace: Workspace,
  group: string,
  object: string,
): Promise<string> {
  const name = `${backupPrefix}/${toRefPart(group)}/${object}`;
  // `moveRef` handles locks: a git that is killed here leaves a lock on this ref.
  if ((await readRef(workspace, name)) === object) settleRef(workspace, name);
  else await moveRef(workspace, {ref: name, to: object, from: null});
  return name;
}

/** The objects that are backed up for a group. */
export async function listBackedUp(
  workspace: Workspace,
  group: string,
): Promise<readonly string[]> {
  const start = `${backupPrefix}/${toRefPart(group)}/`;
  const names = (
    await runOnObjects(workspace, ['for-each-ref', '--format=%(refname)', start], {isRead: true})
  ).split('\n');
  return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/**
 * Deletes the backup refs of a group (its worktree is gone, or its merges are published). Returns
 * how many.
 */
export function releaseBackup(workspace: Workspace, group: string): Promise<number> {
  return workspace.withLock(async () => {
    const names = (await listBackedUp(workspace, group)).map(
      (object) => `${backupPrefix}/${toRefPart(group)}/${object}`,
    );
    if (names.length === 0) return 0;
    const since = markSince(workspace, 'release');
    await retryPastLocks(workspace, since, () =>
      runOnObjects(workspace, ['update-ref', '--no-deref', '--stdin', '-z'], {
        input: names.map((name) => `delete ${name}\0\0`).join(''),
      }),
    );
    dropMark(workspace, 'release');
    return names.length;
  });
}

function toRefPart(group: string): string {
  return (
    group
      .replaceAll(/[^\w-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 80) || 'other'
  );
}

export function toBranchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

/** The object that a ref points to, or null when it does not exist. */
export async function readRef(workspace: Workspace, ref: string): Promise<string | null> {
  const text = await runOnObjects(
    workspace,
    ['for-each-ref', '--format=%(refname)%00%(objectname)', ref],
    {isRead: true},
  );
  const line = text.split('\n').find((one) => one.startsWith(`${ref}\0`));
  return line?.slice(ref.length + 1) ?? null;
}

export async function isAncestor(
  workspace: Workspace,
  ancestor: string,
  commit: string,
): Promise<boolean> {
  try {
    await runOnObjects(workspace, ['merge-base', '--is-ancestor', ancestor, commit], {
      isRead: true,
    });
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.code === 1) return false;
    throw error;
  }
}

/**
 * Moves one of our refs atomically if it still is at `from` (null: it does not exist). Never
 * follows a symbolic ref: an agent can make its branch one that points to another branch.
 */
export async function moveRef(
  workspace: Workspace,
  {ref, to, from}: {readonly ref: string; readonly to: string; readonly from: string | null},
): Promise<'moved' | 'outdated'> {
  const mark = toMarkName(ref);
  const since = markSince(workspace, mark);
  try {
    await retryPastLocks(workspace, since, () =>
      runOnObjects(workspace, [
        '-c',
        'core.filesRefLockTimeout=0',
        'update-ref',
        '--no-deref',
        '-m',
        'orchestra',
        ref,
        to,
        from ?? '0'.repeat(to.length),
      ]),
    );
  } catch (error) {
    const isElsewhere = (await readRef(workspace, ref)) !== from;
    dropMark(workspace, mark);
    if (error instanceof GitFailure && isElsewhere) return 'outdated';
    throw error;
  }

  dropMark(workspace, mark);
  return 'moved';
}

/** Ends the move of a ref that is already in place: after this, a lock on the ref is not ours. */
export function settleRef(workspace: Workspace, ref: string): void {
  dropMark(workspace, toMarkName(ref));
}

function toMarkName(ref: string): string {
  return path.join('refs', ref.replaceAll(/[^\w.-]+/g, '-'));
}

/**
 * Writes a marker file for an operation in progress, and returns when it began. After a crash the
 * marker still exists and its time is returned: a lock file that is younger is ours.
 */
export function markSince(workspace: Workspace, name: string): number {
  const file = getMarkFile(workspace, name);
  const earlier = statSync(file, {throwIfNoEntry: false});
  if (earlier !== undefined) return earlier.mtimeMs;
  writeWhole(file, '');
  return statSync(file).mtimeMs;
}

export function dropMark(workspace: Workspace, name: string): void {
  rmSync(getMarkFile(workspace, name), {force: true});
}

function getMarkFile(workspace: Workspace, name: string): string {
  return path.join(workspace.private, 'marks', name);
}

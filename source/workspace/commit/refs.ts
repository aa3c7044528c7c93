import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {aside} from '../change/aside.ts';
import {GitFailure} from '../git/git-failure.ts';
import {pastLocks} from '../worktree/past-locks.ts';
import {dropMark, markSince} from './mark.ts';

export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

/** The commit that a ref names, or null. A ref that merely points to another ref counts as what it is: not ours. */
export async function readRef(workspace: Workspace, ref: string): Promise<string | null> {
  const text = await aside(
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
    await aside(workspace, ['merge-base', '--is-ancestor', ancestor, commit], {isRead: true});
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.code === 1) return false;
    throw error;
  }
}

/**
 * Moves one of our own refs in one step, if it still is where it was seen (null: not there). Never through a symbolic
 * ref: an agent can make its branch one that leads to somebody else's.
 */
export async function moveRef(
  workspace: Workspace,
  {ref, to, from}: {readonly ref: string; readonly to: string; readonly from: string | null},
): Promise<'moved' | 'outdated'> {
  const mark = markOf(ref);
  const since = markSince(workspace, mark);
  try {
    await pastLocks(workspace, since, () =>
      aside(workspace, [
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

/** It is where it should be: a move that was killed right after it was made is over, and no lock on the ref is ours any more. */
export function settleRef(workspace: Workspace, ref: string): void {
  dropMark(workspace, markOf(ref));
}

function markOf(ref: string): string {
  return path.join('refs', ref.replaceAll(/[^\w.-]+/g, '-'));
}

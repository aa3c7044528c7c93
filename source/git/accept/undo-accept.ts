import {sanitizeText} from '../../shared/index.ts';
import {runOnObjects} from '../client/plumbing.ts';
import {isAncestor, readRef, toBranchRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {moveUserBranch} from './move-user-branch.ts';
import {resumeAccept} from './resume-accept.ts';

export type UndoAcceptOptions = {
  readonly branch: string;
  /** The commit that the accept brought there, and the one before it. */
  readonly from: string;
  readonly to: string;
  /** How long to wait for a lock of another git. */
  readonly lockTimeoutMs?: number;
};

/**
 * Moves the person's branch back to where it was before an accept, with its checkout, exactly as
 * the accept moved it forth. Refuses when something was built on it. Never touches uncommitted
 * work, and resumes after a crash.
 */
export function undoAccept(
  workspace: Workspace,
  {branch, from, to, lockTimeoutMs = 10_000}: UndoAcceptOptions,
): Promise<{readonly commit: string} | {readonly rejected: string}> {
  return workspace.withLock(async () => {
    const cutOff = await resumeAccept(workspace, lockTimeoutMs);
    if (cutOff !== null) return cutOff;
    const seen = await readRef(workspace, toBranchRef(branch));
    // A call before a crash has done it.
    if (seen === to) return {commit: to};
    const name = sanitizeText(branch);
    if (seen !== from)
      return {
        rejected:
          `${name} has moved since: it is at ${seen?.slice(0, 12) ?? 'nothing'}, not at ` +
          `${from.slice(0, 12)}. Nothing was touched. To take the run's commits back, ` +
          'revert them: git revert.',
      };
    if (!(await isAncestor(workspace, to, from)))
      return {
        rejected: `${to.slice(0, 12)} is not part of ${name}. Nothing was touched.`,
      };
    const published = await findPublished(workspace, from);
    if (published !== undefined)
      return {
        rejected:
          `it was pushed: ${sanitizeText(published)} has it. Nothing was touched. To take ` +
          'it back for everybody, revert it: git revert.',
      };
    const moved = await moveUserBranch(workspace, {
      branch,
      from,
      to,
      lockTimeoutMs,
      purpose: 'undo',
    });
    if (moved === 'moved') return {commit: to};
    return moved === 'outdated'
      ? {rejected: `${name} was moved at this moment. Nothing was touched.`}
      : moved;
  });
}

/** A remote's branch that has the commit, as far as this repository knows. */
async function findPublished(workspace: Workspace, commit: string): Promise<string | undefined> {
  const lines = await runOnObjects(
    workspace,
    ['for-each-ref', '--contains', commit, '--format=%(refname:lstrip=2)', 'refs/remotes/'],
    {isRead: true},
  );
  return lines.split('\n').find((line) => line !== '');
}

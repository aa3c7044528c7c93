import path from 'node:path';
import {aside} from '../change/aside.ts';
import {isAncestor, readRef, refOf} from '../commit/refs.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {lineOf} from '../worktree/registered.ts';
import {checkoutsOf} from './checkouts-of.ts';

/** Where a person has brought a commit by themselves: into one of their branches, or into a checkout without a branch (`null`). */
export type Found = {readonly branch: string | null; readonly commit: string};

/** `own`: what the names of our own branches begin with; they hold the commit because it is ours. */
export async function findContaining(
  workspace: Workspace,
  commit: string,
  own: string,
): Promise<Found | undefined> {
  const lines = (
    await aside(
      workspace,
      ['for-each-ref', '--contains', commit, '--format=%(objectname) %(refname)', 'refs/heads/'],
      {isRead: true},
    )
  ).split('\n');
  const branches = lines.flatMap((line) => {
    const {tip, branch} = /^(?<tip>[\da-f]+) refs\/heads\/(?<branch>.+)$/.exec(line)?.groups ?? {};
    return tip === undefined || branch === undefined || branch.startsWith(`${own}/`)
      ? []
      : [{branch, commit: tip}];
  });
  if (branches[0] !== undefined) return branches[0];
  for (const {directory, gitDirectory} of checkoutsOf(workspace)) {
    const head = lineOf(path.join(gitDirectory, 'HEAD')) ?? '';
    const isOurs = directory.startsWith(`${workspace.worktrees}${path.sep}`);
    if (!isOurs && /^[\da-f]{40,64}$/.test(head) && (await isAncestor(workspace, commit, head)))
      return {branch: null, commit: head};
  }

  return undefined;
}

/** Why this cannot be the name of a person's branch; undefined when it can. */
export async function wrongBranchName(
  workspace: Workspace,
  branch: string,
  own: string,
): Promise<string | undefined> {
  if (branch.startsWith(`${own}/`))
    return `${branch} is a branch of orchestra's own; name one of yours`;
  try {
    await aside(workspace, ['check-ref-format', `refs/heads/${branch}`], {isRead: true});
  } catch (error) {
    if (error instanceof GitFailure)
      return `git takes no branch of the name ${JSON.stringify(branch)}`;
    throw error;
  }

  return branch.startsWith('-') || branch === 'HEAD'
    ? `git takes no branch of the name ${JSON.stringify(branch)}`
    : undefined;
}

/** The tip of a person's branch; null when there is none of the name. */
export function readBranch(workspace: Workspace, branch: string): Promise<string | null> {
  return readRef(workspace, refOf(branch));
}

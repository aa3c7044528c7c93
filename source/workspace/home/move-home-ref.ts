import {readRef, refOf} from '../commit/refs.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {pastLocks} from '../worktree/past-locks.ts';

export type HomeMove = {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** When the intent began: a lock that is younger, and that no living git can hold, is ours. */
  readonly since: number;
  /** Of the checkout that is on the branch, so that its own history of HEAD has the step as well. */
  readonly gitDirectory: string;
};

/** The one step that moves a person's branch. */
export async function moveHomeRef(
  workspace: Workspace,
  {branch, from, to, since, gitDirectory}: HomeMove,
): Promise<'moved' | 'outdated'> {
  const ref = refOf(branch);
  try {
    await pastLocks(workspace, since, () =>
      workspace.git(workspace.private, [
        '--git-dir',
        gitDirectory,
        '-c',
        'core.filesRefLockTimeout=0',
        'update-ref',
        '--no-deref',
        '-m',
        'orchestra: accept',
        ref,
        to,
        from,
      ]),
    );
    return 'moved';
  } catch (error) {
    const seen = await readRef(workspace, ref);
    if (seen === to) return 'moved';
    if (error instanceof GitFailure && seen !== from) return 'outdated';
    throw error;
  }
}

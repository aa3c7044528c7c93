import type {Workspace} from '../open-workspace.ts';
import {aside} from '../change/aside.ts';
import {keepNow} from '../change/keep-object.ts';
import {makeCommit} from './make-commit.ts';
import {isAncestor, moveRef, readRef, refOf, settleRef} from './refs.ts';
import {refreshWorktree} from './refresh-worktree.ts';

export type CommitWish = {
  readonly branch: string;
  readonly parent: string;
  readonly tree: string;
  readonly message: string;
  /** Milliseconds since 1970, fixed when it was decided to commit: doing it again makes the same commit. */
  readonly at: number;
  /** The worktree of the branch. Its index is brought up to date; its files are not touched. */
  readonly directory?: string;
};

/** One commit on the task's branch, however often it is asked for. What an agent committed there by itself is kept under a ref and replaced. */
export function commitChange(
  workspace: Workspace,
  {branch, parent, tree, message, at, directory}: CommitWish,
): Promise<string> {
  return workspace.inTurn(async () => {
    const ref = refOf(branch);
    const seen = await readRef(workspace, ref);
    const done =
      seen === null ? undefined : await sameCommit(workspace, seen, {parent, tree, message});
    const commit = done ?? (await makeCommit(workspace, {parents: [parent], tree, message, at}));
    const isThere =
      seen !== null && (done !== undefined || (await isAncestor(workspace, commit, seen)));
    if (isThere) settleRef(workspace, ref);
    else {
      if (seen !== null && seen !== parent) await keepNow(workspace, branch, seen);
      if ((await moveRef(workspace, {ref, to: commit, from: seen})) === 'outdated') {
        throw new Error(
          `Expected ${ref} at ${seen ?? 'nothing'}, but somebody moved it at this moment. Nothing is lost; commit again.`,
        );
      }
    }

    if (directory !== undefined) await refreshWorktree(workspace, {directory, branch, tree});
    return commit;
  });
}

/** A commit that is already there may bear another name of the person than their configuration says by now. */
async function sameCommit(
  workspace: Workspace,
  seen: string,
  {
    parent,
    tree,
    message,
  }: {readonly parent: string; readonly tree: string; readonly message: string},
): Promise<string | undefined> {
  const text = await aside(workspace, ['cat-file', 'commit', seen], {isRead: true});
  const end = text.indexOf('\n\n');
  const head = text
    .slice(0, end)
    .split('\n')
    .filter((line) => /^(?:tree|parent) /.test(line));
  return text.slice(end + 2) === message && head.join('\n') === `tree ${tree}\nparent ${parent}`
    ? seen
    : undefined;
}

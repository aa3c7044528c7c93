import {captureChange} from '../changes/capture-change.ts';
import type {Workspace} from '../open-workspace.ts';
import {makeCommit} from './commit-objects.ts';
import {backUpObject} from './refs.ts';

export type SnapshotOptions = {
  readonly directory: string;
  /** The commit that the worktree was made from. */
  readonly base: string;
  /** Name of the backup ref that keeps the commit. */
  readonly save: string;
  readonly message: string;
  readonly at: number;
};

/**
 * A commit with what a worktree contains now, on top of its base; the base itself if nothing
 * differs. The worktree and its branch are not changed.
 */
export async function commitSnapshot(
  workspace: Workspace,
  {directory, base, save, message, at}: SnapshotOptions,
): Promise<string> {
  const {change} = await captureChange(workspace, {directory, base, save});
  if (change.files.length === 0) return base;
  const commit = await makeCommit(workspace, {parents: [base], tree: change.tree, message, at});
  await backUpObject(workspace, save, commit);
  return commit;
}

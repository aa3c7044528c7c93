import {aside} from '../change/aside.ts';
import type {Workspace} from '../open-workspace.ts';

/** A commit as git stores it. Headers keep their order; `signature` is what a key put there. */
export type StoredCommit = {
  readonly tree: string;
  readonly parents: readonly string[];
  /** `Name <email> seconds zone`. */
  readonly author: string;
  readonly committer: string;
  readonly isSigned: boolean;
  readonly message: string;
};

export async function readCommit(workspace: Workspace, commit: string): Promise<StoredCommit> {
  const text = await aside(workspace, ['cat-file', 'commit', commit], {isRead: true});
  const end = text.indexOf('\n\n');
  const headers = (end === -1 ? text : text.slice(0, end)).split('\n');
  const valuesOf = (name: string): readonly string[] =>
    headers
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  return {
    tree: valuesOf('tree')[0] ?? '',
    parents: valuesOf('parent'),
    author: valuesOf('author')[0] ?? '',
    committer: valuesOf('committer')[0] ?? '',
    isSigned: valuesOf('gpgsig').length + valuesOf('gpgsig-sha256').length > 0,
    message: end === -1 ? '' : text.slice(end + 2),
  };
}

/** Oldest first. */
export async function listCommits(
  workspace: Workspace,
  {
    from,
    to,
    isFirstParent,
  }: {readonly from: string; readonly to: string; readonly isFirstParent: boolean},
): Promise<readonly string[]> {
  const lines = await aside(
    workspace,
    [
      'rev-list',
      '--topo-order',
      '--reverse',
      ...(isFirstParent ? ['--first-parent'] : []),
      to,
      `^${from}`,
    ],
    {isRead: true},
  );
  return lines.split('\n').filter((line) => line !== '');
}

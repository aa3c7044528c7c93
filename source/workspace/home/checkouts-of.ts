import {existsSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {lineOf, readRegistered} from '../worktree/registered.ts';

/** A place where a branch is checked out. */
export type Checkout = {
  readonly directory: string;
  readonly gitDirectory: string;
  /** The branch that it is on, or that it is rebasing; null when detached. */
  readonly branch: string | null;
  /** What is going on there: `a rebase`, `a merge` and so on. */
  readonly busy: string | null;
};

const traces: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisect'],
  ['sequencer', 'a cherry-pick'],
];

/** Every checkout of the repository, the person's own first. Read from git's files: no git runs. */
export function checkoutsOf(workspace: Workspace): readonly Checkout[] {
  const others = readRegistered(workspace).flatMap(({admin, path: directory}) =>
    directory === null ? [] : [checkoutAt(directory, admin)],
  );
  const isLinked = others.some(({directory}) => directory === workspace.root);
  const main = isLinked ? path.dirname(workspace.commonDirectory) : workspace.root;
  const isBare = isLinked && path.basename(workspace.commonDirectory) !== '.git';
  return [...(isBare ? [] : [checkoutAt(main, workspace.commonDirectory)]), ...others];
}

function checkoutAt(directory: string, gitDirectory: string): Checkout {
  const head =
    ['rebase-merge/head-name', 'rebase-apply/head-name', 'HEAD']
      .map((name) => lineOf(path.join(gitDirectory, name)))
      .find((line) => line !== null) ?? '';
  const bisected = lineOf(path.join(gitDirectory, 'BISECT_START'));
  return {
    directory,
    gitDirectory,
    branch: /^(?:ref: )?refs\/heads\/(?<branch>.+)$/.exec(head)?.groups?.['branch'] ?? bisected,
    busy: traces.find(([file]) => existsSync(path.join(gitDirectory, file)))?.[1] ?? null,
  };
}

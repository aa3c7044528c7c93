import path from 'node:path';
import {rmSync, statSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {readLine, readRegistered, writeWhole} from '../worktrees/records.ts';
import {findUnfinishedOperation} from '../worktrees/unfinished-operation.ts';
import {isAncestor, readRef, toBranchRef} from '../commit/refs.ts';
import {GitFailure} from '../client/create-git.ts';
import {retryPastLocks, runOnObjects} from '../client/plumbing.ts';
import {tryReadText} from '../../files/index.ts';
import {sanitizeText, shellWord} from '../../shared/index.ts';

/** A working tree of the repository: the person's own, or a linked worktree. */
export type Checkout = {
  readonly directory: string;
  readonly gitDirectory: string;
  /** The branch that is checked out or being rebased; null when HEAD is detached. */
  readonly branch: string | null;
  /** The operation that is unfinished there: `a rebase`, `a merge` … */
  readonly busy: string | null;
};

/** Every checkout of the repository, the person's own first. Reads git's files and runs no git. */
export function readCheckouts(workspace: Workspace): readonly Checkout[] {
  const others = readRegistered(workspace).flatMap(({admin, path: directory}) =>
    directory === null ? [] : [readCheckoutAt(directory, admin)],
  );
  const isLinked = others.some(({directory}) => directory === workspace.root);
  const main = isLinked ? path.dirname(workspace.commonDirectory) : workspace.root;
  const isBare = isLinked && path.basename(workspace.commonDirectory) !== '.git';
  return [...(isBare ? [] : [readCheckoutAt(main, workspace.commonDirectory)]), ...others];
}

function readCheckoutAt(directory: string, gitDirectory: string): Checkout {
  const head =
    ['rebase-merge/head-name', 'rebase-apply/head-name', 'HEAD']
      .map((name) => readLine(path.join(gitDirectory, name)))
      .find((line) => line !== null) ?? '';
  const bisected = readLine(path.join(gitDirectory, 'BISECT_START'));
  const operation = findUnfinishedOperation(gitDirectory);
  return {
    directory,
    gitDirectory,
    branch: /^(?:ref: )?refs\/heads\/(?<branch>.+)$/.exec(head)?.groups?.['branch'] ?? bisected,
    busy: operation === undefined ? null : `a ${operation}`,
  };
}

export type UserBranchMove = {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** Start of the intent. A younger lock that no running git can hold was left by us. */
  readonly since: number;
  /**
   * Git directory of the checkout that has the branch, so that its HEAD reflog records the move
   * too.
   */
  readonly gitDirectory: string;
  readonly purpose?: MovePurpose;
};

/** Why a person's branch is moved. */
export type MovePurpose = 'accept' | 'undo';

/** The words of each, in sentences for the person. */
export const movePhrases: Readonly<
  Record<
    MovePurpose,
    {
      readonly not: string;
      readonly again: string;
      readonly doing: string;
      readonly result: (to: string) => string;
      readonly yourself: (directory: string, to: string) => string;
    }
  >
> = {
  accept: {
    not: 'Not accepted',
    again: 'accept again',
    doing: 'Accepting into',
    result: (to) => `The run's result is ${to}.`,
    yourself: mergeCommand,
  },
  undo: {
    not: 'Not undone',
    again: 'undo it again',
    doing: 'Undoing the accept into',
    result: (to) => `The branch was at ${to} before.`,
    yourself: (directory, to) => `git -C ${shellWord(directory)} reset --keep ${to}`,
  },
};

/** Moves the person's branch with one compare-and-swap `update-ref`. */
export async function advanceUserBranch(
  workspace: Workspace,
  {branch, from, to, since, gitDirectory, purpose = 'accept'}: UserBranchMove,
): Promise<'moved' | 'outdated'> {
  const ref = toBranchRef(branch);
  try {
    await retryPastLocks(workspace, since, () =>
      workspace.git(workspace.private, [
        '--git-dir',
        gitDirectory,
        '-c',
        'core.filesRefLockTimeout=0',
        'update-ref',
        '--no-deref',
        '-m',
        `orchestra: ${purpose}`,
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

/** The planned move of a person's branch, written to disk before the first change. */
export type AcceptIntent = {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /**
   * `looking`: nothing is written yet. `writing`: files change to `to`. `taking-back`: files return
   * to `from`, because the branch moved.
   */
  readonly at: 'looking' | 'writing' | 'taking-back';
  readonly checkout: {readonly directory: string; readonly gitDirectory: string} | null;
  /** @default 'accept' */
  readonly purpose?: MovePurpose;
};

export function readIntent(
  workspace: Workspace,
): (AcceptIntent & {readonly since: number}) | undefined {
  const file = getIntentFile(workspace);
  try {
    // We write this file atomically, so a file that cannot be parsed is not ours.
    const intent = JSON.parse(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '') as AcceptIntent & {
      readonly since?: number;
    };
    return {...intent, since: intent.since ?? statSync(file).mtimeMs};
  } catch {
    return undefined;
  }
}

/** Returns when the intent began. A resumed intent keeps its time: younger locks may be ours. */
export function writeIntent(workspace: Workspace, intent: AcceptIntent, since?: number): number {
  const {branch, from, to, at, checkout, purpose} = intent;
  writeWhole(
    getIntentFile(workspace),
    `${JSON.stringify({branch, from, to, at, checkout, purpose, since})}\n`,
  );
  return since ?? statSync(getIntentFile(workspace)).mtimeMs;
}

export function dropIntent(workspace: Workspace): void {
  rmSync(getIntentFile(workspace), {force: true});
}

function getIntentFile(workspace: Workspace): string {
  return path.join(workspace.private, 'home', 'intent.json');
}

/** The last landing: after a crash only this tells where the branch was. */
type Landing = {readonly branch: string; readonly from: string; readonly to: string};

export function writeLanding(workspace: Workspace, {branch, from, to}: Landing): void {
  writeWhole(getLandingFile(workspace), `${JSON.stringify({branch, from, to})}\n`);
}

/** Where the branch was before it came to this commit, if the last landing did that. */
export function readLanding(
  workspace: Workspace,
  branch: string,
  {commit}: {readonly commit: string},
): {readonly from?: string} {
  try {
    const found = JSON.parse(
      tryReadText(getLandingFile(workspace), {maxBytes: 64 * 1024}) ?? '',
    ) as Partial<Landing>;
    return found.branch === branch && found.to === commit && typeof found.from === 'string'
      ? {from: found.from}
      : {};
  } catch {
    return {};
  }
}

function getLandingFile(workspace: Workspace): string {
  return path.join(workspace.private, 'home', 'landing.json');
}

/** The first few names, sanitised, and how many more there are. */
export function formatNames(paths: readonly string[], max = 5): string {
  const shown = paths.slice(0, max).map((file) => sanitizeText(file).replaceAll('\n', '\\n'));
  return `${shown.join(', ')}${paths.length > max ? ` and ${paths.length - max} more` : ''}`;
}

export function mergeCommand(directory: string, commit: string): string {
  return `git -C ${shellWord(directory)} merge ${commit}`;
}

/** A branch of the person that contains a commit; `null` for a checkout with a detached HEAD. */
export type ContainingBranch = {readonly branch: string | null; readonly commit: string};

/**
 * Finds where a person merged a commit by themselves. `own` is the prefix of orchestra's branches,
 * which do not count.
 */
export async function findContaining(
  workspace: Workspace,
  commit: string,
  own: string,
): Promise<ContainingBranch | undefined> {
  const lines = (
    await runOnObjects(
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
  for (const {directory, gitDirectory} of readCheckouts(workspace)) {
    const head = readLine(path.join(gitDirectory, 'HEAD')) ?? '';
    const isOurs = directory.startsWith(`${workspace.worktrees}${path.sep}`);
    if (!isOurs && /^[\da-f]{40,64}$/.test(head) && (await isAncestor(workspace, commit, head)))
      return {branch: null, commit: head};
  }

  return undefined;
}

/** Why a name cannot be a branch of the person; undefined when it can. */
export async function findBranchNameProblem(
  workspace: Workspace,
  branch: string,
  own: string,
): Promise<string | undefined> {
  if (branch.startsWith(`${own}/`)) return `${branch} belongs to orchestra; name a branch of yours`;
  try {
    await runOnObjects(workspace, ['check-ref-format', `refs/heads/${branch}`], {isRead: true});
  } catch (error) {
    if (error instanceof GitFailure)
      return `git accepts no branch with the name ${JSON.stringify(branch)}`;
    throw error;
  }

  return branch.startsWith('-') || branch === 'HEAD'
    ? `git accepts no branch with the name ${JSON.stringify(branch)}`
    : undefined;
}

/** The tip of a person's branch; null when there is no such branch. */
export function readBranch(workspace: Workspace, branch: string): Promise<string | null> {
  return readRef(workspace, toBranchRef(branch));
}

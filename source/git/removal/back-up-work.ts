import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import {tryReadText} from '../../files/index.ts';
import {retryPastLocks, tryCopyIndex} from '../client/plumbing.ts';
import {GitFailure} from '../client/create-git.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, toSlug} from '../worktrees/paths.ts';
import {getSeedIndex, listNamesThroughLinks} from '../worktrees/records.ts';
import {captureContent} from '../worktrees/get-tree.ts';
import {getViewDirectory, setViewAside} from '../private-views/git-view.ts';
import {saveViewCommits} from '../private-views/save-view-commits.ts';
import {backUpFiles} from './back-up-files.ts';
import {formatRestoreSteps, type Removal, type RemovalOptions} from './removal.ts';

/**
 * Backs up everything that is not merged, as a ref and as a patch. A repeated call makes the same
 * backup.
 */
export async function backUpWork(
  workspace: Workspace,
  removal: Removal,
  {base, mergedInto}: RemovalOptions,
  directory: string,
  since: number | undefined,
): Promise<Removal> {
  const {owner, branch, admin} = removal;
  const tip = branch === null ? null : await readTipOfBranch(workspace, branch);
  const content = isThere(directory)
    ? await captureContent(workspace, directory, getSeedIndex(workspace, toSlug(owner)))
    : undefined;
  const view =
    branch === null
      ? undefined
      : await saveViewCommits(workspace, {
          directory: getViewDirectory(workspace, owner),
          branch,
          withStaged: true,
        });
  if (view?.isWhole === false) setViewAside(workspace, owner);
  const tips = await findKnownCommits(workspace, [
    ...(tip === null ? [] : [tip]),
    ...readCommits(admin),
    ...(view?.commits ?? []),
  ]);
  const targets = await findKnownCommits(workspace, [
    base,
    ...(mergedInto === undefined ? [] : [mergedInto]),
  ]);
  const open = await findUnreachable(workspace, tips, targets);
  const name = `${owner}-${removal.number}`;
  const files =
    content === undefined
      ? {dropped: [], directory: null}
      : await backUpFiles(workspace, {
          directory,
          place: removal.path,
          admin,
          name,
          nested: content.nested,
          index: getSeedIndex(workspace, toSlug(owner)),
        });
  const staged =
    (await stagedTree(workspace, admin, [...tips, ...targets], content?.tree)) ??
    (await stagedInView(workspace, view?.staged ?? null, [...tips, ...targets], content?.tree));
  const settled = await readTrees(workspace, [
    ...targets,
    ...tips.filter((commit) => !open.includes(commit)),
  ]);
  const isSettled =
    open.length === 0 &&
    staged === null &&
    (content === undefined || settled.includes(content.tree));
  const known = {
    ...removal,
    tip,
    tree: content?.tree ?? null,
    dropped: files.dropped,
    mayDropBranch: true,
  };
  if (isSettled && files.directory === null) return {...known, kept: null, patch: null, how: []};
  if (isSettled)
    return {
      ...known,
      kept: null,
      patch: null,
      how: formatRestoreSteps({ref: null, patch: null, files: files.directory, owner}),
    };

  const identity = {name: 'orchestra', email: 'orchestra@localhost', at: removal.began};
  const commitTree = (tree: string, parents: readonly string[], message: string): Promise<string> =>
    workspace
      .git(
        workspace.root,
        ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
        {input: message, identity},
      )
      .then((text) => text.trim());
  const parents = open.length > 0 ? await findIndependent(workspace, open) : targets.slice(0, 1);
  const index =
    staged === null
      ? []
      : [
          await commitTree(
            staged,
            parents.slice(0, 1),
            `What was staged in the worktree of ${owner}\n`,
          ),
        ];
  const tree = content?.tree ?? (await readTrees(workspace, [tip ?? parents[0] ?? base]))[0] ?? '';
  const commit = await commitTree(
    tree,
    [...parents, ...index],
    `Everything that was in the worktree of ${owner} when it was removed\n`,
  );
  const ref = `refs/orchestra/backup/${name}`;
  await workspace.withLock(() =>
    retryPastLocks(workspace, since, () =>
      workspace.git(workspace.root, ['update-ref', ref, commit]),
    ),
  );
  const patch = await writePatch(workspace, base, commit, name);
  return {
    ...known,
    kept: ref,
    patch,
    how: formatRestoreSteps({ref, patch, files: files.directory, owner}),
  };
}

/** One more than the highest number among the backups, patches and directories of this owner. */
export async function nextNumber(workspace: Workspace, owner: string): Promise<number> {
  const refs = (
    await workspace.git(
      workspace.root,
      ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/orchestra/backup'],
      {isRead: true},
    )
  ).split('\n');
  const numbers = [...refs, ...listNamesThroughLinks(path.join(workspace.private, 'kept'))]
    .filter((name) => name.startsWith(`${owner}-`))
    .map((name) => Number.parseInt(name.slice(owner.length + 1), 10) || 0);
  return Math.max(0, ...numbers) + 1;
}

export async function readTipOfBranch(
  workspace: Workspace,
  branch: string,
): Promise<string | null> {
  return workspace
    .git(workspace.root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`], {
      isRead: true,
    })
    .then(
      (text) => text.trim(),
      () => null,
    );
}

const maxLogBytes = 64 * 1024 * 1024;

/** HEAD of the worktree and its reflog: no other ref may contain commits before a reset. */
function readCommits(admin: string | null): readonly string[] {
  if (admin === null) return [];
  const text = (file: string): string =>
    tryReadText(path.join(admin, file), {
      maxBytes: file === 'logs/HEAD' ? maxLogBytes : 64 * 1024,
      below: path.dirname(admin),
    }) ?? '';
  const head = /^[0-9a-f]{40,64}$/m.exec(text('HEAD'))?.[0];
  const named = /^ref: (?<ref>refs\/\S+)$/m.exec(text('HEAD'))?.groups?.['ref'];
  const walked = text('logs/HEAD')
    .split('\n')
    .slice(-200)
    .flatMap((line) => line.split(' ', 2))
    .filter((word) => /^[0-9a-f]{40,64}$/.test(word) && !/^0+$/.test(word));
  return [
    ...new Set([
      ...(head === undefined ? [] : [head]),
      ...(named === undefined ? [] : [named]),
      ...walked,
      ...text('ORIG_HEAD')
        .split('\n')
        .filter((line) => line !== ''),
    ]),
  ];
}

/** Hashes of the names that are commits of this repository. */
async function findKnownCommits(
  workspace: Workspace,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const lines = await workspace.git(
    workspace.root,
    ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    {isRead: true, input: names.map((name) => `${name}^{commit}\n`).join('')},
  );
  return [
    ...new Set(
      lines
        .split('\n')
        .filter((line) => line.endsWith(' commit'))
        .map((line) => line.split(' ', 1)[0] ?? ''),
    ),
  ];
}

async function readTrees(
  workspace: Workspace,
  commits: readonly string[],
): Promise<readonly string[]> {
  const lines = await workspace.git(workspace.root, ['cat-file', '--batch-check=%(objectname)'], {
    isRead: true,
    input: commits.map((commit) => `${commit}^{tree}\n`).join(''),
  });
  return lines.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

async function findUnreachable(
  workspace: Workspace,
  commits: readonly string[],
  from: readonly string[],
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const commit of commits) {
    const isReachable = await Promise.all(
      from.map((target) =>
        workspace
          .git(workspace.root, ['merge-base', '--is-ancestor', commit, target], {isRead: true})
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    if (!isReachable.includes(true)) open.push(commit);
  }

  return open;
}

async function findIndependent(
  workspace: Workspace,
  commits: readonly string[],
): Promise<readonly string[]> {
  return (
    await workspace.git(workspace.root, ['merge-base', '--independent', ...commits], {isRead: true})
  )
    .split('\n')
    .filter((line) => line !== '');
}

/**
 * Tree of the staged content when neither the files nor a commit have it. Null during a conflict,
 * because an unmerged index has no tree.
 */
async function stagedTree(
  workspace: Workspace,
  admin: string | null,
  commits: readonly string[],
  tree: string | undefined,
): Promise<string | null> {
  if (admin === null) return null;
  const index = path.join(workspace.private, 'index', `staged.${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(path.dirname(index), {recursive: true, mode: 0o700});
    if (tryCopyIndex(path.join(admin, 'index'), index).at === 'refused') return null;
    const staged = (await workspace.git(workspace.root, ['write-tree'], {index})).trim();
    return staged === tree || (await readTrees(workspace, commits)).includes(staged)
      ? null
      : staged;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

/**
 * The same for content that was staged in the agent's private view, which is in the repository
 * already.
 */
async function stagedInView(
  workspace: Workspace,
  staged: string | null,
  commits: readonly string[],
  tree: string | undefined,
): Promise<string | null> {
  return staged === null ||
    staged === tree ||
    (await readTrees(workspace, commits)).includes(staged)
    ? null
    : staged;
}

/** Git writes the file itself: decoding to UTF-8 would change bytes. */
async function writePatch(
  workspace: Workspace,
  base: string,
  commit: string,
  name: string,
): Promise<string> {
  const patch = path.join(workspace.private, 'kept', `${name}.patch`);
  mkdirSync(path.dirname(patch), {recursive: true, mode: 0o700});
  await workspace.git(workspace.root, [
    'diff-tree',
    '-r',
    '-p',
    '--binary',
    '--full-index',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    `--output=${patch}.tmp`,
    base,
    commit,
  ]);
  renameSync(`${patch}.tmp`, patch);
  return patch;
}

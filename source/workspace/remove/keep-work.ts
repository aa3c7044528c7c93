import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import {tryCopyIndex} from '../git/copy-index.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, slugOf} from '../worktree/names.ts';
import {namesIn, seedIndexOf} from '../worktree/note.ts';
import {pastLocks} from '../worktree/past-locks.ts';
import {contentOf} from '../worktree/tree-of.ts';
import {setViewAside, viewDirectoryOf} from '../view/git-view.ts';
import {keepViewCommits} from '../view/keep-view-commits.ts';
import {keepFiles} from './keep-files.ts';
import type {Removal, RemovalWish} from './removal.ts';
import {restoreWords} from './restore-words.ts';

/** Puts everything that is not merged under a ref of ours, and beside it as a patch. Done again, it makes the same. */
export async function keepWork(
  workspace: Workspace,
  removal: Removal,
  {base, mergedInto}: RemovalWish,
  directory: string,
  since: number | undefined,
): Promise<Removal> {
  const {owner, branch, admin} = removal;
  const tip = branch === null ? null : await tipOfBranch(workspace, branch);
  const content = isThere(directory)
    ? await contentOf(workspace, directory, seedIndexOf(workspace, slugOf(owner)))
    : undefined;
  const view =
    branch === null
      ? undefined
      : await keepViewCommits(workspace, {
          directory: viewDirectoryOf(workspace, owner),
          branch,
          withStaged: true,
        });
  if (view?.isWhole === false) setViewAside(workspace, owner);
  const tips = await knownCommits(workspace, [
    ...(tip === null ? [] : [tip]),
    ...commitsIn(admin),
    ...(view?.commits ?? []),
  ]);
  const homes = await knownCommits(workspace, [
    base,
    ...(mergedInto === undefined ? [] : [mergedInto]),
  ]);
  const open = await notReachable(workspace, tips, homes);
  const name = `${owner}-${removal.number}`;
  const files =
    content === undefined
      ? {dropped: [], directory: null}
      : await keepFiles(workspace, {
          directory,
          place: removal.path,
          admin,
          name,
          nested: content.nested,
          index: seedIndexOf(workspace, slugOf(owner)),
        });
  const staged =
    (await stagedTree(workspace, admin, [...tips, ...homes], content?.tree)) ??
    (await stagedInView(workspace, view?.staged ?? null, [...tips, ...homes], content?.tree));
  const settled = await treesOf(workspace, [
    ...homes,
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
      how: restoreWords({ref: null, patch: null, files: files.directory, owner}),
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
  const parents = open.length > 0 ? await independent(workspace, open) : homes.slice(0, 1);
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
  const tree = content?.tree ?? (await treesOf(workspace, [tip ?? parents[0] ?? base]))[0] ?? '';
  const commit = await commitTree(
    tree,
    [...parents, ...index],
    `Everything that was in the worktree of ${owner} when it was removed\n`,
  );
  const ref = `refs/orchestra/backup/${name}`;
  await workspace.inTurn(() =>
    pastLocks(workspace, since, () => workspace.git(workspace.root, ['update-ref', ref, commit])),
  );
  const patch = await writePatch(workspace, base, commit, name);
  return {
    ...known,
    kept: ref,
    patch,
    how: restoreWords({ref, patch, files: files.directory, owner}),
  };
}

/** One more than the highest that any backup, patch or directory of this owner has. */
export async function nextNumber(workspace: Workspace, owner: string): Promise<number> {
  const refs = (
    await workspace.git(
      workspace.root,
      ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/orchestra/backup'],
      {isRead: true},
    )
  ).split('\n');
  const numbers = [...refs, ...namesIn(path.join(workspace.private, 'kept'))]
    .filter((name) => name.startsWith(`${owner}-`))
    .map((name) => Number.parseInt(name.slice(owner.length + 1), 10) || 0);
  return Math.max(0, ...numbers) + 1;
}

export async function tipOfBranch(workspace: Workspace, branch: string): Promise<string | null> {
  return workspace
    .git(workspace.root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`], {
      isRead: true,
    })
    .then(
      (text) => text.trim(),
      () => null,
    );
}

const mostLogBytes = 64 * 1024 * 1024;

/** Where the worktree stands, and where it stood before somebody reset it: those commits have no other name. */
function commitsIn(admin: string | null): readonly string[] {
  if (admin === null) return [];
  const text = (file: string): string =>
    tryReadText(path.join(admin, file), {
      maxBytes: file === 'logs/HEAD' ? mostLogBytes : 64 * 1024,
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

/** Those of the names that are commits of this repository, as hashes. */
async function knownCommits(
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

async function treesOf(
  workspace: Workspace,
  commits: readonly string[],
): Promise<readonly string[]> {
  const lines = await workspace.git(workspace.root, ['cat-file', '--batch-check=%(objectname)'], {
    isRead: true,
    input: commits.map((commit) => `${commit}^{tree}\n`).join(''),
  });
  return lines.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

async function notReachable(
  workspace: Workspace,
  commits: readonly string[],
  from: readonly string[],
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const commit of commits) {
    const isHome = await Promise.all(
      from.map((home) =>
        workspace
          .git(workspace.root, ['merge-base', '--is-ancestor', commit, home], {isRead: true})
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    if (!isHome.includes(true)) open.push(commit);
  }

  return open;
}

async function independent(
  workspace: Workspace,
  commits: readonly string[],
): Promise<readonly string[]> {
  return (
    await workspace.git(workspace.root, ['merge-base', '--independent', ...commits], {isRead: true})
  )
    .split('\n')
    .filter((line) => line !== '');
}

/** What was staged and is neither in the files nor in a commit. Half a merge has no tree: then there is none. */
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
    return staged === tree || (await treesOf(workspace, commits)).includes(staged) ? null : staged;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

/** The same of what an agent staged in git files of its own, which has been taken over already. */
async function stagedInView(
  workspace: Workspace,
  staged: string | null,
  commits: readonly string[],
  tree: string | undefined,
): Promise<string | null> {
  return staged === null || staged === tree || (await treesOf(workspace, commits)).includes(staged)
    ? null
    : staged;
}

/** Written by git itself, byte for byte: a text in our hands would be taken for UTF-8. */
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

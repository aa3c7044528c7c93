import path from 'node:path';
import {existsSync} from 'node:fs';
import {maxRepositoryNotes, type RepositoryNote} from '../../domain/index.ts';
import {tryReadText} from '../../files/index.ts';
import {signsByDefault} from '../accept/signing.ts';
import type {Workspace} from '../open-workspace.ts';
import {findUnfinishedOperation} from './unfinished-operation.ts';

export type RepositoryInspection = {
  readonly base: string;
  readonly branch: string | null;
  readonly notes: readonly RepositoryNote[];
};

/** The commit that work would start from (`start`, else that of the checkout), and what a person should know about it beforehand. */
export async function inspectRepository(
  workspace: Workspace,
  start?: {readonly base: string; readonly branch?: string},
): Promise<RepositoryInspection> {
  const {git, root} = workspace;
  const read = (...argv: readonly string[]): Promise<string> =>
    git(root, argv, {isRead: true}).then((text) => text.trim());
  const [inside, gitDirectory] = await read(
    'rev-parse',
    '--is-inside-work-tree',
    '--absolute-git-dir',
  ).then(
    (text) => text.split('\n'),
    () => [] as string[],
  );
  if (inside === undefined || gitDirectory === undefined)
    throw new Error(
      `Expected a git repository at ${root}, but there is none. Make one with "git init", or go to one.`,
    );
  if (inside !== 'true')
    throw new Error(
      `Expected a repository with a working tree at ${root}, but it is bare. Clone it, and start from the clone.`,
    );
  const branch =
    start?.branch ?? (await read('symbolic-ref', '--short', '--quiet', 'HEAD').catch(() => null));
  const base =
    start?.base ??
    (await read('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => null));
  if (base === null) {
    const hasSome = (await read('rev-list', '--all', '-n', '1').catch(() => '')) !== '';
    throw new Error(
      hasSome
        ? `Expected a commit to start from, but the branch ${branch ?? 'HEAD'} has none ` +
            'yet. Switch to a branch that has one.'
        : 'Expected a commit to start from, but this repository has none yet. Make one: ' +
            'git commit --allow-empty -m "first"',
    );
  }

  if ((await read('config', '--get', 'extensions.refStorage').catch(() => 'files')) !== 'files')
    throw new Error(
      'Expected branches to be kept as files, but this repository keeps them as a ' +
        'reftable, which is not supported. To change that: git refs migrate ' +
        '--ref-format=files',
    );
  return {base, branch, notes: await collectNotes(workspace, {base, branch, gitDirectory})};
}

type FoundRepository = {
  readonly base: string;
  readonly branch: string | null;
  readonly gitDirectory: string;
};

/**
 * Each note says what was found, what it means for a run, and what to do about it. No note quotes a
 * name that others chose.
 */
async function collectNotes(
  workspace: Workspace,
  {base, branch, gitDirectory}: FoundRepository,
): Promise<readonly RepositoryNote[]> {
  const {git, root, commonDirectory} = workspace;
  const read = (...argv: readonly string[]): Promise<string> =>
    git(root, argv, {isRead: true}).then(
      (text) => text.trim(),
      () => '',
    );
  const notes: RepositoryNote[] = [];
  const note = (about: string, text: string): void => {
    notes.push({about, words: text});
  };
  const states = (
    await git(
      root,
      [
        'status',
        '--porcelain',
        '-z',
        '--untracked-files=normal',
        '--ignore-submodules=dirty',
        '--no-renames',
      ],
      {isRead: true},
    )
  )
    .split('\0')
    .filter((line) => line !== '');
  if (states.length > 0)
    note(
      'uncommitted',
      `Work starts from the commit ${base.slice(0, 10)}: ${states.length} ` +
        `${states.length === 1 ? 'file that is' : 'files that are'} changed or new in your ` +
        'checkout but not committed will be missing there. Commit what tasks need, and ' +
        'start again. Your files stay as they are.',
    );
  const operation = findUnfinishedOperation(gitDirectory);
  if (operation !== undefined)
    note(
      'unfinished',
      `A ${operation} is in progress in your checkout. Work can start, but you cannot ` +
        'accept into it until that is finished or aborted ("git ' +
        `${operation === 'bisect' ? 'bisect reset' : `${operation} --abort`}" aborts it).`,
    );
  if (branch === null)
    note(
      'detached',
      'No branch is checked out (HEAD is detached), so accepting needs the name of a ' +
        'branch: orchestra accept RUN --into NAME. Or make a branch now and start the run ' +
        'there: git switch -c NAME',
    );
  if (await signsByDefault(workspace))
    note(
      'signing',
      'You sign your commits (commit.gpgSign), but orchestra does not sign its own by ' +
        'default. To sign what comes into your branch: orchestra accept RUN --sign, or ' +
        '"sign: accept" in .orchestra/project.yaml.',
    );
  if (existsSync(path.join(root, '.gitmodules')))
    note(
      'submodules',
      'Submodules are empty in worktrees. If tasks need them, write "setup: git ' +
        'submodule update --init" in .orchestra/project.yaml. Changes inside a submodule ' +
        'are lost when you accept the run.',
    );
  if (await usesLfs(workspace))
    note(
      'lfs',
      'This repository uses Git LFS. If it is not installed, or the files are not ' +
        'downloaded, worktrees have pointers instead of files. Before the run: git lfs ' +
        'install, then git lfs pull.',
    );
  if ((await read('config', '--type=bool', '--get', 'core.sparseCheckout')) === 'true')
    note(
      'sparse',
      'Your checkout is sparse, and so are worktrees: files outside of it are missing ' +
        'and stay unchanged. To add some before the run: git sparse-checkout add DIRECTORY',
    );
  if (existsSync(path.join(commonDirectory, 'shallow')))
    note(
      'shallow',
      'The history is shallow: merging with older branches may fail. To fetch the rest: git fetch --unshallow',
    );
  if ((await read('config', '--get', 'extensions.partialClone')) !== '')
    note(
      'partial',
      'The clone is partial: git fetches missing objects when it needs them, which fails ' +
        'for agents without network. To fetch all of them: git fetch --refetch --no-filter',
    );
  return notes.slice(0, maxRepositoryNotes);
}

async function usesLfs({root, git}: Workspace): Promise<boolean> {
  const files = (
    await git(root, ['ls-files', '-z', '--', '.gitattributes', ':(glob)**/.gitattributes'], {
      isRead: true,
    })
  )
    .split('\0')
    .filter((file) => file !== '');
  return files.some((file) =>
    /\bfilter=lfs\b/.test(
      tryReadText(path.join(root, file), {maxBytes: 16 * 1024 * 1024, below: root}) ?? '',
    ),
  );
}

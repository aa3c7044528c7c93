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

/** The commit that work would start from, and what a person should know about it beforehand. */
export async function inspectRepository(workspace: Workspace): Promise<RepositoryInspection> {
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
  const branch = await read('symbolic-ref', '--short', '--quiet', 'HEAD').catch(() => null);
  const base = await read('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => null);
  if (base === null) {
    const hasSome = (await read('rev-list', '--all', '-n', '1').catch(() => '')) !== '';
    throw new Error(
      hasSome
        ? `Expected a commit to start from, but the branch ${branch ?? 'HEAD'} has none yet. Switch to a branch that has one.`
        : 'Expected a commit to start from, but this repository has none yet. Make one: git commit --allow-empty -m "first"',
    );
  }

  if ((await read('config', '--get', 'extensions.refStorage').catch(() => 'files')) !== 'files')
    throw new Error(
      'Expected branches to be kept as files, but this repository keeps them as a reftable, which is not supported. "git refs migrate --ref-format=files" changes that.',
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
      `Work starts from the commit ${base.slice(0, 10)}: ${states.length} ${states.length === 1 ? 'file that is' : 'files that are'} changed or new in your checkout and not committed will not be in it. Commit what tasks need, and start again; your files stay as they are.`,
    );
  const operation = findUnfinishedOperation(gitDirectory);
  if (operation !== undefined)
    note(
      'unfinished',
      `A ${operation} is in progress in your checkout. Work can start, but nothing is accepted into it until that is finished or given up ("git ${operation === 'bisect' ? 'bisect reset' : `${operation} --abort`}" gives it up).`,
    );
  if (branch === null)
    note(
      'detached',
      'No branch is checked out (HEAD is detached), so accepting needs a name: "orchestra accept RUN --into NAME" makes that branch, or brings the run into it. Or "git switch -c NAME" now and begin the run there.',
    );
  if (await signsByDefault(workspace))
    note(
      'signing',
      'You sign your commits (commit.gpgSign), but those of orchestra are not signed by themselves: "orchestra accept RUN --sign", or "sign: accept" in .orchestra/project.yaml, signs what comes into your branch with your key.',
    );
  if (existsSync(path.join(root, '.gitmodules')))
    note(
      'submodules',
      'Submodules are not filled in worktrees: their directories are empty there. Say "setup: git submodule update --init" in .orchestra/project.yaml if tasks need them; changes inside of a submodule are not carried over when the run is accepted.',
    );
  if (await usesLfs(workspace))
    note(
      'lfs',
      'Files in Git LFS are checked out through its own filter. If that is not installed, or the files are not here yet, worktrees have pointers in their place: "git lfs install" and "git lfs pull" before the run.',
    );
  if ((await read('config', '--type=bool', '--get', 'core.sparseCheckout')) === 'true')
    note(
      'sparse',
      'Your checkout is sparse, and so are worktrees: files outside of it are not there, and are left as they are. "git sparse-checkout add DIRECTORY" before the run brings more.',
    );
  if (existsSync(path.join(commonDirectory, 'shallow')))
    note(
      'shallow',
      'The history is shallow: work goes well, but merging with older branches may not. "git fetch --unshallow" brings the rest.',
    );
  if ((await read('config', '--get', 'extensions.partialClone')) !== '')
    note(
      'partial',
      'The clone is partial: what is not here yet is fetched when somebody looks at it, which agents without the network cannot. "git fetch --refetch --no-filter" brings all of it.',
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

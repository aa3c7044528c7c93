import path from 'node:path';

export type GitPlace = {
  /** The repository's `.git`, without links. */
  readonly commonDirectory: string;
  /** `<commonDirectory>/worktrees/<name>`. */
  readonly worktreeAdmin: string;
  readonly worktree: string;
  /** Without `refs/heads/`; nothing when the worktree is detached. */
  readonly branch: string | null;
  /** Other branches that stand in the same directory, as `orchestra/r1/t2` beside `orchestra/r1/t3`. */
  readonly siblings?: readonly string[];
};

export type GitPaths = {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly sealed: readonly string[];
  /** To be made before the start: git makes them when it needs them, and inside it can't. */
  readonly directories: readonly string[];
};

/**
 * What `git add` and `git commit` need in a linked worktree. All else in the repository's `.git` is read-only: config,
 * hooks, attributes, packed references, other branches; packs too, because what was packed is history and a commit packs
 * nothing. The worktree's own `HEAD` stays on its branch. What leads git to its configuration is read-only or sealed, since
 * the daemon's own git follows it as well.
 */
export function gitPathsFor({commonDirectory, worktreeAdmin, worktree, branch, siblings = []}: GitPlace): GitPaths {
  const inCommon = (...names: readonly string[]): string => path.join(commonDirectory, ...names);
  const refs = branch === null ? [] : directoriesOf(branch).map((directory) => inCommon(directory));
  return {
    writable: [inCommon('objects'), worktreeAdmin, ...refs],
    readOnly: [
      commonDirectory,
      inCommon('objects', 'pack'),
      inCommon('objects', 'info'),
      ...siblings.filter((sibling) => sibling !== branch).flatMap((sibling) => [inCommon('refs/heads', sibling), inCommon('logs/refs/heads', sibling)]),
      ...(branch === null ? [] : [path.join(worktreeAdmin, 'HEAD')]),
    ],
    sealed: [path.join(worktree, '.git'), ...['commondir', 'gitdir', 'config.worktree'].map((name) => path.join(worktreeAdmin, name))],
    directories: refs,
  };
}

/** Git writes a lock beside the reference and renames it, so it is the directory that must be writable. */
function directoriesOf(branch: string): string[] {
  const parts = branch.split('/');
  if (parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(`expected a branch in a directory of our own, such as orchestra/r1/t3, got ${JSON.stringify(branch)}: the directory of any other holds the person's branches.`);
  }

  const directory = parts.slice(0, -1).join('/');
  return [`refs/heads/${directory}`, `logs/refs/heads/${directory}`];
}

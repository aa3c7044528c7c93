import path from 'node:path';
import type {BoundPath} from './policy.ts';

export type GitPlace = {
  /** The repository's `.git`, without links. */
  readonly commonDirectory: string;
  /** `<commonDirectory>/worktrees/<name>`. */
  readonly worktreeAdmin: string;
  readonly worktree: string;
  /** Without `refs/heads/`; null when the worktree is detached. */
  readonly branch: string | null;
  /** The command's own git files: `objects`, `info`, `admin`, `refs`, `logs`. */
  readonly view: string;
};

export type GitPaths = {
  readonly bound: readonly BoundPath[];
  readonly readOnly: readonly string[];
  readonly sealed: readonly string[];
  /** To be made before the start: inside they cannot be made. */
  readonly directories: readonly string[];
};

/**
 * Everything that `git add` and `git commit` write in a linked worktree is private to the command:
 * objects, index, HEAD, its branch. The repository's `.git` is read-only, and its objects are an
 * alternate of the private ones. So nothing that the person, the daemon or another task reads can
 * be written from inside. The worktree's `.git` file stays unchanged, since the daemon's git
 * follows it.
 */
export function gitPathsFor({
  commonDirectory,
  worktreeAdmin,
  worktree,
  branch,
  view,
}: GitPlace): GitPaths {
  const inCommon = (...names: readonly string[]): string => path.join(commonDirectory, ...names);
  const inView = (name: string): string => path.join(view, name);
  const own = (at: string, name: string): BoundPath => ({
    path: at,
    from: inView(name),
    isWritable: true,
  });
  const refs = branch === null ? undefined : refDirectories(branch);
  return {
    bound: [
      own(inCommon('objects'), 'objects'),
      {path: inCommon('objects', 'info'), from: inView('info'), isWritable: false},
      {path: inCommon('objects', 'repository'), from: inCommon('objects'), isWritable: false},
      own(worktreeAdmin, 'admin'),
      ...(refs === undefined
        ? []
        : [own(inCommon(refs.heads), 'refs'), own(inCommon(refs.logs), 'logs')]),
    ],
    readOnly: [commonDirectory],
    sealed: [path.join(worktree, '.git')],
    directories: refs === undefined ? [] : [inCommon(refs.heads), inCommon(refs.logs)],
  };
}

/** Git writes a lock file beside the reference and renames it, so the directory must be private. */
function refDirectories(branch: string): {readonly heads: string; readonly logs: string} {
  const parts = branch.split('/');
  if (parts.length < 2 || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(
      'expected a branch in a directory of our own, such as orchestra/r1-t3, got ' +
        `${JSON.stringify(branch)}: the directory of any other holds the person's branches.`,
    );
  }

  const directory = parts.slice(0, -1).join('/');
  return {heads: `refs/heads/${directory}`, logs: `logs/refs/heads/${directory}`};
}

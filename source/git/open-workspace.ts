import path from 'node:path';
import {mkdirSync, realpathSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {createGit, type Git} from './client/create-git.ts';
import {createHashObjects, type HashObjects} from './client/hash-objects.ts';

/**
 * A repository with our private directories, git client and locks. Only one process writes to it.
 */
export type Workspace = {
  /** The person's own checkout. Written only when they accept a run. */
  readonly root: string;
  /** Real path of git's common directory, which all worktrees share. */
  readonly commonDirectory: string;
  /** Directory of the worktrees for tasks: `../<repository>.worktrees`. */
  readonly worktrees: string;
  /** Directory for our indexes, prepared worktrees, records, patches and trash. */
  readonly private: string;
  readonly git: Git;
  /** Hashes the content of objects, to detect tampering. */
  readonly hashObjects: HashObjects;
  /**
   * Serialises everything that changes refs or worktrees: git loses some of them when they run at
   * the same time (faults, finding 5).
   */
  readonly withLock: <T>(act: () => Promise<T>) => Promise<T>;
  /** Like `withLock`, among callers with the same key only, such as one worktree. */
  readonly withKeyLock: <T>(key: string, act: () => Promise<T>) => Promise<T>;
  /** Runs heavy disk work, a few tasks at a time. */
  readonly limitConcurrency: <T>(act: () => Promise<T>) => Promise<T>;
  /** The person's home directory, which has git's global configuration. */
  readonly home: string | null;
  readonly now: () => number;
};

export type WorkspaceOptions = {
  readonly root: string;
  readonly commonDirectory: string;
  /** A directory outside of the repository; created when it does not exist. */
  readonly private: string;
  /** The git program, found outside of the repository. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly now: () => number;
};

export function openWorkspace({
  root,
  commonDirectory,
  private: own,
  program,
  env,
  now,
}: WorkspaceOptions): Workspace {
  mkdirSync(own, {recursive: true, mode: 0o700});
  const real = realpathSync(root);
  const turns = new Map<string, Promise<unknown>>();
  const withKeyLock: Workspace['withKeyLock'] = (key, act) => {
    const mine = (turns.get(key) ?? Promise.resolve()).then(act, act);
    const settled = mine
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (turns.get(key) === settled) turns.delete(key);
      });
    turns.set(key, settled);
    return mine;
  };
  return {
    root: real,
    commonDirectory: realpathSync(commonDirectory),
    worktrees: worktreesBeside(real),
    private: realpathSync(own),
    git: createGit({program, env}),
    hashObjects: createHashObjects({program, env}),
    withLock: (act) => withKeyLock('', act),
    withKeyLock,
    limitConcurrency: createLimiter(availableParallelism()),
    home: env['HOME'] ?? null,
    now,
  };
}

/** The directory of worktrees for a checkout. `root` is a real path. */
export function worktreesBeside(root: string): string {
  return path.join(path.dirname(root), `${path.basename(root)}.worktrees`);
}

function createLimiter(limit: number): Workspace['limitConcurrency'] {
  const waiting: (() => void)[] = [];
  let free = Math.max(2, Math.min(limit, 4));
  return async (act) => {
    if (free === 0)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    else free -= 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

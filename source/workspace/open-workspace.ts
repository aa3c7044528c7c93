import {mkdirSync, realpathSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {createGit, type Git} from './git/create-git.ts';
import {createHashObjects, type HashObjects} from './git/hash-objects.ts';

/** One repository, as its only writer sees it. */
export type Workspace = {
  /** The person's own checkout. Nothing is written here without their word. */
  readonly root: string;
  /** What all worktrees share: the real path of git's common directory. */
  readonly commonDirectory: string;
  /** Where worktrees for tasks stand: `../<repository>.worktrees`. */
  readonly worktrees: string;
  /** Our own place for private indexes, worktrees made ahead, patches and what is on its way out. */
  readonly private: string;
  readonly git: Git;
  /** What objects are really called by their content. */
  readonly hashObjects: HashObjects;
  /** Everything that changes refs or worktrees goes through here, one after another: git itself loses some when they meet (faults, finding 5). */
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>;
  /** The same, only among those that name the same key: two wishes for one worktree never meet. */
  readonly alone: <T>(key: string, act: () => Promise<T>) => Promise<T>;
  /** Heavy disk work that may go on side by side, a few at a time. */
  readonly amongFew: <T>(act: () => Promise<T>) => Promise<T>;
  /** The person's home directory, where git finds what holds for all repositories. */
  readonly home: string | null;
  readonly now: () => number;
};

export type WorkspaceOptions = {
  readonly root: string;
  readonly commonDirectory: string;
  /** A directory of our own outside the repository; made when it is not there. */
  readonly private: string;
  /** The git program, found outside the repository. */
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
  const alone: Workspace['alone'] = (key, act) => {
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
    inTurn: (act) => alone('', act),
    alone,
    amongFew: createFew(availableParallelism()),
    home: env['HOME'] ?? null,
    now,
  };
}

/** Of the real path of a checkout. */
export function worktreesBeside(root: string): string {
  return path.join(path.dirname(root), `${path.basename(root)}.worktrees`);
}

function createFew(limit: number): Workspace['amongFew'] {
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

import {mkdirSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {createGit, type Git} from './git/create-git.ts';

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
  /** Everything that changes refs or worktrees goes through here, one after another: git itself loses some when they meet (faults, finding 5). */
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>;
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

export function openWorkspace({root, commonDirectory, private: own, program, env, now}: WorkspaceOptions): Workspace {
  mkdirSync(own, {recursive: true, mode: 0o700});
  const real = realpathSync(root);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    root: real,
    commonDirectory: realpathSync(commonDirectory),
    worktrees: path.join(path.dirname(real), `${path.basename(real)}.worktrees`),
    private: realpathSync(own),
    git: createGit({program, env}),
    inTurn: (act) => {
      const mine = turn.then(act, act);
      turn = mine.catch(() => undefined);
      return mine;
    },
    now,
  };
}

import os from 'node:os';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {
  ensureWorktree,
  type MadeWorktree,
  openWorkspace,
  type Workspace,
  type WorktreeOptions,
} from '../../../source/git/index.ts';

export type TestRepository = {
  readonly home: string;
  readonly root: string;
  readonly workspace: Workspace;
  /** Git as a person runs it, without our hardened settings. */
  readonly git: (...argv: readonly string[]) => string;
  readonly gitIn: (directory: string, ...argv: readonly string[]) => string;
  readonly write: (file: string, text: string) => void;
  readonly head: () => string;
  readonly remove: () => void;
};

/** Files of a repository whose content does not matter. */
export const defaultFiles = {'readme.md': 'hello\n'};

/**
 * A real repository with one commit, in a home directory of its own without a global git
 * configuration.
 */
export function makeRepository(
  files: Readonly<Record<string, string>> = defaultFiles,
): TestRepository {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-workspace-')));
  const root = path.join(home, 'project');
  mkdirSync(root);
  const env = getEnvironment(home);
  const gitIn = (directory: string, ...argv: readonly string[]): string =>
    execFileSync('git', argv, {
      cwd: directory,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const write = (file: string, text: string): void => {
    const full = path.resolve(root, file);
    mkdirSync(path.dirname(full), {recursive: true});
    writeFileSync(full, text);
  };

  gitIn(root, 'init', '-q', '-b', 'main');
  for (const [file, text] of Object.entries(files)) write(file, text);
  gitIn(root, 'add', '-A');
  gitIn(root, 'commit', '-q', '-m', 'first');
  return {
    home,
    root,
    workspace: reopen(home, root),
    git: (...argv) => gitIn(root, ...argv),
    gitIn,
    write,
    head: () => gitIn(root, 'rev-parse', 'HEAD').trim(),
    remove: () => {
      rmSync(home, {recursive: true, force: true});
    },
  };
}

/** A test function that gets a new repository, which is removed afterwards. */
export function withRepository(
  files: Readonly<Record<string, string>>,
  act: (repository: TestRepository) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const repository = makeRepository(files);
    try {
      await act(repository);
    } finally {
      repository.remove();
    }
  };
}

/**
 * A test function that gets a new repository with a worktree, by default that of the task r1.t1.
 */
export function withWorktree(
  files: Readonly<Record<string, string>>,
  act: (repository: TestRepository, worktree: MadeWorktree) => Promise<void>,
  options: Partial<WorktreeOptions> = {},
): () => Promise<void> {
  return withRepository(files, async (repository) => {
    const worktree = await ensureWorktree(repository.workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from: 'HEAD',
      mayRebuild: true,
      ...options,
    });
    await act(repository, worktree);
  });
}

/** The workspace as a restarted daemon opens it. */
export function reopen(home: string, root: string): Workspace {
  return openWorkspace({
    root,
    commonDirectory: path.join(root, '.git'),
    private: path.join(home, 'private'),
    program: '/usr/bin/git',
    env: getEnvironment(home),
    now: () => 1_700_000_000_000,
  });
}

export function getEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    // Since 2.47 a commit leaves `git maintenance` running in the directory, with a lock of its own
    // and no known end.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_AUTHOR_NAME: 'Person',
    GIT_AUTHOR_EMAIL: 'person@example.org',
    GIT_COMMITTER_NAME: 'Person',
    GIT_COMMITTER_EMAIL: 'person@example.org',
  };
}

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {openWorkspace, type Workspace} from '../../../source/workspace/index.ts';

export type TestRepository = {
  readonly home: string;
  readonly root: string;
  readonly workspace: Workspace;
  /** Git as the person runs it, without our hardening. */
  readonly git: (...argv: readonly string[]) => string;
  readonly gitIn: (directory: string, ...argv: readonly string[]) => string;
  readonly write: (file: string, text: string) => void;
  readonly head: () => string;
  readonly remove: () => void;
};

/** A real repository with one commit, in a home of its own: nobody's global configuration reaches it. */
export function makeRepository(
  files: Readonly<Record<string, string>> = {'readme.md': 'hello\n'},
): TestRepository {
  const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-workspace-')));
  const root = path.join(home, 'project');
  mkdirSync(root);
  const env = environmentOf(home);
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

/** As a daemon that starts anew sees it. */
export function reopen(home: string, root: string): Workspace {
  return openWorkspace({
    root,
    commonDirectory: path.join(root, '.git'),
    private: path.join(home, 'private'),
    program: '/usr/bin/git',
    env: environmentOf(home),
    now: () => 1_700_000_000_000,
  });
}

export function environmentOf(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    // Since 2.47 a commit leaves a git behind that goes on by itself, in the same directory and with a lock of its own: nobody could say when it has ended.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_AUTHOR_NAME: 'Person',
    GIT_AUTHOR_EMAIL: 'person@example.org',
    GIT_COMMITTER_NAME: 'Person',
    GIT_COMMITTER_EMAIL: 'person@example.org',
  };
}

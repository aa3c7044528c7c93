import path from 'node:path';
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {text} from 'node:stream/consumers';
import {inspectPath} from '../../../source/system/index.ts';
import {gitPathsFor, sandboxed, type SandboxPolicy} from '../../../source/sandbox/index.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';
import {bubblewrap} from '../../support/needs.ts';
import type {Person} from './people.ts';

export type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** A repository with two tasks at work, and everything around it that they must leave alone. */
export type Fixture = {
  readonly main: string;
  readonly git: string;
  readonly own: string;
  readonly sibling: string;
  readonly admin: string;
  readonly state: string;
  readonly home: string;
  readonly temp: string;
  readonly worker: SandboxPolicy;
  readonly planner: SandboxPolicy;
  readonly argv: (
    argv: readonly string[],
    policy?: SandboxPolicy,
    cwd?: string,
  ) => readonly string[];
  readonly run: (argv: readonly string[], policy?: SandboxPolicy) => Promise<Ended>;
  /** A shell script, in the worker's sandbox unless another policy is given. */
  readonly sh: (script: string, policy?: SandboxPolicy) => Promise<Ended>;
};

export const quietGit = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
  GIT_CONFIG_NOSYSTEM: '1',
};

export function createFixture(t: TestContext, person: Person): Fixture {
  const root = temporaryDirectory(t);
  const at = (name: string): string => path.join(root, name);
  const [main, own, sibling, state, home, temp] = [
    'main',
    'worktrees/r1-t1',
    'worktrees/r1-t2',
    'state',
    'home',
    'temp',
  ].map(at) as [string, string, string, string, string, string];
  for (const directory of [main, at('worktrees'), state, home, temp])
    mkdirSync(directory, {recursive: true});
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: home,
    TMPDIR: temp,
    TERM: 'xterm-256color',
    ...quietGit,
  };
  const git = (...argv: readonly string[]): string =>
    execFileSync('/usr/bin/git', argv, {cwd: main, env, stdio: 'pipe', encoding: 'utf8'});

  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(main, 'file.txt'), 'first\n');
  git('add', '.');
  git('commit', '--quiet', '--message=first');
  git('worktree', 'add', '--quiet', '-b', 'orchestra/r1/t1', own);
  git('worktree', 'add', '--quiet', '-b', 'orchestra/r1/t2', sibling);
  writeFileSync(path.join(state, 'token'), 'the-secret-token');
  const admin = path.join(main, '.git/worktrees/r1-t1');
  const view = createView(at('views/r1-t1'), {
    admin,
    commit: git('rev-parse', 'HEAD').trim(),
    branch: 't1',
  });
  const {bound, readOnly, sealed, directories} = gitPathsFor({
    commonDirectory: path.join(main, '.git'),
    worktreeAdmin: admin,
    worktree: own,
    branch: 'orchestra/r1/t1',
    view,
  });
  for (const directory of directories) mkdirSync(directory, {recursive: true});
  person.own(root);

  const worker: SandboxPolicy = {
    kind: 'worktree',
    writable: [own, temp],
    readOnly,
    sealed,
    bound,
    hidden: [state],
  };
  const planner: SandboxPolicy = {kind: 'read-only', writable: [], hidden: [state]};
  const argv: Fixture['argv'] = (command, policy = worker, cwd = own) => [
    ...person.as,
    ...sandboxed({argv: command, cwd}, policy, {
      bwrap: bubblewrap(),
      uid: person.uid,
      look: inspectPath,
      can: {processes: true, layers: true, gid: person.uid},
    }),
  ];
  const run: Fixture['run'] = async (command, policy) => {
    const [file = '', ...rest] = argv(command, policy);
    const child = spawn(file, rest, {cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe']});
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ]);
    return {code, signal, stdout, stderr};
  };

  return {
    main,
    git: path.join(main, '.git'),
    own,
    sibling,
    admin,
    state,
    home,
    temp,
    worker,
    planner,
    argv,
    run,
    sh: (script, policy) => run(['/bin/sh', '-c', script], policy),
  };
}

/**
 * The git files of one worktree as the daemon lays them out for its agent; source/git/private-views
 * makes the real ones.
 */
function createView(
  view: string,
  {
    admin,
    commit,
    branch,
  }: {readonly admin: string; readonly commit: string; readonly branch: string},
): string {
  for (const part of ['objects/info', 'objects/pack', 'objects/repository', 'info', 'refs', 'logs'])
    mkdirSync(path.join(view, part), {recursive: true});
  writeFileSync(path.join(view, 'info/alternates'), 'repository\n');
  writeFileSync(path.join(view, 'refs', branch), `${commit}\n`);
  cpSync(admin, path.join(view, 'admin'), {recursive: true});
  return view;
}

/** Tries to write each of the paths, in any way a shell has, and says which ones it could. */
export function tryToWrite(...files: readonly string[]): string {
  return files
    .map(
      (file) =>
        `{ { echo x >> '${file}'; } 2>/dev/null || { mv -f '${file}' '${file}.gone' && echo x > '${file}'; } 2>/dev/null || { rm -f '${file}' && echo x > '${file}'; } 2>/dev/null; } && echo '${file}'`,
    )
    .join('; ');
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {findCheckout, findRepository} from '../../source/config/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';

type Fixture = {
  readonly home: string;
  readonly root: string;
  /**
   * A worktree as orchestra makes it: beside the repository, locked, with git's directory named
   * after the place where it was built.
   */
  readonly worktree: string;
  readonly git: (cwd: string, ...argv: readonly string[]) => string;
};

function fixture(t: TestContext): Fixture {
  const home = temporaryDirectory(t);
  const root = path.join(home, 'project');
  const git: Fixture['git'] = (cwd, ...argv) =>
    execFileSync('git', argv, {
      cwd,
      env: {PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1'},
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  mkdirSync(root);
  git(root, 'init', '-q');
  git(
    root,
    '-c',
    'user.name=P',
    '-c',
    'user.email=p@example.org',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'Begin',
  );
  const stage = path.join(home, 'making', 'r1-t1-0123456789');
  git(root, 'worktree', 'add', '-q', '--detach', '--lock', '--reason', 'orchestra', stage);
  const worktree = path.join(home, 'project.worktrees', 'r1-t1');
  mkdirSync(path.dirname(worktree));
  renameSync(stage, worktree);
  writeFileSync(
    path.join(root, '.git', 'worktrees', 'r1-t1-0123456789', 'gitdir'),
    `${path.join(worktree, '.git')}\n`,
  );
  mkdirSync(path.join(worktree, 'deep', 'down'), {recursive: true});
  return {home, root, worktree, git};
}

/** What an agent can do to the place that it works in. */
const disguises: Readonly<Record<string, (fixture: Fixture) => void>> = {
  nothing: () => undefined,
  'no .git at all': ({worktree}) => {
    rmSync(path.join(worktree, '.git'));
  },
  'a repository of its own': ({worktree, git}) => {
    rmSync(path.join(worktree, '.git'));
    git(worktree, 'init', '-q');
  },
  'a git directory of its own in it': ({worktree, git}) => {
    git(
      worktree,
      'init',
      '-q',
      '--separate-git-dir',
      path.join(worktree, 'own'),
      path.join(worktree, 'deep'),
    );
    writeFileSync(path.join(worktree, '.git'), `gitdir: ${path.join(worktree, 'own')}\n`);
  },
  'the git directory of another repository': ({home, worktree, git}) => {
    git(home, 'init', '-q', 'other');
    writeFileSync(path.join(worktree, '.git'), `gitdir: ${path.join(home, 'other', '.git')}\n`);
  },
  'a repository in a directory of it': ({worktree, git}) => {
    git(path.join(worktree, 'deep'), 'init', '-q');
  },
  'a repository in the deepest directory of it': ({worktree, git}) => {
    git(path.join(worktree, 'deep', 'down'), 'init', '-q');
  },
  '.git as a link to a repository in it': ({worktree, git}) => {
    git(worktree, 'init', '-q', 'own');
    rmSync(path.join(worktree, '.git'));
    symlinkSync(path.join(worktree, 'own', '.git'), path.join(worktree, '.git'));
  },
  '.git as a pipe': ({worktree}) => {
    rmSync(path.join(worktree, '.git'));
    execFileSync('mkfifo', [
      path.join(worktree, '.git'),
      path.join(worktree, 'deep', 'down', '.git'),
    ]);
  },
  '.git that holds nonsense': ({worktree}) => {
    writeFileSync(path.join(worktree, '.git'), 'gitdir: \0\n');
  },
  'a pretended repository with worktrees in it': ({worktree, git}) => {
    git(path.join(worktree, 'deep'), 'init', '-q', 'down');
    mkdirSync(path.join(worktree, 'deep', 'down.worktrees', 'r1-t1'), {recursive: true});
  },
  "no lock and no place in git's own directory for it": ({root}) => {
    for (const name of ['locked', 'gitdir'])
      rmSync(path.join(root, '.git', 'worktrees', 'r1-t1-0123456789', name));
  },
};

for (const [name, disguise] of Object.entries(disguises)) {
  test(`in an agent's worktree the repository beside it counts, also with ${name}`, (t) => {
    const made = fixture(t);
    disguise(made);
    const {root, worktree} = made;
    for (const place of [
      worktree,
      path.join(worktree, 'deep'),
      path.join(worktree, 'deep', 'down'),
    ]) {
      assert.deepEqual(
        findRepository(place),
        {root, commonDirectory: path.join(root, '.git')},
        place,
      );
      assert.equal(findCheckout(place), worktree, place);
    }
  });
}

test("whoever came through a link in an agent's worktree, or to it, still stands in it", (t) => {
  const {home, root, worktree, git} = fixture(t);
  git(home, 'init', '-q', 'planted');
  symlinkSync(path.join(home, 'planted'), path.join(worktree, 'link'));
  symlinkSync(worktree, path.join(home, 'shortcut'));
  const planted = path.join(home, 'planted');
  for (const logical of [path.join(worktree, 'link'), path.join(home, 'shortcut', 'link')])
    assert.equal(findRepository(planted, logical)?.root, root, logical);
  assert.equal(findRepository(path.join(home, 'shortcut'))?.root, root);
  // What PWD says counts only if it is about this directory.
  for (const logical of [worktree, 'link', '', '/no/such/directory', planted])
    assert.equal(findRepository(planted, logical)?.root, planted, logical);
});

test("an agent's worktree that was moved elsewhere still belongs to its repository, and so does one that is being made", (t) => {
  const {home, root, worktree} = fixture(t);
  const elsewhere = path.join(home, 'elsewhere');
  renameSync(worktree, elsewhere);
  assert.equal(findRepository(elsewhere)?.root, root);
  const admin = path.join(root, '.git', 'worktrees', 'r1-t1-0123456789');
  rmSync(path.join(admin, 'locked'));
  assert.equal(findRepository(elsewhere)?.root, root, "by the name of git's directory");
  const making = path.join(home, 'project.worktrees', '.orchestra-making', 'r2-t1-0123456789');
  const trash = path.join(home, 'project.worktrees', '.orchestra-trash', 'x', '.git');
  for (const place of [making, trash]) {
    mkdirSync(place, {recursive: true});
    assert.equal(findRepository(place)?.root, root);
  }
});

test("an agent's worktree whose repository is gone is no repository", (t) => {
  const {home, root, worktree, git} = fixture(t);
  rmSync(path.join(worktree, '.git'));
  git(worktree, 'init', '-q');
  // A repository above, as of somebody's start files, is not the one that it was made for.
  git(home, 'init', '-q');
  renameSync(root, path.join(home, 'moved'));
  assert.throws(
    () => findRepository(worktree),
    /r1-t1 is a worktree that orchestra made for an agent of .*project, but that repository is gone\. Change to the repository at its new place/,
  );
});

test("a worktree of the person's own is a checkout of its own, wherever it is", (t) => {
  const {home, root, git} = fixture(t);
  const commonDirectory = path.join(root, '.git');
  for (const place of [
    path.join(home, 'feature'),
    path.join(home, 'project.worktrees', 'feature'),
    path.join(home, 'project.worktrees', 'r1'),
    path.join(root, 'inner'),
  ]) {
    git(root, 'worktree', 'add', '-q', '--detach', place);
    mkdirSync(path.join(place, 'deep'));
    assert.deepEqual(
      findRepository(path.join(place, 'deep')),
      {root: place, commonDirectory},
      place,
    );
    assert.equal(findCheckout(path.join(place, 'deep')), place);
  }

  // Agents that were started from there work beside it.
  const worktree = path.join(home, 'feature.worktrees', 'r2-plan');
  mkdirSync(worktree, {recursive: true});
  assert.deepEqual(findRepository(worktree), {root: path.join(home, 'feature'), commonDirectory});
});

test('outside of any repository there is none; a .git that leads nowhere, or is a pipe, is told', (t) => {
  const home = temporaryDirectory(t);
  assert.equal(findRepository(home), undefined);
  execFileSync('mkfifo', [path.join(home, '.git')]);
  assert.throws(() => findRepository(home), /expected "gitdir: <path>"/);
  rmSync(path.join(home, '.git'));
  writeFileSync(path.join(home, '.git'), 'gitdir: /no/such/directory\n');
  assert.throws(() => findRepository(home), /no\/such\/directory/);
  assert.equal(readFileSync(path.join(home, '.git'), 'utf8'), 'gitdir: /no/such/directory\n');
});

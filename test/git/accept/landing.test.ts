import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import type {AcceptWay} from '../../../source/domain/index.ts';
import {
  acceptIntoBranch,
  buildMerge,
  composeCommitMessage,
  findBranchNameProblem,
  findContaining,
  type LandingText,
  planLanding,
  readSigning,
  signLanding,
  signsByDefault,
} from '../../../source/git/index.ts';
import {createRandom} from '../../support/random.ts';
import {reopen, type TestRepository, withRepository} from '../support/repository.ts';
import {contentUnder, readUserState, leaveEdits, userFiles} from './user-edits.ts';
import {sweepAccepts} from './sweep.ts';

const at = 1_700_000_000_000;
const text: LandingText = {
  squash: composeCommitMessage({
    title: 'Make it better',
    body: '- Title of t1 (r1.t1)\n- Title of t2 (r1.t2)\n\nChecks: test',
    run: 'r1',
    plan: 'p1',
  }),
  merge: composeCommitMessage({title: 'Merge r1: Make it better', run: 'r1', plan: 'p1'}),
  checks: ['test', 'lint'],
};

type Fixture = TestRepository & {readonly base: string; readonly commit: string};

/**
 * A run of three merged tasks on `main`, as the loop makes it, and a commit that the person put on
 * its branch themselves.
 */
async function withRun(
  act: (fixture: Fixture) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withRepository(
    {
      ...userFiles,
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'mine.txt': 'mine\n',
      ...files,
    },
    async (repository) => {
      const {git, gitIn, home, workspace} = repository;
      const base = repository.head();
      const side = path.join(home, 'side');
      git('worktree', 'add', '-q', '--detach', side, base);
      let head = base;
      for (const [task, file, body] of [
        ['t1', 'a.txt', 'A\n'],
        ['t2', 'new/c.txt', 'c\n'],
        ['t3', 'a.txt', 'A\nagain\n'],
      ] as const) {
        gitIn(side, 'checkout', '-q', '-f', '--detach', head);
        mkdirSync(path.join(side, path.dirname(file)), {recursive: true});
        writeFileSync(path.join(side, file), body);
        gitIn(side, 'add', '-A');
        gitIn(
          side,
          'commit',
          '-qm',
          composeCommitMessage({
            title: `Title of ${task}`,
            body: `Brief of ${task}.`,
            run: 'r1',
            task: `r1.${task}`,
            plan: 'p1',
          }),
        );
        const built = await buildMerge(workspace, {
          onto: head,
          commit: gitIn(side, 'rev-parse', 'HEAD').trim(),
          message: composeCommitMessage({
            title: `Merge r1.${task}: Make it better`,
            run: 'r1',
            task: `r1.${task}`,
            plan: 'p1',
          }),
          at,
        });
        assert.ok('candidate' in built);
        head = built.candidate;
      }

      gitIn(side, 'checkout', '-q', '-f', '--detach', head);
      writeFileSync(path.join(side, 'by-hand.txt'), 'x\n');
      gitIn(side, 'add', '-A');
      gitIn(side, 'commit', '-qm', 'By hand', '--author=Grace <grace@example.com>');
      const commit = gitIn(side, 'rev-parse', 'HEAD').trim();
      git('worktree', 'remove', '--force', side);
      git('branch', 'orchestra/r1', commit);
      await act({...repository, base, commit});
    },
  )();
}

/** As the person would: a branch that is not in the way of the run. */
function move({git, write}: TestRepository): void {
  write('mine.txt', 'mine, changed\n');
  git('add', 'mine.txt');
  git('commit', '-qm', 'meanwhile', '--', 'mine.txt');
}

const subjects = (place: TestRepository, from: string): string[] =>
  place
    .git('log', '--reverse', '--topo-order', '--format=%s', `${from}..main`)
    .split('\n')
    .filter((line) => line !== '');
const tasks = ['Title of t1', 'Title of t2', 'Title of t3', 'By hand'];
const merged = tasks
  .slice(0, 3)
  .flatMap((title, index) => [title, `Merge r1.t${index + 1}: Make it better`])
  .concat('By hand');

const ways: readonly (readonly [AcceptWay, readonly string[], readonly string[]])[] = [
  ['merge', merged, ['meanwhile', ...merged, 'Merge r1: Make it better']],
  ['squash', ['Make it better'], ['meanwhile', 'Make it better']],
  ['squash-tasks', tasks, [...tasks, 'meanwhile', 'Merge r1: Make it better']],
  ['rebase', tasks, ['meanwhile', ...tasks]],
];

describe('the ways to accept a run', () => {
  for (const [way, still, moved] of ways) {
    it(`${way}: each thing is said once, the files are those that were shown, and the person's own edits stay`, async () => {
      await withRun(async (fixture) => {
        const {workspace, git, base, commit, root} = fixture;
        leaveEdits(fixture);
        const before = readUserState(fixture);
        const first = await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text});
        assert.ok('commit' in first, JSON.stringify(first));
        assert.deepEqual(subjects(fixture, base), still);
        assert.equal(git('rev-parse', 'main^{tree}'), git('rev-parse', `${commit}^{tree}`));
        assert.deepEqual(readUserState(fixture), before);
        assert.equal(contentUnder(root)['a.txt'], 'A\nagain\n');
        assert.deepEqual(
          await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text}),
          first,
          'again changes nothing',
        );
        assert.equal(git('rev-parse', 'main').trim(), first.commit);
      });
    });

    it(`${way} into a branch that moved: the same files as a merge gives`, async () => {
      await withRun(async (fixture) => {
        const {workspace, git, base, commit} = fixture;
        move(fixture);
        const whole = git('merge-tree', '--write-tree', 'main', commit).trim();
        const home = await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text});
        assert.ok('commit' in home, JSON.stringify(home));
        assert.deepEqual(subjects(fixture, base).toSorted(), [...moved].toSorted());
        if (way === 'rebase' || way === 'squash')
          assert.deepEqual(subjects(fixture, base), moved, 'in a line');
        assert.equal(git('rev-parse', 'main^{tree}').trim(), whole);
        // Commits of the person's afterwards do not make it come again.
        git('commit', '-q', '--allow-empty', '-m', 'after');
        const tip = git('rev-parse', 'main');
        await acceptIntoBranch(reopen(fixture.home, fixture.root), {
          branch: 'main',
          commit,
          at,
          way,
          text,
        });
        assert.equal(git('rev-parse', 'main'), tip);
      });
    });

    it(`${way} is refused where the person's edits or a conflict are in the way, and nothing is touched`, async () => {
      await withRun(async (fixture) => {
        const {workspace, git, write, commit, head} = fixture;
        write('a.txt', 'my own\n');
        const edited = await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text});
        assert.ok(
          'rejected' in edited && edited.rejected.includes('you have uncommitted changes in a.txt'),
          JSON.stringify(edited),
        );
        git('commit', '-qam', 'mine');
        const tip = head();
        const conflict = await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text});
        assert.ok(
          'rejected' in conflict && conflict.rejected.includes("conflict with the run's in a.txt"),
          JSON.stringify(conflict),
        );
        assert.deepEqual([head(), git('status', '--porcelain')], [tip, '']);
      });
    });
  }

  it("says in each commit what was done, what checked it, and where it comes from; somebody else's work stays theirs", async () => {
    await withRun(async ({workspace, git, commit}) => {
      await acceptIntoBranch(workspace, {branch: 'main', commit, at, way: 'rebase', text});
      assert.equal(
        git('log', '-1', '--format=%B', 'main~3').trimEnd(),
        'Title of t1\n\nBrief of t1.\n\nOrchestra-Run: r1\nOrchestra-Task: r1.t1\nOrchestra-Plan: p1\nOrchestra-Checks: test, lint',
      );
      assert.equal(
        git('log', '-1', '--format=%an %cn', 'main').trim(),
        `Grace ${git('log', '-1', '--format=%cn', 'main~1').trim()}`,
      );
    });
  });

  it('a rebase whose tasks do not go on top one by one is refused, though the whole would', async () => {
    await withRun(async (fixture) => {
      const {workspace, git, write, commit, head} = fixture;
      // The end that the run comes to: its first step conflicts with it.
      write('a.txt', 'A\nagain\n');
      git('commit', '-qam', 'the same by hand');
      const tip = head();
      const rejected = await acceptIntoBranch(workspace, {
        branch: 'main',
        commit,
        at,
        way: 'rebase',
        text,
      });
      assert.ok(
        'rejected' in rejected && rejected.rejected.includes('--merge or --squash'),
        JSON.stringify(rejected),
      );
      assert.equal(head(), tip);
      assert.ok(
        'commit' in
          (await acceptIntoBranch(workspace, {branch: 'main', commit, at, way: 'squash', text})),
      );
    });
  });

  it('a branch that is not there is made where the run began, in one step, and only when that is asked for', async () => {
    await withRun(async (fixture) => {
      const {workspace, git, base, commit} = fixture;
      const rejected = await acceptIntoBranch(workspace, {branch: 'feature', commit, at, text});
      assert.ok('rejected' in rejected && rejected.rejected.includes('There is no branch feature'));
      const home = await acceptIntoBranch(workspace, {
        branch: 'feature',
        commit,
        at,
        way: 'squash',
        text,
        start: base,
      });
      assert.ok('commit' in home);
      assert.equal(git('rev-parse', 'feature', 'feature^'), `${home.commit}\n${base}\n`);
      assert.equal(git('rev-parse', 'main').trim(), base, 'the branch that is checked out stays');
      assert.deepEqual(
        await acceptIntoBranch(workspace, {
          branch: 'feature',
          commit,
          at,
          way: 'squash',
          text,
          start: base,
        }),
        home,
      );
    });
  });

  for (const [way, seed] of [
    ['squash', 3],
    ['rebase', 5],
  ] as const) {
    it(
      `${way} is killed at any moment and taken up: it arrives once, and nothing of the person's is touched`,
      {timeout: 200_000},
      async () => {
        const {held, problems} = await sweepAccepts(5, createRandom(seed).next, way);
        assert.deepEqual([held, problems], [5, []]);
      },
    );
  }
});

describe('where a person put it themselves', () => {
  it('is found in any branch of theirs or in a checkout without one, never in ours', async () => {
    await withRun(async ({workspace, git, base, commit}) => {
      assert.equal(await findContaining(workspace, commit, 'orchestra'), undefined);
      git('switch', '-q', '--detach', base);
      git('merge', '-q', '--ff-only', 'orchestra/r1');
      assert.deepEqual(await findContaining(workspace, commit, 'orchestra'), {
        branch: null,
        commit,
      });
      git('switch', '-q', '-c', 'mine');
      assert.deepEqual(await findContaining(workspace, commit, 'orchestra'), {
        branch: 'mine',
        commit,
      });
    });
  });

  it("names of branches are git's and not ours", async () => {
    await withRun(async ({workspace}) => {
      for (const name of ['orchestra/r1', '-x', 'a..b', 'HEAD', 'a b', '', 'x.lock'])
        assert.ok((await findBranchNameProblem(workspace, name, 'orchestra')) !== undefined, name);
      for (const name of ['main', 'feature/x', 'é'])
        assert.equal(await findBranchNameProblem(workspace, name, 'orchestra'), undefined, name);
    });
  });
});

/** A key of the person's own, in what holds for all their repositories. */
function giveSshKey({home, gitIn}: TestRepository): void {
  const key = path.join(home, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const own = (...argv: readonly string[]): string =>
    gitIn(home, 'config', '--file', path.join(home, '.gitconfig'), ...argv);
  own('gpg.format', 'ssh');
  own('user.signingKey', `${key}.pub`);
  own('gpg.ssh.allowedSignersFile', path.join(home, 'signers'));
  writeFileSync(
    path.join(home, 'signers'),
    `* ${execFileSync('cat', [`${key}.pub`], {encoding: 'utf8'})}`,
  );
}

async function sign(fixture: Fixture, way: AcceptWay, from = fixture.base): Promise<string> {
  const {workspace, commit} = fixture;
  const signing = await readSigning(workspace);
  assert.ok('settings' in signing, JSON.stringify(signing));
  const landing = await planLanding(workspace, {
    from,
    branch: 'main',
    commit,
    way,
    at,
    text,
    isSigned: true,
  });
  assert.ok('steps' in landing);
  const made = await signLanding(workspace, landing, signing);
  assert.ok('signed' in made, JSON.stringify(made));
  return made.signed;
}

describe('signing what comes into a branch', () => {
  for (const [way, still] of ways) {
    it(`${way}: every commit that comes in has the person's signature, and nothing else is other than without`, async () => {
      await withRun(async (fixture) => {
        const {workspace, git, base, commit} = fixture;
        giveSshKey(fixture);
        const signed = await sign(fixture, way);
        const home = await acceptIntoBranch(workspace, {
          branch: 'main',
          commit,
          at,
          way,
          text,
          signed,
        });
        assert.ok('commit' in home, JSON.stringify(home));
        assert.deepEqual([home.commit, git('rev-parse', 'main').trim()], [signed, signed]);
        const states = git('log', '--format=%G?', `${base}..main`).trim().split('\n');
        assert.deepEqual(
          states,
          states.map(() => 'G'),
        );
        assert.deepEqual(subjects(fixture, base), still);
        assert.equal(git('rev-parse', 'main^{tree}'), git('rev-parse', `${commit}^{tree}`));
        assert.deepEqual(
          await acceptIntoBranch(workspace, {branch: 'main', commit, at, way, text, signed}),
          {...home, how: way},
        );
      });
    });
  }

  it('a branch that moved since is not given what was signed for another; nor is anything else taken in its place', async () => {
    await withRun(async (fixture) => {
      const {workspace, commit, head, git} = fixture;
      giveSshKey(fixture);
      const signed = await sign(fixture, 'squash');
      move(fixture);
      const tip = head();
      const late = await acceptIntoBranch(workspace, {
        branch: 'main',
        commit,
        at,
        way: 'squash',
        text,
        signed,
      });
      assert.ok(
        'rejected' in late &&
          late.rejected.includes('is based on a commit that your branch is no longer at'),
        JSON.stringify(late),
      );
      for (const wrong of [
        commit,
        git('commit-tree', `${commit}^{tree}`, '-p', tip, '-m', 'other').trim(),
      ]) {
        const rejected = await acceptIntoBranch(workspace, {
          branch: 'main',
          commit,
          at,
          way: 'squash',
          text,
          signed: wrong,
        });
        assert.ok(
          'rejected' in rejected && /has no signature|other parents/.test(rejected.rejected),
          JSON.stringify(rejected),
        );
      }

      const other = git(
        '-c',
        'gpg.format=ssh',
        '-c',
        `user.signingKey=${fixture.home}/key.pub`,
        'commit-tree',
        '-S',
        `${fixture.base}^{tree}`,
        '-p',
        tip,
        '-m',
        'other',
      ).trim();
      const rejection = await acceptIntoBranch(workspace, {
        branch: 'main',
        commit,
        at,
        way: 'squash',
        text,
        signed: other,
      });
      assert.ok(
        'rejected' in rejection &&
          rejection.rejected.includes('has a different content than the commit to sign'),
        JSON.stringify(rejection),
      );
      assert.equal(head(), tip);
    });
  });

  it('only what the person set for all their repositories counts: a program that the repository names is never run', async () => {
    await withRun(async (fixture) => {
      const {git, root, home} = fixture;
      giveSshKey(fixture);
      const trap = path.join(home, 'trap');
      writeFileSync(trap, `#!/bin/sh\ntouch ${home}/sprung\nexit 1\n`);
      chmodSync(trap, 0o755);
      for (const name of [
        'gpg.program',
        'gpg.ssh.program',
        'gpg.openpgp.program',
        'gpg.x509.program',
        'gpg.ssh.defaultKeyCommand',
      ])
        git('config', '--local', name, trap);
      git('config', '--local', 'gpg.format', 'openpgp');
      git('config', '--local', 'user.signingKey', 'nobody');
      const signed = await sign(fixture, 'squash');
      assert.equal(existsSync(path.join(home, 'sprung')), false);
      assert.match(
        git(
          '-c',
          'gpg.format=ssh',
          '-c',
          'gpg.ssh.program=ssh-keygen',
          'log',
          '-1',
          '--format=%G?',
          signed,
        ),
        /G/,
      );
      assert.ok(existsSync(root));
    });
  });

  it('without a key, with an unknown format or with a program that fails, words say so and nothing has changed', async () => {
    await withRun(async (fixture) => {
      const {workspace, git, gitIn, home, commit, base} = fixture;
      const own = (...argv: readonly string[]): string =>
        gitIn(home, 'config', '--file', path.join(home, '.gitconfig'), ...argv);
      git('config', '--local', 'user.signingKey', 'the repository says so');
      own('gpg.format', 'ssh');
      assert.match(
        JSON.stringify(await readSigning(workspace)),
        /is not set \(the configuration of the repository does not count\)/,
      );
      own('gpg.format', 'wax');
      assert.match(JSON.stringify(await readSigning(workspace)), /openpgp, ssh or x509, got/);
      own('gpg.format', 'ssh');
      own('user.signingKey', path.join(home, 'missing.pub'));
      const signing = await readSigning(workspace);
      const landing = await planLanding(workspace, {
        from: base,
        branch: 'main',
        commit,
        way: 'squash',
        at,
        text,
        isSigned: true,
      });
      assert.ok('settings' in signing && 'steps' in landing);
      assert.match(
        JSON.stringify(await signLanding(workspace, landing, signing)),
        /not signed, and nothing was changed/,
      );
      assert.equal(git('rev-parse', 'main').trim(), base);
    });
  });

  it('who signs what they commit is known, by the repository or for all of them, also by an include', async () => {
    await withRun(async ({workspace, git, gitIn, home}) => {
      assert.equal(await signsByDefault(workspace), false);
      git('config', '--local', 'commit.gpgSign', 'true');
      assert.equal(await signsByDefault(workspace), true);
      git('config', '--local', '--unset', 'commit.gpgSign');
      writeFileSync(path.join(home, 'work.gitconfig'), '[commit]\n\tgpgSign = yes\n');
      gitIn(
        home,
        'config',
        '--file',
        path.join(home, '.gitconfig'),
        'include.path',
        path.join(home, 'work.gitconfig'),
      );
      assert.equal(await signsByDefault(workspace), true);
    });
  });
});

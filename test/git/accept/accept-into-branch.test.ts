import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {acceptIntoBranch, recoverAccept} from '../../../source/git/index.ts';
import {createRandom} from '../../support/random.ts';
import {startHolder} from '../support/lock-holder.ts';
import {reopen, type TestRepository, withRepository} from '../support/repository.ts';
import {contentUnder, readUserState, leaveEdits, userFiles} from './user-edits.ts';
import {sweepAccepts} from './sweep.ts';

const at = 1_700_000_000_000;

type Fixture = TestRepository & {
  readonly base: string;
  /** A run's result on the base, made beside the checkout. */
  readonly run: (edit: (side: string) => void) => string;
};

async function withPerson(
  files: Readonly<Record<string, string>>,
  act: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  await withRepository(files, async (repository) => {
    const {git, gitIn, home} = repository;
    const side = path.join(home, 'side');
    const base = repository.head();
    await act({
      ...repository,
      base,
      run: (edit) => {
        git('worktree', 'add', '-q', '--detach', side, base);
        edit(side);
        gitIn(side, 'add', '-A');
        gitIn(side, 'commit', '-qm', 'the run');
        const commit = gitIn(side, 'rev-parse', 'HEAD').trim();
        git('worktree', 'remove', '--force', side);
        return commit;
      },
    });
  })();
}

function put(directory: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(directory, file)), {recursive: true});
  writeFileSync(path.join(directory, file), text);
}

describe('bringing a run home', () => {
  it('moves the checked-out branch and its files, and leaves all else of the person as it is', async () => {
    await withPerson(
      {
        ...userFiles,
        'shared/a.txt': 'a\n',
        'shared/gone/deep.txt': 'x\n',
        'shared/run.sh': 'x\n',
      },
      async (fixture) => {
        const {workspace, git, root, run, base} = fixture;
        const commit = run((side) => {
          put(side, 'shared/a.txt', 'A\n');
          rmSync(path.join(side, 'shared/gone'), {recursive: true});
          chmodSync(path.join(side, 'shared/run.sh'), 0o755);
          put(side, 'shared/new\nline', 'n\n');
          symlinkSync('a.txt', path.join(side, 'shared/link'));
        });
        leaveEdits(fixture);
        const before = readUserState(fixture);
        assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'main', commit, at}), {
          commit,
          how: 'fast-forward',
          from: base,
        });
        assert.deepEqual(readUserState(fixture), before);
        assert.equal(git('rev-parse', 'main', 'main@{1}'), `${commit}\n${base}\n`);
        const now = contentUnder(root);
        assert.deepEqual(
          [
            now['shared/a.txt'],
            now['shared/run.sh'],
            now['shared/new\nline'],
            now['shared/link'],
            existsSync(path.join(root, 'shared/gone')),
          ],
          ['A\n', 'x x\n', 'n\n', '-> a.txt', false],
        );
        assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'main', commit, at}), {
          commit,
          how: 'fast-forward',
          from: base,
        });
        assert.deepEqual(
          readdirSync(path.join(root, '.git')).filter((name) => /lock|orchestra/.test(name)),
          [],
        );
      },
    );
  });

  it('merges when the branch moved without conflict, and refuses with the paths when it conflicts', async () => {
    await withPerson(
      {'a.txt': 'a\n', 'b.txt': 'b\n'},
      async ({workspace, git, write, run, head}) => {
        const [good, bad] = [
          run((side) => {
            put(side, 'a.txt', 'A\n');
          }),
          run((side) => {
            put(side, 'b.txt', 'run\n');
          }),
        ];
        write('b.txt', 'person\n');
        git('commit', '-qam', 'meanwhile');
        const theirs = head();
        const home = await acceptIntoBranch(workspace, {branch: 'main', commit: good, at});
        assert.ok('commit' in home);
        assert.deepEqual(
          [home.how, git('rev-parse', 'main^1', 'main^2'), git('status', '--porcelain')],
          ['merge', `${theirs}\n${good}\n`, ''],
        );
        const rejected = await acceptIntoBranch(workspace, {branch: 'main', commit: bad, at});
        assert.ok('rejected' in rejected);
        assert.match(
          rejected.rejected,
          /conflict with the run's in b\.txt\. Nothing was changed\. Merge by hand: git -C \S+ merge [\da-f]{40}/,
        );
        assert.deepEqual([head(), git('status', '--porcelain')], [home.commit, '']);
      },
    );
  });

  it('moves a branch that is checked out nowhere, and one that is checked out in another worktree', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({workspace, git, gitIn, home, run, base}) => {
      const commit = run((side) => {
        put(side, 'a.txt', 'A\n');
      });
      git('switch', '-q', '--detach');
      assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'main', commit, at}), {
        commit,
        how: 'fast-forward',
        from: base,
      });
      assert.deepEqual([git('rev-parse', 'HEAD').trim(), git('status', '--porcelain')], [base, '']);
      git('branch', 'other', base);
      const second = path.join(home, 'second');
      git('worktree', 'add', '-q', second, 'other');
      assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'other', commit, at}), {
        commit,
        how: 'fast-forward',
        from: base,
      });
      assert.deepEqual(
        [gitIn(second, 'status', '--porcelain'), readFileSync(path.join(second, 'a.txt'), 'utf8')],
        ['', 'A\n'],
      );
    });
  });

  it('writes what a checkout writes: line ends by the attributes of the new commit', async () => {
    await withPerson({'a.txt': 'a\n', 'b.txt': 'b\n'}, async ({workspace, git, root, run}) => {
      const commit = run((side) => {
        put(side, '.gitattributes', '*.txt text eol=crlf\n');
        put(side, 'a.txt', 'one\r\ntwo\r\n');
      });
      assert.ok('commit' in (await acceptIntoBranch(workspace, {branch: 'main', commit, at})));
      assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one\r\ntwo\r\n');
      assert.equal(git('cat-file', 'blob', 'main:a.txt'), 'one\ntwo\n');
      assert.equal(git('diff', '--stat', '--', 'a.txt'), '');
    });
  });

  const refusals: Readonly<
    Record<
      string,
      {
        readonly prepare: (fixture: Fixture) => void;
        readonly text: RegExp;
        readonly run?: (side: string) => void;
      }
    >
  > = {
    'an edit in a file that changes': {
      prepare: ({write}) => {
        write('a.txt', 'mine\n');
      },
      text: /you have uncommitted changes in a\.txt/,
    },
    'a staged edit in a file that changes': {
      prepare: ({write, git}) => {
        write('a.txt', 'mine\n');
        git('add', 'a.txt');
      },
      text: /you have uncommitted changes in a\.txt/,
    },
    'an edit hidden by assume-unchanged': {
      prepare: ({write, git}) => {
        git('update-index', '--assume-unchanged', 'a.txt');
        write('a.txt', 'mine\n');
      },
      text: /the index hides some files/,
    },
    'an untracked file where one is added': {
      prepare: ({write}) => {
        write('new/x.txt', 'mine\n');
      },
      text: /untracked files would be overwritten \(new\/x\.txt\)\. Move them/,
    },
    'an ignored file where one is added': {
      prepare: ({write, git}) => {
        write('.git/info/exclude', 'new\n');
        write('new/x.txt', 'mine\n');
        git('status');
      },
      text: /untracked files would be overwritten \(new\/x\.txt\)/,
    },
    'a file where a directory is added': {
      prepare: ({write}) => {
        write('new', 'mine\n');
      },
      text: /untracked files would be overwritten \(new\)/,
    },
    'a directory of the person where a file is added': {
      prepare: ({write}) => {
        write('plain/mine.txt', 'mine\n');
      },
      text: /untracked files would be overwritten \(plain\/mine\.txt\)/,
    },
    'a link that leads elsewhere instead of a directory': {
      prepare: ({root, home}) => {
        mkdirSync(path.join(home, 'elsewhere'));
        symlinkSync(path.join(home, 'elsewhere'), path.join(root, 'new'));
      },
      text: /untracked files would be overwritten \(new\)/,
    },
    'a merge in progress': {
      prepare: ({git, write, base}) => {
        git('switch', '-qc', 'side', base);
        write('c.txt', 's\n');
        git('commit', '-qam', 's');
        git('switch', '-q', 'main');
        git('merge', '-q', '--no-ff', '--no-commit', 'side');
      },
      text: /a merge is in progress in/,
    },
    'a rebase in progress': {
      prepare: ({git, write}) => {
        write('c.txt', 'm\n');
        git('commit', '-qam', 'm');
        git('switch', '-qc', 'up', 'HEAD~1');
        write('c.txt', 'u\n');
        git('commit', '-qam', 'u');
        git('switch', '-q', 'main');
        assert.throws(() => git('rebase', '-q', 'up'));
      },
      text: /a rebase is in progress in/,
    },
    'a bisect in progress': {
      prepare: ({git}) => {
        git('bisect', 'start');
      },
      text: /a bisect is in progress in/,
    },
    'a cherry-pick in progress': {
      prepare: ({git, base}) => {
        git('update-ref', 'CHERRY_PICK_HEAD', base);
      },
      text: /a cherry-pick is in progress in/,
    },
    'a file that goes through LFS': {
      prepare: () => undefined,
      text: /go through a filter such as LFS \(big\.bin\)/,
      run: (side) => {
        put(side, '.gitattributes', '*.bin filter=lfs\n');
        put(side, 'big.bin', 'x\n');
      },
    },
    'a sparse checkout that files are added to': {
      prepare: ({git}) => {
        git('sparse-checkout', 'set', 'deep');
      },
      text: /sparse/,
    },
  };
  for (const [what, {prepare, text, run: edit}] of Object.entries(refusals)) {
    it(`refuses, with words, and touches nothing: ${what}`, async () => {
      await withPerson(
        {'a.txt': 'a\n', 'c.txt': 'c\n', 'deep/d.txt': 'd\n', 'other/o.txt': 'o\n'},
        async (fixture) => {
          const {workspace, git, root} = fixture;
          const commit = fixture.run(
            edit ??
              ((side) => {
                put(side, 'a.txt', 'A\n');
                put(side, 'new/x.txt', 'x\n');
                put(side, 'plain', 'p\n');
              }),
          );
          prepare(fixture);
          const before = [
            git('for-each-ref'),
            git('status', '--porcelain', '--ignored'),
            git('ls-files', '-s', '-v'),
            contentUnder(root),
          ];
          const home = await acceptIntoBranch(workspace, {branch: 'main', commit, at});
          assert.match('rejected' in home ? home.rejected : 'brought home', text);
          const refs = git('for-each-ref')
            .split('\n')
            .filter((line) => !line.includes('refs/orchestra/keep'))
            .join('\n');
          assert.deepEqual(
            [
              refs,
              git('status', '--porcelain', '--ignored'),
              git('ls-files', '-s', '-v'),
              contentUnder(root),
            ],
            before,
          );
          assert.deepEqual(
            [
              readdirSync(path.join(root, '.git')).filter((name) => /lock|orchestra/.test(name)),
              existsSync(path.join(workspace.private, 'home/intent.json')),
            ],
            [[], false],
          );
        },
      );
    });
  }

  it('refuses to change submodules', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({workspace, run, gitIn, base}) => {
      const commit = run((side) => {
        gitIn(side, 'update-index', '--add', '--cacheinfo', `160000,${base},module`);
        mkdirSync(path.join(side, 'module'));
      });
      const home = await acceptIntoBranch(workspace, {branch: 'main', commit, at});
      assert.match('rejected' in home ? home.rejected : '', /submodules change \(module\)/);
    });
  });

  it('waits for a lock of somebody else, and names its holder', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({base, workspace, root, run}) => {
      const commit = run((side) => {
        put(side, 'a.txt', 'A\n');
      });
      const lock = path.join(root, '.git/index.lock');
      writeFileSync(lock, '');
      const holder = await startHolder(root);
      const first = await acceptIntoBranch(workspace, {
        branch: 'main',
        commit,
        at,
        lockTimeoutMs: 300,
      });
      assert.match(
        'rejected' in first ? first.rejected : '',
        new RegExp(
          `index\\.lock is in the way: process ${holder.pid} \\(git cat-file --batch\\) may hold it`,
        ),
      );
      await holder.end();
      const second = await acceptIntoBranch(workspace, {
        branch: 'main',
        commit,
        at,
        lockTimeoutMs: 0,
      });
      assert.match(
        'rejected' in second ? second.rejected : '',
        /no git process seems to hold it\. If none runs, remove it: rm /,
      );
      assert.ok(existsSync(lock));
      const waiting = acceptIntoBranch(workspace, {branch: 'main', commit, at});
      setTimeout(() => {
        rmSync(lock);
      }, 100);
      assert.deepEqual(await waiting, {commit, how: 'fast-forward', from: base});
    });
  });

  it('takes up what was cut off, unless a person edited one of the files: then it stops and says so', async () => {
    await withPerson(
      {'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n'},
      async ({workspace, git, root, home, run, base, write}) => {
        const commit = run((side) => {
          for (const name of ['a', 'b', 'c', 'd'])
            put(side, `${name}.txt`, `${name.toUpperCase()} and more\n`);
        });
        const intent = {
          branch: 'main',
          from: base,
          to: commit,
          at: 'writing',
          checkout: {directory: root, gitDirectory: path.join(root, '.git')},
        };
        put(workspace.private, 'home/intent.json', JSON.stringify(intent));
        write('a.txt', 'A and more\n');
        write('b.txt', 'B and');
        rmSync(path.join(root, 'c.txt'));
        write('d.txt', 'an edit of mine\n');
        const stopped = await recoverAccept(reopen(home, root));
        assert.match(
          stopped?.rejected ?? '',
          /was interrupted, and d\.txt in .* has been edited since then\. Your edits are untouched/,
        );
        assert.deepEqual(
          [
            git('rev-parse', 'main').trim(),
            readFileSync(path.join(root, 'd.txt'), 'utf8'),
            existsSync(path.join(root, '.git/index.lock')),
          ],
          [base, 'an edit of mine\n', false],
        );
        git('checkout', base, '--', 'd.txt');
        assert.equal(await recoverAccept(reopen(home, root)), null);
        assert.deepEqual(
          [
            git('rev-parse', 'main').trim(),
            git('status', '--porcelain'),
            await recoverAccept(workspace),
          ],
          [commit, '', null],
        );
      },
    );
  });

  it('finishes the index when only that was interrupted, and stops when the person continued by themselves', async () => {
    await withPerson(
      {'a.txt': 'a\n', 'b.txt': 'b\n'},
      async ({workspace, git, root, run, base, write, head}) => {
        const commit = run((side) => {
          put(side, 'a.txt', 'A\n');
        });
        const intent = {
          branch: 'main',
          from: base,
          to: commit,
          at: 'writing',
          checkout: {directory: root, gitDirectory: path.join(root, '.git')},
        };
        put(workspace.private, 'home/intent.json', JSON.stringify(intent));
        write('a.txt', 'A\n');
        git('update-ref', 'refs/heads/main', commit);
        assert.equal(await recoverAccept(workspace), null);
        assert.equal(git('status', '--porcelain'), '');
        git('reset', '-q', '--hard', base);
        write('b.txt', 'mine\n');
        git('commit', '-qam', 'mine');
        const mine = head();
        put(workspace.private, 'home/intent.json', JSON.stringify(intent));
        write('a.txt', 'A\n');
        assert.match(
          (await recoverAccept(workspace))?.rejected ?? '',
          /the branch has moved since then\. Look at a\.txt/,
        );
        git('restore', 'a.txt');
        assert.equal(await recoverAccept(workspace), null);
        assert.deepEqual([head(), git('status', '--porcelain')], [mine, '']);
      },
    );
  });

  it('goes on taking back what was cut off while it was taken back, and leaves the edit that was the reason', async () => {
    await withPerson(
      {'a.txt': 'a\n', 'b.txt': 'b\n'},
      async ({workspace, git, root, run, base, write}) => {
        const commit = run((side) => {
          put(side, 'a.txt', 'A\n');
          put(side, 'b.txt', 'B\n');
          put(side, 'c.txt', 'C\n');
        });
        put(
          workspace.private,
          'home/intent.json',
          JSON.stringify({
            branch: 'main',
            from: base,
            to: commit,
            at: 'taking-back',
            checkout: {directory: root, gitDirectory: path.join(root, '.git')},
          }),
        );
        write('a.txt', 'A\n');
        write('b.txt', 'mine\n');
        write('c.txt', 'C\n');
        assert.equal(await recoverAccept(workspace), null);
        assert.deepEqual(
          [
            git('status', '--porcelain'),
            git('rev-parse', 'main').trim(),
            readFileSync(path.join(root, 'b.txt'), 'utf8'),
          ],
          [' M b.txt\n', base, 'mine\n'],
        );
      },
    );
  });

  it('removes locks that a kill of its own left on the branch, never older ones', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({workspace, git, root, run, base}) => {
      const commit = run((side) => {
        put(side, 'a.txt', 'A\n');
      });
      const locks = ['HEAD.lock', 'refs/heads/main.lock'].map((name) =>
        path.join(root, '.git', name),
      );
      put(
        workspace.private,
        'home/intent.json',
        JSON.stringify({
          branch: 'main',
          from: base,
          to: commit,
          at: 'writing',
          checkout: {directory: root, gitDirectory: path.join(root, '.git')},
        }),
      );
      for (const lock of locks) writeFileSync(lock, '');
      assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'main', commit, at}), {
        commit,
        how: 'fast-forward',
      });
      assert.deepEqual(
        [locks.map((lock) => existsSync(lock)), git('status', '--porcelain')],
        [[false, false], ''],
      );
      const foreign = locks[0]!;
      writeFileSync(foreign, '');
      utimesSync(foreign, 1000, 1000);
      const next = run((side) => {
        put(side, 'b.txt', 'b\n');
      });
      const rejected = await acceptIntoBranch(workspace, {branch: 'main', commit: next, at});
      assert.match(
        'rejected' in rejected ? rejected.rejected : '',
        /nothing was changed\. Expected .*HEAD\.lock to go away/,
      );
      assert.deepEqual(
        [
          git('status', '--porcelain'),
          existsSync(path.join(root, 'b.txt')),
          existsSync(path.join(root, '.git/index.lock')),
        ],
        ['', false, false],
      );
      rmSync(foreign);
      const home = await acceptIntoBranch(workspace, {branch: 'main', commit: next, at});
      assert.ok('commit' in home);
      assert.deepEqual(
        [git('rev-parse', 'main').trim(), git('status', '--porcelain')],
        [home.commit, ''],
      );
    });
  });

  it('killed when only its note was left to remove, it leaves no lock behind', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({workspace, git, root, run, base, home}) => {
      const commit = run((side) => {
        put(side, 'a.txt', 'A\n');
      });
      await acceptIntoBranch(workspace, {branch: 'main', commit, at});
      // As the kill leaves it: files, branch and index are there, and the note of what was to be
      // done as well.
      put(
        home,
        'private/home/intent.json',
        JSON.stringify({
          branch: 'main',
          from: base,
          to: commit,
          at: 'writing',
          checkout: {directory: root, gitDirectory: path.join(root, '.git')},
          since: at,
        }),
      );
      assert.equal(await recoverAccept(reopen(home, root)), null);
      assert.deepEqual(
        [
          existsSync(path.join(root, '.git/index.lock')),
          existsSync(path.join(home, 'private/home/intent.json')),
          git('status', '--porcelain'),
        ],
        [false, false, ''],
      );
    });
  });

  it("arrives after 15 kills at any moment, with the person's edits untouched", async () => {
    const {held, problems} = await sweepAccepts(15, createRandom(9).next);
    assert.deepEqual([held, problems], [15, []]);
  });
});

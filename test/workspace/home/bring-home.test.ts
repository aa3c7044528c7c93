import assert from 'node:assert/strict';
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
import path from 'node:path';
import {describe, it} from 'node:test';
import {bringHome, recoverHome} from '../../../source/workspace/index.ts';
import {createRandom} from '../../support/random.ts';
import {startHolder} from '../support/lock-holder.ts';
import {makeRepository, reopen, type TestRepository} from '../support/repository.ts';
import {contentUnder, leaveEdits, personsFiles, pictureOf} from './person.ts';
import {sweepHomecomings} from './sweep.ts';

const at = 1_700_000_000_000;

type Place = TestRepository & {
  readonly base: string;
  /** A run's result on the base, made beside the checkout. */
  readonly run: (edit: (side: string) => void) => string;
};

async function withPerson(
  files: Readonly<Record<string, string>>,
  act: (place: Place) => Promise<void>,
): Promise<void> {
  const repository = makeRepository(files);
  try {
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
  } finally {
    repository.remove();
  }
}

function put(directory: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(directory, file)), {recursive: true});
  writeFileSync(path.join(directory, file), text);
}

describe('bringing a run home', () => {
  it('moves the checked-out branch and its files, and leaves all else of the person as it is', async () => {
    await withPerson(
      {
        ...personsFiles,
        'shared/a.txt': 'a\n',
        'shared/gone/deep.txt': 'x\n',
        'shared/run.sh': 'x\n',
      },
      async (place) => {
        const {workspace, git, root, run, base} = place;
        const commit = run((side) => {
          put(side, 'shared/a.txt', 'A\n');
          rmSync(path.join(side, 'shared/gone'), {recursive: true});
          chmodSync(path.join(side, 'shared/run.sh'), 0o755);
          put(side, 'shared/new\nline', 'n\n');
          symlinkSync('a.txt', path.join(side, 'shared/link'));
        });
        leaveEdits(place);
        const before = pictureOf(place);
        assert.deepEqual(await bringHome(workspace, {branch: 'main', commit, at}), {
          commit,
          how: 'fast-forward',
        });
        assert.deepEqual(pictureOf(place), before);
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
        assert.deepEqual(await bringHome(workspace, {branch: 'main', commit, at}), {
          commit,
          how: 'fast-forward',
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
        const home = await bringHome(workspace, {branch: 'main', commit: good, at});
        assert.ok('commit' in home);
        assert.deepEqual(
          [home.how, git('rev-parse', 'main^1', 'main^2'), git('status', '--porcelain')],
          ['merge', `${theirs}\n${good}\n`, ''],
        );
        const refused = await bringHome(workspace, {branch: 'main', commit: bad, at});
        assert.ok('refused' in refused);
        assert.match(
          refused.refused,
          /conflict with the run's in b\.txt\. Nothing was touched\. Merge by hand: git -C \S+ merge [\da-f]{40}/,
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
      assert.deepEqual(await bringHome(workspace, {branch: 'main', commit, at}), {
        commit,
        how: 'fast-forward',
      });
      assert.deepEqual([git('rev-parse', 'HEAD').trim(), git('status', '--porcelain')], [base, '']);
      git('branch', 'other', base);
      const second = path.join(home, 'second');
      git('worktree', 'add', '-q', second, 'other');
      assert.deepEqual(await bringHome(workspace, {branch: 'other', commit, at}), {
        commit,
        how: 'fast-forward',
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
      assert.ok('commit' in (await bringHome(workspace, {branch: 'main', commit, at})));
      assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one\r\ntwo\r\n');
      assert.equal(git('cat-file', 'blob', 'main:a.txt'), 'one\ntwo\n');
      assert.equal(git('diff', '--stat', '--', 'a.txt'), '');
    });
  });

  const refusals: Readonly<
    Record<
      string,
      {
        readonly prepare: (place: Place) => void;
        readonly words: RegExp;
        readonly run?: (side: string) => void;
      }
    >
  > = {
    'an edit in a file that changes': {
      prepare: ({write}) => {
        write('a.txt', 'mine\n');
      },
      words: /you have edits of your own in a\.txt/,
    },
    'a staged edit in a file that changes': {
      prepare: ({write, git}) => {
        write('a.txt', 'mine\n');
        git('add', 'a.txt');
      },
      words: /edits of your own in a\.txt/,
    },
    'an edit hidden by assume-unchanged': {
      prepare: ({write, git}) => {
        git('update-index', '--assume-unchanged', 'a.txt');
        write('a.txt', 'mine\n');
      },
      words: /the index hides some files/,
    },
    'an untracked file where one is added': {
      prepare: ({write}) => {
        write('new/x.txt', 'mine\n');
      },
      words: /in the way \(new\/x\.txt\)\. Move them/,
    },
    'an ignored file where one is added': {
      prepare: ({write, git}) => {
        write('.git/info/exclude', 'new\n');
        write('new/x.txt', 'mine\n');
        git('status');
      },
      words: /in the way \(new\/x\.txt\)/,
    },
    'a file where a directory is added': {
      prepare: ({write}) => {
        write('new', 'mine\n');
      },
      words: /in the way \(new\)/,
    },
    'a directory of the person where a file is added': {
      prepare: ({write}) => {
        write('plain/mine.txt', 'mine\n');
      },
      words: /in the way \(plain\/mine\.txt\)/,
    },
    'a link that leads elsewhere instead of a directory': {
      prepare: ({root, home}) => {
        mkdirSync(path.join(home, 'elsewhere'));
        symlinkSync(path.join(home, 'elsewhere'), path.join(root, 'new'));
      },
      words: /in the way \(new\)/,
    },
    'a merge in progress': {
      prepare: ({git, write, base}) => {
        git('switch', '-qc', 'side', base);
        write('c.txt', 's\n');
        git('commit', '-qam', 's');
        git('switch', '-q', 'main');
        git('merge', '-q', '--no-ff', '--no-commit', 'side');
      },
      words: /a merge is going on in/,
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
      words: /a rebase is going on in/,
    },
    'a bisect in progress': {
      prepare: ({git}) => {
        git('bisect', 'start');
      },
      words: /a bisect is going on in/,
    },
    'a cherry-pick in progress': {
      prepare: ({git, base}) => {
        git('update-ref', 'CHERRY_PICK_HEAD', base);
      },
      words: /a cherry-pick is going on in/,
    },
    'a file that goes through LFS': {
      prepare: () => undefined,
      words: /go through a filter such as LFS \(big\.bin\)/,
      run: (side) => {
        put(side, '.gitattributes', '*.bin filter=lfs\n');
        put(side, 'big.bin', 'x\n');
      },
    },
    'a sparse checkout that files are added to': {
      prepare: ({git}) => {
        git('sparse-checkout', 'set', 'deep');
      },
      words: /sparse/,
    },
  };
  for (const [what, {prepare, words, run: edit}] of Object.entries(refusals)) {
    it(`refuses, with words, and touches nothing: ${what}`, async () => {
      await withPerson(
        {'a.txt': 'a\n', 'c.txt': 'c\n', 'deep/d.txt': 'd\n', 'other/o.txt': 'o\n'},
        async (place) => {
          const {workspace, git, root} = place;
          const commit = place.run(
            edit ??
              ((side) => {
                put(side, 'a.txt', 'A\n');
                put(side, 'new/x.txt', 'x\n');
                put(side, 'plain', 'p\n');
              }),
          );
          prepare(place);
          const before = [
            git('for-each-ref'),
            git('status', '--porcelain', '--ignored'),
            git('ls-files', '-s', '-v'),
            contentUnder(root),
          ];
          const home = await bringHome(workspace, {branch: 'main', commit, at});
          assert.match('refused' in home ? home.refused : 'brought home', words);
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
      const home = await bringHome(workspace, {branch: 'main', commit, at});
      assert.match('refused' in home ? home.refused : '', /submodules change \(module\)/);
    });
  });

  it('waits for a lock of somebody else, and names its holder', async () => {
    await withPerson({'a.txt': 'a\n'}, async ({workspace, root, run}) => {
      const commit = run((side) => {
        put(side, 'a.txt', 'A\n');
      });
      const lock = path.join(root, '.git/index.lock');
      writeFileSync(lock, '');
      const holder = await startHolder(root);
      const first = await bringHome(workspace, {branch: 'main', commit, at, patience: 300});
      assert.match(
        'refused' in first ? first.refused : '',
        new RegExp(
          `index\\.lock is in the way: process ${holder.pid} \\(git cat-file --batch\\) may hold it`,
        ),
      );
      await holder.end();
      const second = await bringHome(workspace, {branch: 'main', commit, at, patience: 0});
      assert.match(
        'refused' in second ? second.refused : '',
        /no git process is seen that holds it\. If none runs, remove it: rm /,
      );
      assert.ok(existsSync(lock));
      const waiting = bringHome(workspace, {branch: 'main', commit, at});
      setTimeout(() => {
        rmSync(lock);
      }, 100);
      assert.deepEqual(await waiting, {commit, how: 'fast-forward'});
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
        const stopped = await recoverHome(reopen(home, root));
        assert.match(
          stopped?.refused ?? '',
          /was cut off, and d\.txt in .* has been edited since then\. Your edits are untouched/,
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
        assert.equal(await recoverHome(reopen(home, root)), null);
        assert.deepEqual(
          [
            git('rev-parse', 'main').trim(),
            git('status', '--porcelain'),
            await recoverHome(workspace),
          ],
          [commit, '', null],
        );
      },
    );
  });

  it('brings the index after when only that was cut off, and lets go when the person went on by themselves', async () => {
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
        assert.equal(await recoverHome(workspace), null);
        assert.equal(git('status', '--porcelain'), '');
        git('reset', '-q', '--hard', base);
        write('b.txt', 'mine\n');
        git('commit', '-qam', 'mine');
        const mine = head();
        put(workspace.private, 'home/intent.json', JSON.stringify(intent));
        write('a.txt', 'A\n');
        assert.match(
          (await recoverHome(workspace))?.refused ?? '',
          /the branch has moved since then\. Look at a\.txt/,
        );
        git('restore', 'a.txt');
        assert.equal(await recoverHome(workspace), null);
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
        assert.equal(await recoverHome(workspace), null);
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
      assert.deepEqual(await bringHome(workspace, {branch: 'main', commit, at}), {
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
      const refused = await bringHome(workspace, {branch: 'main', commit: next, at});
      assert.match(
        'refused' in refused ? refused.refused : '',
        /everything is as before\. Expected .*HEAD\.lock to go away/,
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
      const home = await bringHome(workspace, {branch: 'main', commit: next, at});
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
      await bringHome(workspace, {branch: 'main', commit, at});
      // As the kill leaves it: files, branch and index are there, and the note of what was to be done as well.
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
      assert.equal(await recoverHome(reopen(home, root)), null);
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
    const {held, problems} = await sweepHomecomings(15, createRandom(9).next);
    assert.deepEqual([held, problems], [15, []]);
  });
});

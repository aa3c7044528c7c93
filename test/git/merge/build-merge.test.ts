import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {
  buildMerge,
  checkoutCandidate,
  computeDiff,
  ensureWorktree,
  forecastConflicts,
  publishMerge,
} from '../../../source/git/index.ts';
import {createRandom} from '../../support/random.ts';
import {type TestRepository, withRepository} from '../support/repository.ts';
import {sweepMerges} from './sweep.ts';

const branch = 'orchestra/r1';
const at = 1_700_000_000_000;
const message = 'merge\n';

type Fixture = TestRepository & {
  readonly base: string;
  /** Commits on the base and gives the commit; the checkout is as before. */ readonly commit: (
    edit: () => void,
  ) => string;
};

async function withTaskCommits(
  files: Readonly<Record<string, string>>,
  act: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  await withRepository(files, async (repository) => {
    const {git} = repository;
    const base = repository.head();
    await act({
      ...repository,
      base,
      commit: (edit) => {
        git('checkout', '-q', '--detach', base);
        edit();
        git('add', '-A');
        git('commit', '-qm', 'a task');
        const commit = repository.head();
        git('checkout', '-q', '-f', 'main');
        return commit;
      },
    });
  })();
}

describe('merging', () => {
  it('builds a commit of two parents beside every working tree, and publishes it in one step', async () => {
    await withTaskCommits(
      {'a.txt': 'a\n', 'b.txt': 'b\n'},
      async ({workspace, git, write, base, commit}) => {
        const [one, two] = [
          commit(() => {
            write('a.txt', 'A\n');
          }),
          commit(() => {
            write('b.txt', 'B\n');
          }),
        ];
        const first = await buildMerge(workspace, {onto: base, commit: one, message, at});
        assert.ok('candidate' in first);
        assert.deepEqual(
          await buildMerge(workspace, {onto: base, commit: one, message, at}),
          first,
        );
        assert.equal(
          git(
            'rev-parse',
            `${first.candidate}^1`,
            `${first.candidate}^2`,
            `${first.candidate}^{tree}`,
          ),
          `${base}\n${one}\n${first.tree}\n`,
        );
        assert.equal(
          await publishMerge(workspace, {branch, candidate: first.candidate, onto: base}),
          'published',
        );
        assert.equal(
          await publishMerge(workspace, {branch, candidate: first.candidate, onto: base}),
          'published',
        );
        const late = await buildMerge(workspace, {onto: base, commit: two, message, at});
        assert.ok('candidate' in late);
        git('gc', '-q', '--prune=now');
        assert.equal(
          await publishMerge(workspace, {branch, candidate: late.candidate, onto: base}),
          'outdated',
        );
        const second = await buildMerge(workspace, {
          onto: first.candidate,
          commit: two,
          message,
          at,
        });
        assert.ok('candidate' in second);
        assert.equal(
          await publishMerge(workspace, {
            branch,
            candidate: second.candidate,
            onto: first.candidate,
          }),
          'published',
        );
        assert.equal(
          await publishMerge(workspace, {branch, candidate: first.candidate, onto: base}),
          'published',
        );
        assert.deepEqual(
          await buildMerge(workspace, {onto: second.candidate, commit: one, message, at}),
          {candidate: second.candidate, tree: second.tree},
        );
        assert.deepEqual(
          [
            git('rev-parse', branch).trim(),
            git('status', '--porcelain'),
            git('rev-parse', 'main').trim(),
          ],
          [second.candidate, '', base],
        );
        assert.match(
          await computeDiff(workspace, {from: base, to: second.candidate, paths: ['b.txt']}),
          /^diff --git a\/b\.txt b\/b\.txt\nindex [\da-f.]+ 100644\n--- a\/b\.txt\n\+\+\+ b\/b\.txt\n@@ -1 \+1 @@\n-b\n\+B\n$/,
        );
      },
    );
  });

  it('shows conflicts with path, kind and hunks, and touches nothing', async () => {
    const files = {
      'a.txt': 'one\ntwo\nthree\n',
      'gone.txt': 'x\n',
      'picture.bin': '\0a',
      'moved.txt': 'm1\nm2\nm3\nm4\n',
      'odd\nname': 'x\n',
      type: 'x\n',
    };
    await withTaskCommits(files, async ({workspace, git, root, write, base, commit}) => {
      const one = commit(() => {
        write('a.txt', 'one\n2\nthree\n');
        write('gone.txt', 'y\n');
        write('picture.bin', '\0b');
        write('new.txt', 'mine\n');
        write('odd\nname', 'y\n');
        git('mv', 'moved.txt', 'left.txt');
        rmSync(path.join(root, 'type'));
        symlinkSync('a.txt', path.join(root, 'type'));
      });
      const two = commit(() => {
        write('a.txt', 'one\nzwei\nthree\n');
        rmSync(path.join(root, 'gone.txt'));
        write('picture.bin', '\0c');
        write('new.txt', 'yours\n');
        write('odd\nname', 'z\n');
        git('mv', 'moved.txt', 'right.txt');
        write('type', 'y\n');
        chmodSync(path.join(root, 'type'), 0o755);
      });
      const refs = git('for-each-ref');
      const built = await buildMerge(workspace, {onto: one, commit: two, message, at});
      assert.ok('conflicts' in built);
      assert.deepEqual(
        built.conflicts.map(({path: file, kind}) => [file.replace(/~.*/, '~'), kind]),
        [
          ['a.txt', 'content'],
          ['gone.txt', 'modify/delete'],
          ['left.txt', 'rename/rename'],
          ['moved.txt', 'rename/rename'],
          ['new.txt', 'add/add'],
          ['odd\nname', 'content'],
          ['picture.bin', 'binary'],
          ['right.txt', 'rename/rename'],
          ['type', 'distinct modes'],
          ['type~', 'distinct modes'],
        ],
      );
      assert.equal(
        built.conflicts[0]?.hunks,
        `line 2:\n<<<<<<< ${one}\n2\n=======\nzwei\n>>>>>>> ${two}`,
      );
      assert.deepEqual(
        [git('for-each-ref'), git('status', '--porcelain'), git('rev-parse', 'main').trim()],
        [refs, '', base],
      );
    });
  });

  it('cuts hunks at 4,000 characters', async () => {
    await withTaskCommits({'a.txt': 'x\n'}, async ({workspace, write, commit}) => {
      const built = await buildMerge(workspace, {
        onto: commit(() => {
          write('a.txt', 'a\n'.repeat(4000));
        }),
        commit: commit(() => {
          write('a.txt', 'b\n'.repeat(4000));
        }),
        message,
        at,
      });
      assert.ok('conflicts' in built);
      assert.deepEqual(
        [built.conflicts[0]?.hunks.length, built.conflicts[0]?.hunks.endsWith('… (cut)')],
        [4000, true],
      );
    });
  });

  it('does not move a branch under a checkout that is on it', async () => {
    await withTaskCommits({'a.txt': 'a\n'}, async ({workspace, git, write, base, commit}) => {
      const built = await buildMerge(workspace, {
        onto: base,
        commit: commit(() => {
          write('a.txt', 'b\n');
        }),
        message,
        at,
      });
      assert.ok('candidate' in built);
      git('switch', '-qc', branch);
      await assert.rejects(
        publishMerge(workspace, {branch, candidate: built.candidate, onto: base}),
        /checked out nowhere.*git switch --detach/,
      );
      git('switch', '-q', 'main');
      assert.equal(
        await publishMerge(workspace, {branch, candidate: built.candidate, onto: base}),
        'published',
      );
    });
  });

  it('gets past a lock that a killed call of ours left on the name that keeps a candidate', async () => {
    await withTaskCommits({'a.txt': 'a\n'}, async ({workspace, git, root, write, base, commit}) => {
      const command = {
        onto: base,
        commit: commit(() => {
          write('a.txt', 'b\n');
        }),
        message,
        at,
      };
      const built = await buildMerge(workspace, command);
      assert.ok('candidate' in built);
      const name = `refs/orchestra/keep/merges/${built.candidate}`;
      git('update-ref', '-d', name);
      const [mark, lock] = [
        path.join(workspace.private, 'marks/refs', name.replaceAll('/', '-')),
        path.join(root, '.git', `${name}.lock`),
      ];
      for (const file of [mark, lock]) {
        mkdirSync(path.dirname(file), {recursive: true});
        writeFileSync(file, '');
      }

      assert.deepEqual(await buildMerge(workspace, command), built);
      assert.deepEqual(
        [git('rev-parse', name).trim(), existsSync(lock), existsSync(mark)],
        [built.candidate, false, false],
      );
    });
  });

  it('lays a candidate out exactly, and keeps what git ignores', async () => {
    await withTaskCommits(
      {'a.txt': 'a\n', 'old.txt': 'old\n', '.gitignore': 'node_modules\n'},
      async ({workspace, gitIn, write, root, base, commit}) => {
        const {path: directory} = await ensureWorktree(workspace, {
          owner: 'r1.merge',
          branch: null,
          from: base,
          mayRebuild: true,
        });
        const next = commit(() => {
          write('a.txt', 'b\n');
          rmSync(path.join(root, 'old.txt'));
          write('new/x.txt', 'x\n');
        });
        mkdirSync(path.join(directory, 'node_modules'));
        writeFileSync(path.join(directory, 'node_modules/m.js'), '1\n');
        for (const target of [next, base, next]) {
          // What checks leave behind, and what they could do to hide it.
          gitIn(directory, 'update-index', '--assume-unchanged', '.gitignore');
          writeFileSync(path.join(directory, '.gitignore'), 'node_modules\nleft\n');
          writeFileSync(path.join(directory, 'left'), 'x');
          mkdirSync(path.join(directory, 'a.txt.d/deep'), {recursive: true});
          gitIn(directory, 'init', '-q', 'nested');
          writeFileSync(
            path.join(gitIn(directory, 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'),
            '',
          );
          await checkoutCandidate(workspace, {directory, commit: target});
          assert.deepEqual(
            [
              gitIn(directory, 'status', '--porcelain', '--ignored'),
              gitIn(directory, 'rev-parse', 'HEAD').trim(),
            ],
            ['!! node_modules/\n', target],
          );
          assert.equal(readFileSync(path.join(directory, '.gitignore'), 'utf8'), 'node_modules\n');
          assert.deepEqual(
            [
              existsSync(path.join(directory, 'old.txt')),
              existsSync(path.join(directory, 'nested')),
              existsSync(path.join(directory, 'a.txt.d')),
            ],
            [target === base, false, false],
          );
        }
      },
    );
  });

  it("forecasts which running tasks get into each other's way", async () => {
    await withTaskCommits(
      {'a.txt': 'a\n', 'b.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n'},
      async ({workspace, base, git, write, commit}) => {
        const edits: Readonly<Record<string, readonly [string, string]>> = {
          'r1.t1': ['a.txt', 'one\n'],
          'r1.t2': ['a.txt', 'two\n'],
          'r1.t3': ['b.txt', 'one\n2\n3\n4\n5\n6\n7\n8\n9\n'],
          'r1.t4': ['b.txt', '1\n2\n3\n4\n5\n6\n7\n8\nnine\n'],
        };
        const works = [];
        for (const [owner, [file, text]] of Object.entries(edits)) {
          const {path: directory} = await ensureWorktree(workspace, {
            owner,
            branch: `orchestra/${owner.replace('.', '-')}`,
            from: base,
            mayRebuild: true,
          });
          writeFileSync(path.join(directory, file), text);
          works.push({owner, directory, base});
        }

        const tree = git(
          'rev-parse',
          `${commit(() => {
            write('a.txt', 'three\n');
          })}^{tree}`,
        ).trim();
        const all = [...works, {owner: 'r1.t5', tree, base}];
        assert.deepEqual(await forecastConflicts(workspace, all), [
          {owners: ['r1.t1', 'r1.t2'], paths: ['a.txt']},
          {owners: ['r1.t1', 'r1.t5'], paths: ['a.txt']},
          {owners: ['r1.t2', 'r1.t5'], paths: ['a.txt']},
        ]);
        assert.equal((await forecastConflicts(workspace, all, 1)).length, 1);
      },
    );
  });

  it('comes to one merge after 15 kills at any moment', async () => {
    const {held, problems} = await sweepMerges(15, createRandom(8).next);
    assert.deepEqual([held, problems], [15, []]);
  });
});

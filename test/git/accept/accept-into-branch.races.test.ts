import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {acceptIntoBranch, type Workspace} from '../../../source/git/index.ts';
import {type TestRepository, withRepository} from '../support/repository.ts';

const at = 1_700_000_000_000;

/**
 * A workspace in which something happens just before git is called with a certain word for the n-th
 * time.
 */
function justBefore(
  workspace: Workspace,
  word: string,
  number: number,
  happens: () => void,
): Workspace {
  let count = 0;
  return {
    ...workspace,
    git: (directory, argv, call) => {
      if (argv.includes(word)) {
        count += 1;
        if (count === number) happens();
      }

      return workspace.git(directory, argv, call);
    },
  };
}

async function withRun(
  act: (
    place: TestRepository & {
      readonly base: string;
      readonly commit: string;
      readonly meanwhile: string;
    },
  ) => Promise<void>,
): Promise<void> {
  await withRepository(
    {'a.txt': 'a\n', 'b.txt': 'b\n', 'deep/c.txt': 'c\n'},
    async (repository) => {
      const {git, write} = repository;
      const base = repository.head();
      const made = (edit: () => void): string => {
        git('checkout', '-q', '--detach', base);
        edit();
        git('add', '-A');
        git('commit', '-qm', 'made');
        return repository.head();
      };
      const commit = made(() => {
        write('a.txt', 'A\n');
        write('new/n.txt', 'n\n');
        git('rm', '-q', 'deep/c.txt');
      });
      const meanwhile = made(() => {
        write('b.txt', 'B\n');
      });
      git('checkout', '-q', 'main');
      await act({...repository, base, commit, meanwhile});
    },
  )();
}

function leftovers({root, workspace}: TestRepository): readonly string[] {
  return [
    ...readdirSync(path.join(root, '.git')).filter((name) => /lock|orchestra/.test(name)),
    ...(existsSync(path.join(workspace.private, 'home/intent.json')) ? ['intent'] : []),
  ];
}

describe('bringing a run home while a person is at work', () => {
  it('takes everything back and merges when the branch moves in the last moment', async () => {
    await withRun(async (place) => {
      const {workspace, git, root, base, commit, meanwhile} = place;
      const racing = justBefore(workspace, 'orchestra: accept', 1, () => {
        git('update-ref', 'refs/heads/main', meanwhile, base);
      });
      const home = await acceptIntoBranch(racing, {branch: 'main', commit, at});
      assert.ok('commit' in home, JSON.stringify(home));
      assert.deepEqual(
        [home.how, git('rev-parse', 'main^1', 'main^2')],
        ['merge', `${meanwhile}\n${commit}\n`],
      );
      assert.deepEqual(
        [
          readFileSync(path.join(root, 'a.txt'), 'utf8'),
          readFileSync(path.join(root, 'new/n.txt'), 'utf8'),
          existsSync(path.join(root, 'deep')),
        ],
        ['A\n', 'n\n', false],
      );
      // Whoever moved the branch without the checkout left b.txt behind: that is not ours to put
      // right.
      assert.equal(git('status', '--porcelain'), 'M  b.txt\n');
      assert.deepEqual(leftovers(place), []);
    });
  });

  it('the same for a branch that is checked out nowhere', async () => {
    await withRun(async (place) => {
      const {workspace, git, base, commit, meanwhile} = place;
      git('checkout', '-q', '--detach');
      const racing = justBefore(workspace, 'orchestra: accept', 1, () => {
        git('update-ref', 'refs/heads/main', meanwhile, base);
      });
      const home = await acceptIntoBranch(racing, {branch: 'main', commit, at});
      assert.deepEqual(
        ['how' in home && home.how, git('rev-parse', 'main^1', 'main^2'), leftovers(place)],
        ['merge', `${meanwhile}\n${commit}\n`, []],
      );
    });
  });

  it('stops, with everything as before, when a file is saved after it was found free of edits', async () => {
    await withRun(async (place) => {
      const {workspace, git, root, base, commit} = place;
      for (const [file, text] of [
        ['a.txt', 'saved just now\n'],
        ['new/n.txt', 'made just now\n'],
        ['deep/c.txt', 'kept after all\n'],
      ] as const) {
        const racing = justBefore(workspace, 'checkout-index', 1, () => {
          mkdirSync(path.dirname(path.join(root, file)), {recursive: true});
          writeFileSync(path.join(root, file), text);
        });
        const home = await acceptIntoBranch(racing, {branch: 'main', commit, at});
        assert.match(
          'rejected' in home ? home.rejected : 'brought home',
          new RegExp(`you edited ${file} at this moment\\. Nothing was changed`),
        );
        assert.deepEqual(
          [
            readFileSync(path.join(root, file), 'utf8'),
            git('rev-parse', 'main').trim(),
            leftovers(place),
          ],
          [text, base, []],
        );
        assert.deepEqual(
          git('status', '--porcelain', '--untracked-files=all')
            .trim()
            .split('\n')
            .map((line) => line.trim().split(' ')[1]),
          [file],
        );
        git('clean', '-qfd');
        git('checkout', '-q', '-f', 'main');
      }

      assert.deepEqual(await acceptIntoBranch(workspace, {branch: 'main', commit, at}), {
        commit,
        from: base,
        how: 'fast-forward',
      });
      assert.equal(git('status', '--porcelain'), '');
    });
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {
  discardPrepared,
  ensureWorktree,
  preparedOwners,
  prepareWorktrees,
} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createRandom} from '../../support/random.ts';
import {countingLocks, startHolder} from '../support/lock-holder.ts';
import {reopen, withRepository} from '../support/repository.ts';
import {sweepMaking} from './sweep.ts';

const owner = 'r1.t3';
const branch = 'orchestra/r1-t3';

const files = {'readme.md': 'hello\n', 'source/one.txt': 'one\n'};

describe('a worktree', () => {
  it(
    'is made beside the repository, on its own branch, without tracking, locked against pruning',
    withRepository(files, async ({workspace, head, git, gitIn}) => {
      const made = await ensureWorktree(workspace, {owner, branch, from: 'main', mayRebuild: true});
      const place = path.join(workspace.worktrees, 'r1-t3');
      assert.deepEqual(made, {
        path: place,
        branch,
        commit: head(),
        tree: git('rev-parse', 'HEAD^{tree}').trim(),
      });
      assert.deepEqual(git('worktree', 'list', '--porcelain').split('\n\n')[1]?.split('\n'), [
        `worktree ${place}`,
        `HEAD ${head()}`,
        `branch refs/heads/${branch}`,
        'locked orchestra',
      ]);
      assert.equal(
        gitIn(place, 'status', '--porcelain=v2', '--branch').includes('upstream'),
        false,
      );
      assert.equal(readFileSync(path.join(place, 'source/one.txt'), 'utf8'), 'one\n');
      git('worktree', 'prune', '--expire', 'now');
      assert.deepEqual(
        await ensureWorktree(workspace, {owner, branch, from: 'main', mayRebuild: true}),
        made,
      );
      assert.deepEqual(
        await ensureWorktree(getReopened(workspace), {
          owner,
          branch,
          from: 'main',
          mayRebuild: false,
        }),
        made,
      );
    }),
  );

  it(
    'has no branch when none is asked for',
    withRepository(files, async ({workspace, head, gitIn}) => {
      const made = await ensureWorktree(workspace, {
        owner: 'r1.plan',
        branch: null,
        from: 'HEAD',
        mayRebuild: true,
      });
      assert.equal(made.branch, null);
      assert.equal(gitIn(made.path, 'rev-parse', '--symbolic-full-name', 'HEAD').trim(), 'HEAD');
      assert.equal(gitIn(made.path, 'rev-parse', 'HEAD').trim(), head());
    }),
  );

  it(
    'never takes a place where something is, be it empty, foreign or a link',
    withRepository(files, async ({workspace, home}) => {
      mkdirSync(path.join(workspace.worktrees, 'r1-t3'), {recursive: true});
      mkdirSync(path.join(workspace.worktrees, 'r1-t3-2'));
      writeFileSync(path.join(workspace.worktrees, 'r1-t3-2', 'mine'), 'mine');
      mkdirSync(path.join(home, 'elsewhere'));
      symlinkSync(path.join(home, 'elsewhere'), path.join(workspace.worktrees, 'r1-t3-3'));
      symlinkSync(path.join(home, 'nowhere'), path.join(workspace.worktrees, 'r1-t3-4'));
      const made = await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      assert.equal(made.path, path.join(workspace.worktrees, 'r1-t3-5'));
      assert.deepEqual(
        await ensureWorktree(getReopened(workspace), {
          owner,
          branch,
          from: 'HEAD',
          mayRebuild: true,
        }),
        made,
      );
      assert.deepEqual(
        [
          readdirSync(path.join(workspace.worktrees, 'r1-t3')),
          readdirSync(path.join(workspace.worktrees, 'r1-t3-2')),
          readdirSync(path.join(home, 'elsewhere')),
        ],
        [[], ['mine'], []],
      );
    }),
  );

  it(
    'refuses when the directory for worktrees is a link',
    withRepository(files, async ({workspace, home}) => {
      mkdirSync(path.join(home, 'elsewhere'));
      symlinkSync(path.join(home, 'elsewhere'), workspace.worktrees);
      await assert.rejects(
        ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true}),
        /to be a directory, but it is a link or a file/,
      );
    }),
  );

  it(
    'leaves a branch that somebody has to them, and goes around names that git cannot have beside theirs',
    withRepository(files, async ({workspace, git}) => {
      git('branch', branch);
      assert.equal(
        (await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true})).branch,
        `${branch}-2`,
      );
      git('branch', 'other');
      assert.equal(
        (
          await ensureWorktree(workspace, {
            owner: 'r1.t4',
            branch: 'other/r1-t4',
            from: 'HEAD',
            mayRebuild: true,
          })
        ).branch,
        'other-2/r1-t4',
      );
      git('branch', 'deep/r1-t5/x');
      assert.equal(
        (
          await ensureWorktree(workspace, {
            owner: 'r1.t5',
            branch: 'deep/r1-t5',
            from: 'HEAD',
            mayRebuild: true,
          })
        ).branch,
        'deep/r1-t5-2',
      );
      git('branch', 'ORCHESTRA/R1-T6');
      assert.equal(
        (
          await ensureWorktree(workspace, {
            owner: 'r1.t6',
            branch: 'orchestra/r1-t6',
            from: 'HEAD',
            mayRebuild: true,
          })
        ).branch,
        'orchestra/r1-t6-2',
      );
    }),
  );

  it(
    'is made anew when somebody removed it before anyone worked in it, with the branch it had',
    withRepository(files, async ({workspace, git}) => {
      const made = await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      rmSync(made.path, {recursive: true});
      assert.deepEqual(
        await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true}),
        made,
      );
      git('worktree', 'remove', '--force', '--force', made.path);
      git('branch', '-D', branch);
      assert.deepEqual(
        await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true}),
        made,
      );
      assert.equal(git('worktree', 'list').trim().split('\n').length, 2);
    }),
  );

  it(
    'is left to whoever committed in it, and another one is made',
    withRepository(files, async ({workspace, gitIn}) => {
      const made = await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      gitIn(made.path, 'commit', '-q', '--allow-empty', '-m', 'mine');
      const other = await ensureWorktree(workspace, {
        owner,
        branch,
        from: made.commit,
        mayRebuild: true,
      });
      assert.deepEqual([other.path, other.branch], [`${made.path}-2`, `${branch}-2`]);
      assert.equal(gitIn(made.path, 'log', '-1', '--format=%s').trim(), 'mine');
    }),
  );

  it(
    'whose files are gone after somebody worked in it is said to be gone, not made anew',
    withRepository(files, async ({workspace, git}) => {
      const made = await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      writeFileSync(path.join(made.path, 'work'), 'work');
      const used = {owner, branch, from: made.commit, mayRebuild: false};
      assert.deepEqual(await ensureWorktree(workspace, used), made);
      rmSync(path.join(made.path, '.git'));
      assert.deepEqual(await ensureWorktree(workspace, used), made);
      assert.equal(existsSync(path.join(made.path, '.git')), true);
      assert.equal(readFileSync(path.join(made.path, 'work'), 'utf8'), 'work');
      writeFileSync(
        path.join(
          workspace.commonDirectory,
          'worktrees',
          readdirSync(path.join(workspace.commonDirectory, 'worktrees'))[0]!,
          'index.lock',
        ),
        '',
      );
      assert.deepEqual(await ensureWorktree(workspace, used), made);
      git('worktree', 'unlock', made.path);
      git('worktree', 'remove', '--force', made.path);
      await assert.rejects(
        ensureWorktree(workspace, used),
        /nothing is there: somebody has removed or moved it/,
      );
      mkdirSync(made.path);
      writeFileSync(path.join(made.path, 'work'), 'work');
      await assert.rejects(ensureWorktree(workspace, used), /git no longer knows it as a worktree/);
      assert.equal(readFileSync(path.join(made.path, 'work'), 'utf8'), 'work');
    }),
  );

  it(
    'waits for the git of somebody else that holds a lock, and removes no lock that is not its own',
    withRepository(files, async ({workspace, root}) => {
      const lock = path.join(root, '.git', 'refs', 'heads', 'orchestra', 'r1-t3.lock');
      mkdirSync(path.dirname(lock), {recursive: true});
      writeFileSync(lock, '');
      const holder = await startHolder(root);
      const counting = countingLocks(workspace);
      const made = ensureWorktree(counting.workspace, {
        owner,
        branch,
        from: 'HEAD',
        mayRebuild: true,
      });
      await eventually(
        'it has met the lock, let it be, and met it again',
        () => counting.met() >= 2,
      );
      rmSync(lock);
      assert.equal((await made).branch, branch);
      await holder.end();
    }),
  );

  it(
    'takes away its own lock after a crash',
    withRepository(files, async ({workspace, root}) => {
      await prepareWorktrees(workspace, [{owner, from: 'HEAD'}]);
      const lock = path.join(root, '.git', 'refs', 'heads', 'orchestra', 'r1-t3.lock');
      mkdirSync(path.dirname(lock), {recursive: true});
      writeFileSync(lock, '');
      assert.equal(
        (await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true})).branch,
        branch,
      );
      assert.equal(existsSync(lock), false);
    }),
  );

  it(
    'that was made ahead is only moved, and goes when it is not wanted or was made from something else',
    withRepository(files, async ({workspace, git, head, home, gitIn}) => {
      await prepareWorktrees(
        workspace,
        ['r1.t1', 'r1.t2', 'r1.t3'].map((one) => ({owner: one, from: 'HEAD'})),
      );
      assert.deepEqual([...preparedOwners(workspace)].sort(), ['r1.t1', 'r1.t2', 'r1.t3']);
      assert.equal(existsSync(workspace.worktrees), false);
      const staged = readdirSync(path.join(home, 'private', 'making')).find((name) =>
        name.startsWith('r1-t1-'),
      )!;
      const before = lstatSync(path.join(home, 'private', 'making', staged, 'readme.md'), {
        bigint: true,
      }).ino;
      const made = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      assert.equal(lstatSync(path.join(made.path, 'readme.md'), {bigint: true}).ino, before);
      assert.equal(
        gitIn(made.path, 'status', '--porcelain', '--branch').trim(),
        '## orchestra/r1-t1',
      );
      git('commit', '-q', '--allow-empty', '-m', 'next');
      const other = await ensureWorktree(workspace, {
        owner: 'r1.t2',
        branch: 'orchestra/r1-t2',
        from: 'HEAD',
        mayRebuild: true,
      });
      assert.equal(gitIn(other.path, 'rev-parse', 'HEAD').trim(), head());
      await discardPrepared(workspace, ['r1.t1', 'r1.t2', 'r1.t3']);
      assert.deepEqual(preparedOwners(workspace), []);
      assert.deepEqual(readdirSync(path.join(home, 'private', 'making')), []);
      assert.equal(git('worktree', 'list').trim().split('\n').length, 3);
      await prepareWorktrees(workspace, [{owner: 'r1.t1', from: 'HEAD'}]);
      assert.equal(existsSync(made.path), true);
    }),
  );

  it(
    'is made for each of thirty who ask at once',
    withRepository(files, async ({workspace, git}) => {
      const owners = Array.from({length: 30}, (_, index) => `r1.t${index + 1}`);
      const made = await Promise.all(
        owners.map((one) =>
          ensureWorktree(workspace, {
            owner: one,
            branch: `orchestra/${one.replace('.', '-')}`,
            from: 'HEAD',
            mayRebuild: true,
          }),
        ),
      );
      assert.equal(new Set(made.map(({path: place}) => place)).size, 30);
      assert.equal(git('worktree', 'list').trim().split('\n').length, 31);
      assert.equal(git('for-each-ref', 'refs/heads/orchestra').trim().split('\n').length, 30);
    }),
  );

  it(
    'for an owner that asks twice at once is one',
    withRepository(files, async ({workspace, git}) => {
      const ask = (): Promise<unknown> =>
        ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      const [one, other] = await Promise.all([
        ask(),
        ask(),
        prepareWorktrees(workspace, [{owner, from: 'HEAD'}]),
      ]);
      assert.deepEqual(one, other);
      assert.equal(git('worktree', 'list').trim().split('\n').length, 2);
    }),
  );

  it(
    'is sparse like the checkout it comes from',
    withRepository(files, async ({workspace, git}) => {
      git('sparse-checkout', 'set', 'docs');
      const made = await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true});
      assert.deepEqual(readdirSync(made.path).sort(), ['.git', 'readme.md']);
    }),
  );

  it('is as if nothing had happened after kill -9 at any moment', async () => {
    const {next} = createRandom('making');
    const {tried, held, problems} = await sweepMaking(15, next);
    assert.deepEqual([tried, held, problems], [15, 15, []]);
  });
});

function getReopened({
  root,
  home,
}: {
  readonly root: string;
  readonly home: string | null;
}): ReturnType<typeof reopen> {
  return reopen(home ?? '', root);
}

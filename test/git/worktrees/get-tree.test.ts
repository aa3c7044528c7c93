import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {changedSince, ensureWorktree, hashTree, readHeadCommit} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';
import {makeRepository, type TestRepository, withWorktree} from '../support/repository.ts';

const files = {
  'readme.md': 'hello\n',
  '.gitignore': 'build/\n',
  'docs/a.md': 'a\n',
  'deep/b': 'b\n',
};

/** A detached worktree, as that of a planner. */
function withPlanWorktree(
  act: (repository: TestRepository, place: string, tree: string) => Promise<void>,
): () => Promise<void> {
  return withWorktree(files, (repository, {path: place, tree}) => act(repository, place, tree), {
    owner: 'r1.plan',
    branch: null,
  });
}

describe('the hash of a worktree', () => {
  it(
    'is that of the commit while nothing was written, and names what was',
    withPlanWorktree(async ({workspace}, place, tree) => {
      assert.equal(await hashTree(workspace, place), tree);
      mkdirSync(path.join(place, 'build'));
      writeFileSync(path.join(place, 'build/x'), 'ignored');
      assert.deepEqual(await changedSince(workspace, place, tree), []);
      writeFileSync(path.join(place, 'new ü.txt'), 'new');
      rmSync(path.join(place, 'docs/a.md'));
      chmodSync(path.join(place, 'readme.md'), 0o755);
      symlinkSync('/etc/passwd', path.join(place, 'link'));
      assert.deepEqual(await changedSince(workspace, place, tree), [
        'docs/a.md',
        'link',
        'new ü.txt',
        'readme.md',
      ]);
      assert.deepEqual(readdirSync(path.join(workspace.private, 'index')), ['r1-plan']);
    }),
  );

  it(
    'sees what was written in the second in which it looked last, and has the size that it had',
    withPlanWorktree(async ({workspace}, place) => {
      const file = path.join(place, 'readme.md');
      const getSecond = (): number => Math.floor(statSync(file).ctimeMs / 1000);
      const seen = await eventually('both were written in one second', async () => {
        writeFileSync(file, 'first\n');
        const second = getSecond();
        const tree = await hashTree(workspace, place);
        writeFileSync(file, 'other\n');
        return getSecond() === second ? {tree, second} : undefined;
      });
      await eventually('the next second', () => Math.floor(Date.now() / 1000) > seen.second);
      assert.notEqual(await hashTree(workspace, place), seen.tree);
    }),
  );

  it(
    'sees a file through flags in the index of whoever works there, and does not touch that index',
    withPlanWorktree(async ({workspace, gitIn}, place, tree) => {
      gitIn(place, 'update-index', '--assume-unchanged', 'readme.md');
      gitIn(place, 'update-index', '--skip-worktree', 'deep/b');
      writeFileSync(path.join(place, 'readme.md'), 'HELLO\n');
      writeFileSync(path.join(place, 'deep/b'), 'B\n');
      writeFileSync(path.join(place, 'staged'), 'staged\n');
      gitIn(place, 'add', 'staged');
      const before = gitIn(place, 'ls-files', '-v', '-s');
      assert.deepEqual(await changedSince(workspace, place, tree), [
        'deep/b',
        'readme.md',
        'staged',
      ]);
      assert.equal(gitIn(place, 'ls-files', '-v', '-s'), before);
    }),
  );

  it(
    'counts the commits that were made in it, and works without its .git file',
    withPlanWorktree(async ({workspace, gitIn}, place, tree) => {
      writeFileSync(path.join(place, 'mine'), 'mine');
      gitIn(place, 'add', '-A');
      gitIn(place, 'commit', '-q', '-m', 'mine');
      assert.equal(
        await readHeadCommit(workspace, place),
        gitIn(place, 'rev-parse', 'HEAD').trim(),
      );
      rmSync(path.join(place, '.git'));
      assert.deepEqual(await changedSince(workspace, place, tree), ['mine']);
    }),
  );

  it('leaves a submodule that is not filled as it is', async () => {
    const repository = makeRepository();
    try {
      const {git, gitIn, workspace, home} = repository;
      const other = path.join(home, 'other');
      gitIn(home, 'init', '-q', other);
      gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'x');
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
      git('commit', '-q', '-m', 'sub');
      const {path: place, tree} = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      assert.equal(await hashTree(workspace, place), tree);
      assert.equal(await hashTree(workspace, place), tree);
      rmSync(path.join(place, 'sub'), {recursive: true});
      assert.deepEqual(await changedSince(workspace, place, tree), ['sub']);
    } finally {
      repository.remove();
    }
  });

  it('leaves what a sparse checkout leaves out, and sees what is written there', async () => {
    const repository = makeRepository({'readme.md': 'x\n', 'a/one': '1\n', 'b/two': '2\n'});
    try {
      const {git, workspace} = repository;
      git('config', 'core.splitIndex', 'true');
      git('sparse-checkout', 'set', '--sparse-index', 'a');
      const {path: place, tree} = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      assert.deepEqual(readdirSync(place).sort(), ['.git', 'a', 'readme.md']);
      assert.equal(await hashTree(workspace, place), tree);
      mkdirSync(path.join(place, 'b'));
      writeFileSync(path.join(place, 'b/new'), 'new\n');
      writeFileSync(path.join(place, 'b/two'), 'another\n');
      assert.deepEqual(await changedSince(workspace, place, tree), ['b/new', 'b/two']);
    } finally {
      repository.remove();
    }
  });
});

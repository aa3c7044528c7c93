import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {readRemovedTip, removeWorktree, restoreWorktree} from '../../../source/git/index.ts';
import {withWorktree} from '../support/repository.ts';

const owner = 'r1.t1';
const branch = 'orchestra/r1-t1';
const files = {'readme.md': 'hello\n', '.gitignore': 'build/\n', 'source/one.txt': 'one\n'};

describe('a removed worktree', () => {
  it(
    'comes back with its branch at its tip, and its content on top',
    withWorktree(files, async ({workspace, git, gitIn}, made) => {
      writeFileSync(path.join(made.path, 'source/one.txt'), 'committed\n');
      gitIn(made.path, 'commit', '-qam', 'work');
      const tip = gitIn(made.path, 'rev-parse', 'HEAD').trim();
      writeFileSync(path.join(made.path, 'source/one.txt'), 'edited\n');
      writeFileSync(path.join(made.path, 'new.txt'), 'new\n');
      rmSync(path.join(made.path, 'readme.md'));
      const {backup} = await removeWorktree(workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
      });
      assert.ok(backup !== null && !existsSync(made.path));
      assert.equal(readRemovedTip(workspace, owner), tip);
      const options = {owner, branch, tip, kept: backup};
      const back = await restoreWorktree(workspace, options);
      // After a crash it is done again.
      assert.deepEqual(await restoreWorktree(workspace, options), back);
      assert.equal(back.branch, branch);
      assert.equal(git('rev-parse', branch).trim(), tip);
      assert.equal(readFileSync(path.join(back.path, 'source/one.txt'), 'utf8'), 'edited\n');
      assert.deepEqual(
        gitIn(back.path, 'status', '--porcelain')
          .trim()
          .split('\n')
          .map((line) => line.trim()),
        ['D readme.md', 'M source/one.txt', '?? new.txt'],
      );
    }),
  );

  it(
    'that had nothing of its own is made from its base',
    withWorktree(files, async ({workspace, gitIn}, made) => {
      await removeWorktree(workspace, {owner, path: made.path, branch, base: made.commit});
      const back = await restoreWorktree(workspace, {owner, branch, tip: made.commit, kept: null});
      assert.equal(gitIn(back.path, 'status', '--porcelain'), '');
    }),
  );

  it(
    'is not made without its content',
    withWorktree(files, async ({workspace}, made) => {
      await removeWorktree(workspace, {owner, path: made.path, branch, base: made.commit});
      await assert.rejects(
        restoreWorktree(workspace, {owner, branch, tip: made.commit, kept: 'refs/gone'}),
        /Expected "refs\/gone" to be a commit/,
      );
      assert.ok(!existsSync(made.path));
    }),
  );
});

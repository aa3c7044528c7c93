import assert from 'node:assert/strict';
import {test} from 'node:test';
import {gitPathsFor} from '../../source/sandbox/index.ts';

const place = {commonDirectory: '/r/.git', worktreeAdmin: '/r/.git/worktrees/r1-t3', worktree: '/r.worktrees/r1-t3', branch: 'orchestra/r1/t3'};

test('a worktree on its branch', () => {
  assert.deepEqual(gitPathsFor({...place, siblings: ['orchestra/r1/t2', 'orchestra/r1/t3']}), {
    writable: ['/r/.git/objects', '/r/.git/worktrees/r1-t3', '/r/.git/refs/heads/orchestra/r1', '/r/.git/logs/refs/heads/orchestra/r1'],
    readOnly: [
      '/r/.git',
      '/r/.git/objects/pack',
      '/r/.git/objects/info',
      '/r/.git/refs/heads/orchestra/r1/t2',
      '/r/.git/logs/refs/heads/orchestra/r1/t2',
      '/r/.git/worktrees/r1-t3/HEAD',
    ],
    sealed: ['/r.worktrees/r1-t3/.git', '/r/.git/worktrees/r1-t3/commondir', '/r/.git/worktrees/r1-t3/gitdir', '/r/.git/worktrees/r1-t3/config.worktree'],
    directories: ['/r/.git/refs/heads/orchestra/r1', '/r/.git/logs/refs/heads/orchestra/r1'],
  });
});

test('a detached worktree needs no reference of the repository, and moves its own HEAD', () => {
  const {writable, readOnly, directories} = gitPathsFor({...place, branch: null});
  assert.deepEqual({writable, readOnly, directories}, {
    writable: ['/r/.git/objects', '/r/.git/worktrees/r1-t3'],
    readOnly: ['/r/.git', '/r/.git/objects/pack', '/r/.git/objects/info'],
    directories: [],
  });
});

for (const branch of ['main', '', '/main', 'orchestra/', '../../hooks/x', 'a/../b', './a']) {
  test(`a branch that is not in a directory of its own is refused: ${JSON.stringify(branch)}`, () => {
    assert.throws(() => gitPathsFor({...place, branch}), /expected a branch in a directory of our own/);
  });
}

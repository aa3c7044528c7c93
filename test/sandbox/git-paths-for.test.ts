import assert from 'node:assert/strict';
import {test} from 'node:test';
import {gitPathsFor} from '../../source/sandbox/index.ts';

const place = {
  commonDirectory: '/r/.git',
  worktreeAdmin: '/r/.git/worktrees/r1-t3',
  worktree: '/r.worktrees/r1-t3',
  branch: 'orchestra/r1/t3',
  view: '/s/views/r1-t3',
};

test('a worktree on its branch: objects, index, HEAD and branch are its own, the repository is read-only', () => {
  assert.deepEqual(gitPathsFor(place), {
    bound: [
      {path: '/r/.git/objects', from: '/s/views/r1-t3/objects', isWritable: true},
      {path: '/r/.git/objects/info', from: '/s/views/r1-t3/info', isWritable: false},
      {path: '/r/.git/objects/repository', from: '/r/.git/objects', isWritable: false},
      {path: '/r/.git/worktrees/r1-t3', from: '/s/views/r1-t3/admin', isWritable: true},
      {path: '/r/.git/refs/heads/orchestra/r1', from: '/s/views/r1-t3/refs', isWritable: true},
      {path: '/r/.git/logs/refs/heads/orchestra/r1', from: '/s/views/r1-t3/logs', isWritable: true},
    ],
    readOnly: ['/r/.git'],
    sealed: ['/r.worktrees/r1-t3/.git'],
    directories: ['/r/.git/refs/heads/orchestra/r1', '/r/.git/logs/refs/heads/orchestra/r1'],
  });
});

test('a detached worktree has no branch of its own', () => {
  const {bound, directories} = gitPathsFor({...place, branch: null});
  assert.deepEqual(
    [bound.map(({path}) => path), directories],
    [
      [
        '/r/.git/objects',
        '/r/.git/objects/info',
        '/r/.git/objects/repository',
        '/r/.git/worktrees/r1-t3',
      ],
      [],
    ],
  );
});

for (const branch of ['main', '', '/main', 'orchestra/', '../../hooks/x', 'a/../b', './a']) {
  test(`a branch that is not in a directory of its own is refused: ${JSON.stringify(branch)}`, () => {
    assert.throws(
      () => gitPathsFor({...place, branch}),
      /expected a branch in a directory of our own/,
    );
  });
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {ensureWorktree, narrowWorktrees, provisionWorktree} from '../../../source/git/index.ts';
import {permittedIn, permittedLike} from '../../../source/git/worktrees/permissions.ts';
import {reopen, type TestRepository, withRepository} from '../support/repository.ts';

const command = {owner: 'r1.t1', branch: 'orchestra/r1-t1', from: 'HEAD', mayRebuild: true};

/** With the usual umask. */
function withUmask(
  files: Readonly<Record<string, string>>,
  act: (repository: TestRepository) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const before = process.umask(0o022);
    try {
      await withRepository({'readme.md': 'hello\n', ...files}, act)();
    } finally {
      process.umask(before);
    }
  };
}

function getMode(file: string): number {
  return lstatSync(file).mode & 0o777;
}

describe('what others may read of a worktree', () => {
  for (const [mode, expected] of [
    [0o700, 0o700],
    [0o750, 0o750],
    [0o711, 0o711],
    [0o755, 0o755],
    [0o705, 0o705],
    [0o777, 0o755],
  ] as const) {
    it(
      `is no more than they may of a repository of mode ${mode.toString(8)}`,
      withUmask({}, async ({root, workspace}) => {
        chmodSync(root, mode);
        const {path: place} = await ensureWorktree(workspace, command);
        assert.deepEqual(
          [getMode(workspace.worktrees), getMode(place)].map((found) => found.toString(8)),
          [expected, expected].map((found) => found.toString(8)),
        );
      }),
    );
  }

  it(
    "is no more than they may of git's own directory, wherever that is",
    withUmask({}, async ({home, root, git}) => {
      // A checkout for everybody to see, of a repository that nobody else may enter.
      const own = path.join(home, 'open');
      git('worktree', 'add', '-q', '--detach', own);
      chmodSync(root, 0o700);
      const workspace = {
        root: own,
        commonDirectory: path.join(root, '.git'),
        worktrees: `${own}.worktrees`,
      };
      assert.equal(permittedIn(workspace, lstatSync(own).gid), 0);
      chmodSync(root, 0o755);
      assert.equal(permittedIn(workspace, lstatSync(own).gid), 0o055);
      chmodSync(path.join(root, '.git'), 0o750);
      assert.equal(permittedIn(workspace, lstatSync(own).gid), 0o050);
      await Promise.resolve();
    }),
  );

  it(
    'is narrowed where an older version made it wider, and nothing else is touched',
    withUmask({}, async ({home, root}) => {
      const worktrees = path.join(home, 'project.worktrees');
      const outside = path.join(home, 'outside');
      for (const directory of [
        path.join(worktrees, 'r1-t1'),
        path.join(worktrees, 'feature'),
        outside,
      ])
        mkdirSync(directory, {recursive: true});
      symlinkSync(outside, path.join(worktrees, 'r1-t2'));
      chmodSync(root, 0o700);
      const workspace = reopen(home, root);
      narrowWorktrees(workspace);
      assert.deepEqual(
        [worktrees, path.join(worktrees, 'r1-t1'), path.join(worktrees, 'feature'), outside].map(
          (directory) => getMode(directory),
        ),
        [0o700, 0o700, 0o755, 0o755],
      );
      // And never made wider.
      chmodSync(root, 0o755);
      narrowWorktrees(workspace);
      assert.equal(getMode(worktrees), 0o700);
      const {path: place} = await ensureWorktree(workspace, {...command, owner: 'r2.t1'});
      assert.deepEqual([getMode(worktrees), getMode(place)], [0o700, 0o755]);
    }),
  );

  it(
    'leaves a directory of all worktrees that is a link as it is',
    withUmask({}, ({home, root}) => {
      const outside = path.join(home, 'outside');
      mkdirSync(outside);
      symlinkSync(outside, path.join(home, 'project.worktrees'));
      chmodSync(root, 0o700);
      narrowWorktrees(reopen(home, root));
      assert.equal(getMode(outside), 0o755);
      return Promise.resolve();
    }),
  );
});

describe('what others may read of what is copied', () => {
  it(
    'is what they may of the original: its mode, and the directories on the way',
    withUmask(
      {'.gitignore': '.env\nkeys/\nnode_modules/\n', 'config/app.json': '{}\n'},
      async ({root, workspace, write}) => {
        for (const file of [
          '.env',
          'keys/deep/a.pem',
          'config/.env',
          'node_modules/a/b.js',
          'packages/node_modules/c.js',
        ])
          write(file, 'secret\n');
        for (const [file, mode] of Object.entries({
          '.env': 0o600,
          'keys/deep/a.pem': 0o644,
          'keys/deep': 0o755,
          keys: 0o700,
          config: 0o700,
          'config/.env': 0o644,
          node_modules: 0o750,
          packages: 0o711,
        }))
          chmodSync(path.join(root, file), mode);
        const {path: place} = await ensureWorktree(workspace, command);
        assert.equal(getMode(path.join(place, 'config')), 0o755, 'as git makes it');
        const {copied} = await provisionWorktree(workspace, place, {
          copy: ['.env', 'keys/**'],
          share: ['node_modules', 'packages/node_modules'],
        });
        assert.equal(copied, 3);
        for (const file of [
          '.env',
          'keys',
          'keys/deep',
          'keys/deep/a.pem',
          'config',
          'config/.env',
          'node_modules',
          'packages',
        ])
          assert.equal(
            getMode(path.join(place, file)).toString(8),
            getMode(path.join(root, file)).toString(8),
            file,
          );
        assert.ok(existsSync(path.join(place, 'packages/node_modules/c.js')));
      },
    ),
  );

  it(
    'never changes what a link of the worktree leads to',
    withUmask({'.gitignore': '.env\n'}, async ({root, workspace, write}) => {
      write('config/.env', 'secret\n');
      chmodSync(path.join(root, 'config'), 0o700);
      const {path: place} = await ensureWorktree(workspace, command);
      mkdirSync(path.join(place, 'other'));
      symlinkSync('other', path.join(place, 'config'));
      await provisionWorktree(workspace, place, {copy: ['.env'], share: []});
      assert.equal(getMode(path.join(place, 'other')), 0o755);
    }),
  );

  it('is nothing for the members of another group: only what everybody might read', () => {
    for (const [mode, expected] of [
      [0o750, 0],
      [0o755, 0o055],
      [0o705, 0],
      [0o751, 0o011],
      [0o744, 0o044],
      [0o774, 0o044],
    ] as const)
      assert.equal(
        permittedLike({mode, gid: 7}, 8).toString(8),
        expected.toString(8),
        mode.toString(8),
      );
    assert.equal(permittedLike({mode: 0o100750, gid: 7}, 7), 0o050);
  });

  it(
    'is closed to a group that the original does not belong to',
    withUmask({'.gitignore': '.env\n'}, async ({root, workspace, write}) => {
      write('.env', 'secret\n');
      const others =
        (process.getgroups?.() ?? []).find((gid) => gid !== process.getegid?.()) ??
        (process.geteuid?.() === 0 ? 65_534 : undefined);
      const gid = others ?? lstatSync(root).gid;
      chmodSync(path.join(root, '.env'), 0o640);
      chownSync(path.join(root, '.env'), process.geteuid?.() ?? 0, gid);
      const {path: place} = await ensureWorktree(workspace, command);
      await provisionWorktree(workspace, place, {copy: ['.env'], share: []});
      assert.equal(
        getMode(path.join(place, '.env')),
        lstatSync(path.join(place, '.env')).gid === gid ? 0o640 : 0o600,
      );
    }),
  );
});

it(
  'what is kept of removed work lies where only its owner comes',
  withUmask({}, async ({workspace}) => {
    await ensureWorktree(workspace, command);
    assert.equal(getMode(workspace.private), 0o700);
    for (const name of readdirSync(workspace.private))
      assert.equal(getMode(path.join(workspace.private, name)) & 0o077, 0, name);
  }),
);

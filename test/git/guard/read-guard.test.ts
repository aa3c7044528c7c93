import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  ensureWorktree,
  movedBranches,
  outsideDifference,
  outsideFingerprint,
  readBranches,
  readGuard,
  removeWorktree,
  tamperedPaths,
} from '../../../source/git/index.ts';
import {withRepository} from '../support/repository.ts';

const files = {'readme.md': 'hello\n', '.gitignore': 'build/\n*.log\n'};

describe('the guard', () => {
  it(
    'says nothing of what people and tools set all day',
    withRepository(files, async ({workspace, git, home, root}) => {
      const before = await readGuard(workspace);
      git('remote', 'add', 'origin', 'https://example.org/x.git');
      git('config', 'branch.main.remote', 'origin');
      git('config', 'branch.main.merge', 'refs/heads/main');
      git('config', 'user.name', 'Somebody');
      git('config', 'color.ui', 'auto');
      git('config', 'pull.rebase', 'true');
      git('config', '--global', 'user.email', 'a@b');
      git('config', '--global', 'init.defaultBranch', 'main');
      git('commit', '-q', '--allow-empty', '-m', 'next');
      git('pack-refs', '--all');
      writeFileSync(path.join(root, '.git', 'hooks', 'pre-push.sample'), 'sample');
      assert.equal(existsSync(path.join(home, '.gitconfig')), true);
      assert.deepEqual(tamperedPaths(before, await readGuard(workspace)), []);
    }),
  );

  it(
    'says nothing of worktrees that we make and remove, sparse ones too',
    withRepository(files, async ({workspace, git}) => {
      git('sparse-checkout', 'set', 'docs');
      git('config', '--worktree', 'core.hooksPath', '.husky');
      const before = await readGuard(workspace);
      const made = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      const between = await readGuard(workspace);
      assert.deepEqual(tamperedPaths(before, between), []);
      await removeWorktree(workspace, {
        owner: 'r1.t1',
        path: made.path,
        branch: made.branch,
        base: made.commit,
      });
      const after = await readGuard(workspace);
      assert.deepEqual([tamperedPaths(between, after), tamperedPaths(before, after)], [[], []]);
    }),
  );

  it(
    'names a worktree that somebody else made',
    withRepository(files, async ({workspace, git, home}) => {
      const before = await readGuard(workspace);
      git('worktree', 'add', '-q', path.join(home, 'other'));
      assert.deepEqual(tamperedPaths(before, await readGuard(workspace)), [
        path.join(home, 'other', '.git'),
      ]);
    }),
  );

  it(
    "sees a hook of the project's own directory change, and whether it can be run",
    withRepository(files, async ({workspace, git, write, root}) => {
      write('.husky/pre-commit', 'npm test\n');
      git('config', 'core.hooksPath', '.husky');
      const before = await readGuard(workspace);
      chmodSync(path.join(root, '.husky/pre-commit'), 0o755);
      const between = await readGuard(workspace);
      write('.husky/pre-commit', 'evil\n');
      assert.deepEqual(
        [tamperedPaths(before, between), tamperedPaths(between, await readGuard(workspace))],
        [['.husky/pre-commit'], ['.husky/pre-commit']],
      );
    }),
  );

  it(
    'sees the content of a file that is included, also when its condition does not hold here',
    withRepository(files, async ({workspace, git, home}) => {
      writeFileSync(path.join(home, 'a.inc'), '[user]\n\tname = x\n');
      writeFileSync(path.join(home, 'b.inc'), '[user]\n\tname = x\n');
      git('config', 'include.path', path.join(home, 'a.inc'));
      git('config', 'includeIf.gitdir:/nowhere/.path', path.join(home, 'b.inc'));
      const before = await readGuard(workspace);
      writeFileSync(path.join(home, 'a.inc'), '[core]\n\tfsmonitor = /x\n');
      writeFileSync(path.join(home, 'b.inc'), '[core]\n\tfsmonitor = /x\n');
      assert.deepEqual(tamperedPaths(before, await readGuard(workspace)), [
        '~/a.inc',
        '~/a.inc: core.fsmonitor',
        '~/b.inc',
      ]);
    }),
  );

  it(
    'is plain data',
    withRepository(files, async ({workspace}) => {
      const guard = await readGuard(workspace);
      assert.deepEqual(JSON.parse(JSON.stringify(guard)), guard);
    }),
  );
});

describe('the fingerprint of what is outside', () => {
  it(
    'tells every file that came, went or changed, with both sides, and which of them git ignores',
    withRepository(files, async ({workspace, write, home, root}) => {
      write('build/old', 'old');
      const first = await outsideFingerprint(workspace, {siblings: [], home});
      assert.deepEqual(
        outsideDifference(first, await outsideFingerprint(workspace, {siblings: [], home})),
        [],
      );
      write('readme.md', 'changed\n');
      write('new/file', 'new\n');
      write('x.log', 'log\n');
      mkdirSync(path.join(home, '.ssh'));
      writeFileSync(path.join(home, '.ssh/config'), 'Host *\n');
      const changes = outsideDifference(
        first,
        await outsideFingerprint(workspace, {siblings: [], home}),
      );
      assert.deepEqual(
        changes.map(({place, path: file, before, after, isIgnored}) => [
          place,
          file,
          before === null,
          after === null,
          isIgnored,
        ]),
        [
          [root, 'new/file', true, false, false],
          [root, 'readme.md', false, false, false],
          [root, 'x.log', true, false, true],
          [home, '.ssh/config', true, false, false],
        ],
      );
    }),
  );

  it(
    'tells a sibling that is gone',
    withRepository(files, async ({workspace, home}) => {
      const made = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      const first = await outsideFingerprint(workspace, {siblings: [made.path], home});
      await removeWorktree(workspace, {
        owner: 'r1.t1',
        path: made.path,
        branch: made.branch,
        base: made.commit,
      });
      assert.deepEqual(
        outsideDifference(
          first,
          await outsideFingerprint(workspace, {siblings: [made.path], home}),
        ).map(({path: file}) => file),
        ['.', '.gitignore', 'readme.md'],
      );
    }),
  );
});

describe('the branches of a person', () => {
  it(
    'are told with where they were and are; ours may move as they like',
    withRepository(files, async ({workspace, git, head}) => {
      git('branch', 'feature');
      git('tag', 'v1');
      const base = head();
      const made = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      const before = await readBranches(workspace);
      git('commit', '-q', '--allow-empty', '-m', 'next');
      git('update-ref', `refs/heads/${made.branch ?? ''}`, 'HEAD');
      git('update-ref', 'refs/heads/orchestra-2/r9', 'HEAD');
      git('branch', '-D', 'feature');
      git('tag', '-d', 'v1');
      git('checkout', '-q', '--detach');
      assert.deepEqual(movedBranches(before, await readBranches(workspace)), [
        {ref: 'HEAD', before: 'ref: refs/heads/main', after: head()},
        {ref: 'refs/heads/feature', before: base, after: null},
        {ref: 'refs/heads/main', before: base, after: head()},
        {ref: 'refs/tags/v1', before: base, after: null},
      ]);
    }),
  );
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {ensureWorktree, provisionWorktree, removeWorktree} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createRandom} from '../../support/random.ts';
import {getCommand, startHolder} from '../support/lock-holder.ts';
import {reopen, type TestRepository, withWorktree} from '../support/repository.ts';
import {sweepRemoval} from './sweep.ts';

const owner = 'r1.t1';
const branch = 'orchestra/r1-t1';

const files = {
  'readme.md': 'hello\n',
  '.gitignore': 'build/\n.env\n',
  'source/one.txt': 'one\n',
};

function branchesIn({git}: TestRepository): readonly string[] {
  return git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n');
}

describe('the removal of a worktree', () => {
  it(
    'leaves nothing when nothing was done in it',
    withWorktree(files, async (repository, made) => {
      const {workspace, git, home} = repository;
      const command = {owner, path: made.path, branch, base: made.commit};
      assert.deepEqual(await removeWorktree(workspace, command), {
        backup: null,
        patch: null,
        how: [],
        dropped: [],
      });
      assert.deepEqual(
        [
          existsSync(made.path),
          git('worktree', 'list').trim().split('\n').length,
          branchesIn(repository),
          readdirSync(path.join(home, 'private', 'trash')),
        ],
        [false, 1, ['main'], []],
      );
      assert.deepEqual(await removeWorktree(workspace, command), {
        backup: null,
        patch: null,
        how: [],
        dropped: [],
      });
      assert.deepEqual(
        await ensureWorktree(workspace, {owner, branch, from: 'HEAD', mayRebuild: true}),
        made,
      );
    }),
  );

  it(
    'leaves nothing when everything is merged',
    withWorktree(files, async (repository, made) => {
      writeFileSync(path.join(made.path, 'new.txt'), 'new\n');
      repository.gitIn(made.path, 'add', '-A');
      repository.gitIn(made.path, 'commit', '-q', '-m', 'work');
      repository.git('merge', '-q', '--no-ff', '-m', 'merged', branch);
      const {backup} = await removeWorktree(repository.workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
        mergedInto: 'main',
      });
      assert.deepEqual([backup, branchesIn(repository)], [null, ['main']]);
    }),
  );

  it(
    'keeps what is not merged as a ref and a patch, new files and commits and binary ones too, and says how to get it back',
    withWorktree(files, async (repository, made) => {
      const {workspace, git, gitIn, root} = repository;
      const bytes = Buffer.from([0, 255, 254, 10, 13, 200]);
      writeFileSync(path.join(made.path, 'committed.txt'), 'committed\n');
      gitIn(made.path, 'add', '-A');
      gitIn(made.path, 'commit', '-q', '-m', 'work');
      const commit = gitIn(made.path, 'rev-parse', 'HEAD').trim();
      writeFileSync(path.join(made.path, 'new.bin'), bytes);
      writeFileSync(path.join(made.path, 'latin.txt'), Buffer.from('caf\xe9\n', 'latin1'));
      rmSync(path.join(made.path, 'source/one.txt'));
      mkdirSync(path.join(made.path, 'build'));
      writeFileSync(path.join(made.path, 'build/out'), '12345');
      const command = {owner, path: made.path, branch, base: made.commit};
      const removed = await removeWorktree(workspace, command);
      assert.deepEqual(removed, {
        backup: 'refs/orchestra/backup/r1.t1-1',
        patch: path.join(workspace.private, 'kept', 'r1.t1-1.patch'),
        how: [
          'The work of r1.t1 is in refs/orchestra/backup/r1.t1-1. To see it: git show --stat refs/orchestra/backup/r1.t1-1',
          'To restore it as a branch: git branch r1-t1-kept refs/orchestra/backup/r1.t1-1',
          `To apply it to your checkout: git apply --3way '${path.join(workspace.private, 'kept', 'r1.t1-1.patch')}'`,
        ],
        dropped: [{path: 'build/', bytes: 5}],
      });
      assert.deepEqual(await removeWorktree(reopen(repository.home, root), command), removed);
      assert.deepEqual(branchesIn(repository), ['main']);
      git('gc', '-q', '--prune=now');
      assert.equal(git('merge-base', '--is-ancestor', commit, removed.backup), '');
      git('apply', '--3way', removed.patch);
      assert.deepEqual(git('diff', '--cached', '--name-status').trim().split('\n'), [
        'A\tcommitted.txt',
        'A\tlatin.txt',
        'A\tnew.bin',
        'D\tsource/one.txt',
      ]);
      assert.deepEqual(
        [readFileSync(path.join(root, 'new.bin')), readFileSync(path.join(root, 'latin.txt'))],
        [bytes, Buffer.from('caf\xe9\n', 'latin1')],
      );
      assert.equal(git('diff', removed.backup), '');
    }),
  );

  it(
    'keeps commits that were reset away, what was only staged, and counts the backups',
    withWorktree(files, async (repository, made) => {
      const {workspace, git, gitIn} = repository;
      gitIn(made.path, 'commit', '-q', '--allow-empty', '-m', 'thrown away');
      const missing = gitIn(made.path, 'rev-parse', 'HEAD').trim();
      gitIn(made.path, 'reset', '-q', '--hard', 'HEAD~1');
      writeFileSync(path.join(made.path, 'staged.txt'), 'staged\n');
      gitIn(made.path, 'add', 'staged.txt');
      rmSync(path.join(made.path, 'staged.txt'));
      const {backup} = await removeWorktree(workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
      });
      assert.equal(git('merge-base', '--is-ancestor', missing, backup ?? ''), '');
      assert.equal(git('show', `${backup ?? ''}^2:staged.txt`), 'staged\n');
      const again = await ensureWorktree(workspace, {
        owner,
        branch,
        from: made.commit,
        mayRebuild: true,
      });
      writeFileSync(path.join(again.path, 'other.txt'), 'other\n');
      assert.equal(
        (await removeWorktree(workspace, {owner, path: again.path, branch, base: made.commit}))
          .backup,
        'refs/orchestra/backup/r1.t1-2',
      );
      assert.equal(git('show', 'refs/orchestra/backup/r1.t1-2:other.txt'), 'other\n');
    }),
  );

  it(
    'keeps files that git cannot: repositories within, and copies of ignored files that were changed',
    withWorktree(files, async (repository, made) => {
      const {workspace, gitIn, write} = repository;
      write('.worktreeinclude', '.env\nbuild/*.key\n');
      write('.env', 'A=1\n');
      write('build/same.key', 'same\n');
      assert.equal(
        (await provisionWorktree(workspace, made.path, {copy: [], share: []})).copied,
        2,
      );
      writeFileSync(path.join(made.path, '.env'), 'A=2\n');
      for (const place of ['sub', 'source', 'empty']) gitIn(made.path, 'init', '-q', place);
      writeFileSync(path.join(made.path, 'sub/x'), 'x\n');
      gitIn(path.join(made.path, 'sub'), 'add', 'x');
      gitIn(path.join(made.path, 'sub'), 'commit', '-q', '-m', 'x');
      writeFileSync(path.join(made.path, 'sub/y'), 'y\n');
      writeFileSync(path.join(made.path, 'source/new'), 'new\n');
      writeFileSync(path.join(made.path, 'empty/z'), 'z\n');
      const {dropped, how} = await removeWorktree(workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
      });
      const retained = path.join(workspace.private, 'kept', 'r1.t1-1', 'files');
      assert.deepEqual(
        ['.env', 'sub/x', 'sub/y', 'source/new', 'empty/z'].map((file) =>
          readFileSync(path.join(retained, file), 'utf8'),
        ),
        ['A=2\n', 'x\n', 'y\n', 'new\n', 'z\n'],
      );
      assert.equal(gitIn(path.join(retained, 'sub'), 'log', '--format=%s').trim(), 'x');
      assert.deepEqual(dropped, [{path: 'build/', bytes: 5}]);
      assert.match(how.at(-1) ?? '', /are in .*kept\/r1\.t1-1$/);
    }),
  );

  it(
    'is refused while a session or any process is in it',
    withWorktree(files, async (repository, made) => {
      const command = {owner, path: made.path, branch, base: made.commit};
      await assert.rejects(
        removeWorktree(repository.workspace, {...command, isLive: () => true}),
        /a session of r1\.t1 runs there\. Stop it first/,
      );
      const child = spawn('sleep', ['60'], {cwd: made.path, stdio: 'ignore'});
      try {
        await eventually(
          'it is a sleep to whoever looks',
          () => getCommand(child.pid ?? 0) === 'sleep 60',
        );
        await assert.rejects(
          removeWorktree(repository.workspace, command),
          new RegExp(`process ${child.pid ?? 0} \\(sleep 60\\) runs there`),
        );
        assert.equal(existsSync(path.join(made.path, 'readme.md')), true);
      } finally {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill();
        await gone;
      }

      await removeWorktree(repository.workspace, command);
      assert.equal(existsSync(made.path), false);
    }),
  );

  it(
    'waits for a git that is in it: a commit leaves one that tidies up',
    withWorktree(files, async (repository, made) => {
      const holder = await startHolder(made.path);
      let looks = 0;
      const isLive = (): boolean => {
        looks += 1;
        return false;
      };

      const removing = removeWorktree(repository.workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
        isLive,
      });
      await eventually('it has looked who is in there', () => looks > 0);
      await holder.end();
      assert.equal((await removing).backup, null);
      assert.equal(existsSync(made.path), false);
    }),
  );

  it(
    'keeps the content of one that git no longer knows, and the branch of one whose files are gone',
    withWorktree(files, async (repository, made) => {
      const {workspace, git, gitIn} = repository;
      writeFileSync(path.join(made.path, 'work'), 'work\n');
      rmSync(path.join(made.path, '.git'));
      rmSync(path.join(workspace.commonDirectory, 'worktrees'), {recursive: true});
      const {backup} = await removeWorktree(workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
      });
      assert.equal(git('show', `${backup ?? ''}:work`), 'work\n');
      const next = await ensureWorktree(workspace, {
        owner: 'r1.t2',
        branch: 'orchestra/r1-t2',
        from: 'HEAD',
        mayRebuild: true,
      });
      gitIn(next.path, 'commit', '-q', '--allow-empty', '-m', 'mine');
      const tip = gitIn(next.path, 'rev-parse', 'HEAD').trim();
      rmSync(next.path, {recursive: true});
      const {backup: other} = await removeWorktree(workspace, {
        owner: 'r1.t2',
        path: next.path,
        branch: 'orchestra/r1-t2',
        base: next.commit,
      });
      assert.equal(git('merge-base', '--is-ancestor', tip, other ?? ''), '');
      assert.deepEqual(
        [branchesIn(repository), git('worktree', 'list').trim().split('\n').length],
        [['main'], 1],
      );
    }),
  );

  it(
    'leaves a branch that is checked out elsewhere',
    withWorktree(files, async (repository, made) => {
      repository.git('checkout', '-q', '--ignore-other-worktrees', branch);
      const {how} = await removeWorktree(repository.workspace, {
        owner,
        path: made.path,
        branch,
        base: made.commit,
      });
      assert.deepEqual(
        [how, branchesIn(repository)],
        [[`The branch ${branch} is still there: it is checked out elsewhere.`], ['main', branch]],
      );
    }),
  );

  it(
    'gets rid of directories that may not be written to',
    withWorktree(files, async ({workspace}, made) => {
      mkdirSync(path.join(made.path, 'build/cache'), {recursive: true});
      writeFileSync(path.join(made.path, 'build/cache/x'), 'x');
      chmodSync(path.join(made.path, 'build/cache'), 0o500);
      await removeWorktree(workspace, {owner, path: made.path, branch, base: made.commit});
      assert.deepEqual(readdirSync(path.join(workspace.private, 'trash')), []);
    }),
  );

  it('loses nothing to kill -9 at any moment', async () => {
    const {next} = createRandom('removal');
    const {tried, held, problems} = await sweepRemoval(8, next);
    assert.deepEqual([tried, held, problems], [8, 8, []]);
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  captureChange,
  commitChange,
  composeCommitMessage,
  ensureWorktree,
  releaseBackup,
} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createRandom} from '../../support/random.ts';
import {countingLocks, startHolder} from '../support/lock-holder.ts';
import {type TestRepository, withRepository} from '../support/repository.ts';
import {sweepCommits} from './sweep.ts';

const branch = 'orchestra/r1-t1';
const at = 1_700_000_000_000;

async function withTask(
  act: (
    place: TestRepository & {
      readonly directory: string;
      readonly base: string;
      readonly tree: () => Promise<string>;
    },
  ) => Promise<void>,
): Promise<void> {
  await withRepository({'a.txt': 'one\n'}, async (repository) => {
    const base = repository.head();
    const {path: directory} = await ensureWorktree(repository.workspace, {
      owner: 'r1.t1',
      branch,
      from: base,
      mayRebuild: true,
    });
    await act({
      ...repository,
      directory,
      base,
      tree: async () => (await captureChange(repository.workspace, {directory, base})).change.tree,
    });
  })();
}

describe('committing a change', () => {
  it('makes one commit by the person, the same however often, and leaves the worktree on its branch and clean', async () => {
    await withTask(async ({workspace, git, gitIn, directory, base, tree}) => {
      git('config', 'user.name', 'A Person');
      git('config', 'user.email', 'a@person.example');
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      writeFileSync(path.join(directory, 'new.txt'), 'new\n');
      const command = {
        branch,
        parent: base,
        tree: await tree(),
        message: composeCommitMessage({
          title: 'Change it',
          body: 'Because.',
          run: 'r1',
          task: 'r1.t1',
          plan: 'abc',
        }),
        at,
        directory,
      };
      const commit = await commitChange(workspace, command);
      assert.equal(await commitChange(workspace, command), commit);
      git('config', 'user.name', 'Another Name');
      assert.equal(await commitChange(workspace, command), commit);
      assert.equal(
        git('log', '--format=%an <%ae> %at %ct%n%B', '-1', branch),
        'A Person <a@person.example> 1700000000 1700000000\nChange it\n\nBecause.\n\nOrchestra-Run: r1\nOrchestra-Task: r1.t1\nOrchestra-Plan: abc\n\n',
      );
      assert.equal(
        git('log', '--format=%(trailers:key=Orchestra-Task,valueonly)', '-1', branch).trim(),
        'r1.t1',
      );
      assert.deepEqual(
        [
          gitIn(directory, 'status', '--porcelain'),
          gitIn(directory, 'rev-parse', 'HEAD', 'HEAD~1'),
          gitIn(directory, 'symbolic-ref', 'HEAD'),
        ],
        ['', `${commit}\n${base}\n`, `refs/heads/${branch}\n`],
      );
    });
  });

  it('keeps what the agent committed by itself under a ref', async () => {
    await withTask(async ({workspace, git, gitIn, directory, base, tree}) => {
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      gitIn(directory, 'commit', '-qam', 'my own words');
      const own = gitIn(directory, 'rev-parse', 'HEAD').trim();
      const commit = await commitChange(workspace, {
        branch,
        parent: base,
        tree: await tree(),
        message: 'ours\n',
        at,
        directory,
      });
      assert.equal(git('rev-parse', branch).trim(), commit);
      assert.equal(git('rev-parse', `refs/orchestra/keep/orchestra-r1-t1/${own}`).trim(), own);
      assert.equal(await releaseBackup(workspace, branch), 1);
    });
  });

  it('makes the branch again when the agent deleted it, and never follows it elsewhere', async () => {
    await withTask(async ({workspace, git, gitIn, directory, base, tree}) => {
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      const command = {branch, parent: base, tree: await tree(), message: 'ours\n', at, directory};
      gitIn(directory, 'switch', '-q', '--detach');
      git('branch', '-D', branch);
      const commit = await commitChange(workspace, command);
      assert.equal(git('rev-parse', branch).trim(), commit);
      git('update-ref', '-d', `refs/heads/${branch}`);
      git('symbolic-ref', `refs/heads/${branch}`, 'refs/heads/main');
      assert.equal(await commitChange(workspace, command), commit);
      assert.deepEqual(
        [git('rev-parse', branch).trim(), git('rev-parse', 'main').trim()],
        [commit, base],
      );
    });
  });

  it('does not go back behind what was committed later', async () => {
    await withTask(async ({workspace, git, directory, base, tree}) => {
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      const first = {branch, parent: base, tree: await tree(), message: 'first\n', at};
      const one = await commitChange(workspace, first);
      writeFileSync(path.join(directory, 'a.txt'), 'three\n');
      const two = await commitChange(workspace, {
        branch,
        parent: one,
        tree: await tree(),
        message: 'second\n',
        at,
      });
      assert.equal(await commitChange(workspace, first), one);
      assert.equal(git('rev-parse', branch).trim(), two);
    });
  });

  it('removes a lock that a killed commit of ours left, and waits for one that a living git may hold', async () => {
    await withTask(async ({workspace, root, directory, base, tree}) => {
      const lock = path.join(root, '.git/refs/heads', `${branch}.lock`);
      const mark = path.join(workspace.private, 'marks/refs/refs-heads-orchestra-r1-t1');
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      const command = {branch, parent: base, tree: await tree(), message: 'ours\n', at};
      const holder = await startHolder(directory);
      mkdirSync(path.dirname(mark), {recursive: true});
      writeFileSync(mark, '');
      writeFileSync(lock, '');
      const counting = countingLocks(workspace);
      const waiting = commitChange(counting.workspace, command);
      await eventually(
        'it has met the lock, let it be, and met it again',
        () => counting.met() >= 2,
      );
      assert.deepEqual([existsSync(lock), existsSync(mark)], [true, true]);
      await holder.end();
      const commit = await waiting;
      assert.deepEqual([existsSync(lock), existsSync(mark)], [false, false]);
      assert.equal(await commitChange(workspace, command), commit);
    });
  });

  it('never removes a lock that is older than its own intent', async () => {
    await withTask(async ({workspace, root, directory, base, tree}) => {
      const lock = path.join(root, '.git/refs/heads', `${branch}.lock`);
      writeFileSync(path.join(directory, 'a.txt'), 'two\n');
      const command = {branch, parent: base, tree: await tree(), message: 'ours\n', at};
      writeFileSync(lock, '');
      utimesSync(lock, 1000, 1000);
      await assert.rejects(
        commitChange(workspace, command),
        /still there after 10 s\. No git process seems to hold it/,
      );
      rmSync(lock);
      assert.match(await commitChange(workspace, command), /^[\da-f]{40}$/);
    });
  });

  it('writes titles of one line and trailers that cannot be forged', () => {
    assert.equal(
      composeCommitMessage({
        title: ' A \u001B]0;x\u0007 title\nOrchestra-Run: r9 ',
        body: 'x\u0000\nOrchestra-Task: r9.t9\n',
        run: 'r1',
        task: 'r1.t1',
      }),
      'A \\u{1b}]0;x\\u{7} title Orchestra-Run: r9\n\nx\\u{0}\n  Orchestra-Task: r9.t9\n\nOrchestra-Run: r1\nOrchestra-Task: r1.t1\n',
    );
    assert.equal(
      composeCommitMessage({title: 'é'.repeat(100), run: 'r1'}),
      `${'é'.repeat(71)}…\n\nOrchestra-Run: r1\n`,
    );
    assert.equal(
      composeCommitMessage({title: '\n', run: 'r1'}),
      'Change without a title\n\nOrchestra-Run: r1\n',
    );
  });

  it('comes to one commit after 15 kills at any moment', async () => {
    const {held, problems} = await sweepCommits(15, createRandom(7).next);
    assert.deepEqual([held, problems], [15, []]);
  });
});

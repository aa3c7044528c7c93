import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {acceptIntoBranch, undoAccept} from '../../../source/git/index.ts';
import {createRandom} from '../../support/random.ts';
import {killedStep} from '../support/killed-step.ts';
import {reopen, type TestRepository, withRepository} from '../support/repository.ts';
import {locksIn} from '../support/sweep-result.ts';
import {contentUnder, leaveEdits, readUserState, userFiles} from './user-edits.ts';

const at = 1_700_000_000_000;

type Accepted = TestRepository & {readonly base: string; readonly commit: string};

/** A run that changed, added and removed files, accepted into the person's checkout. */
function withAccepted(act: (fixture: Accepted) => Promise<void>): () => Promise<void> {
  const files = {...userFiles, 'shared/a.txt': 'a\n', 'shared/gone.txt': 'x\n'};
  return withRepository(files, async (repository) => {
    const {git, gitIn, home, workspace} = repository;
    const side = path.join(home, 'side');
    const base = repository.head();
    git('worktree', 'add', '-q', '--detach', side, base);
    writeFileSync(path.join(side, 'shared/a.txt'), 'A\n');
    mkdirSync(path.join(side, 'shared/deep'), {recursive: true});
    for (let file = 0; file < 20; file += 1)
      writeFileSync(path.join(side, `shared/deep/new-${file}.txt`), `${file}\n`.repeat(100));
    gitIn(side, 'rm', '-q', 'shared/gone.txt');
    gitIn(side, 'add', '-A');
    gitIn(side, 'commit', '-qm', 'the run');
    const commit = gitIn(side, 'rev-parse', 'HEAD').trim();
    git('worktree', 'remove', '--force', side);
    const result = await acceptIntoBranch(workspace, {branch: 'main', commit, at});
    assert.deepEqual(result, {commit, how: 'fast-forward', from: base});
    await act({...repository, base, commit});
  });
}

describe('an accept that is undone', () => {
  it(
    "moves the branch and the files back, and leaves the person's own edits as they are",
    withAccepted(async (fixture) => {
      const {workspace, git, root, base, commit} = fixture;
      leaveEdits(fixture);
      const before = readUserState(fixture);
      const options = {branch: 'main', from: commit, to: base};
      assert.deepEqual(await undoAccept(workspace, options), {commit: base});
      assert.equal(git('rev-parse', 'main').trim(), base);
      assert.deepEqual(readUserState(fixture), before);
      const content = contentUnder(root);
      assert.deepEqual(
        [content['shared/a.txt'], content['shared/gone.txt'], content['shared/deep/new-1.txt']],
        ['a\n', 'x\n', undefined],
      );
      assert.match(git('reflog', '-1', 'main'), /orchestra: undo/);
      assert.deepEqual(await undoAccept(workspace, options), {commit: base}, 'again: the same');
      const again = await acceptIntoBranch(workspace, {branch: 'main', commit, at});
      assert.deepEqual(again, {commit, how: 'fast-forward', from: base});
    }),
  );

  it(
    'is refused when the branch has moved',
    withAccepted(async ({workspace, git, base, commit}) => {
      git('commit', '-q', '--allow-empty', '-m', 'mine');
      const head = git('rev-parse', 'main').trim();
      const result = await undoAccept(workspace, {branch: 'main', from: commit, to: base});
      assert.match('rejected' in result ? result.rejected : '', /^main has moved since/);
      assert.equal(git('rev-parse', 'main').trim(), head);
    }),
  );

  it(
    'is refused when an edit of the person would be lost',
    withAccepted(async ({workspace, git, root, base, commit}) => {
      writeFileSync(path.join(root, 'shared/a.txt'), 'mine\n');
      const result = await undoAccept(workspace, {branch: 'main', from: commit, to: base});
      assert.match('rejected' in result ? result.rejected : '', /^Not undone: .*shared\/a\.txt/s);
      assert.equal(git('rev-parse', 'main').trim(), commit);
      assert.equal(readFileSync(path.join(root, 'shared/a.txt'), 'utf8'), 'mine\n');
    }),
  );

  it(
    'is refused when it was pushed',
    withAccepted(async ({workspace, git, base, commit}) => {
      git('update-ref', 'refs/remotes/origin/main', commit);
      const result = await undoAccept(workspace, {branch: 'main', from: commit, to: base});
      assert.match('rejected' in result ? result.rejected : '', /was pushed: origin\/main has it/);
      assert.equal(git('rev-parse', 'main').trim(), commit);
    }),
  );

  it(
    'moves a branch that is checked out nowhere',
    withAccepted(async ({workspace, git, base, commit}) => {
      git('switch', '-q', '--detach');
      const result = await undoAccept(workspace, {branch: 'main', from: commit, to: base});
      assert.deepEqual(result, {commit: base});
      assert.equal(git('rev-parse', 'main').trim(), base);
      assert.equal(git('rev-parse', 'HEAD').trim(), commit);
    }),
  );

  it(
    'is whole after kill -9 at any moment, with the edits of the person untouched',
    withAccepted(async (fixture) => {
      const {git, home, root, base, commit} = fixture;
      leaveEdits(fixture);
      const before = readUserState(fixture);
      const random = createRandom('undo');
      const step = {do: 'undo', options: {branch: 'main', from: commit, to: base}} as const;
      const usual = await killedStep(fixture, step);
      for (let kill = 0; kill < 8; kill += 1) {
        await acceptIntoBranch(reopen(home, root), {branch: 'main', commit, at});
        await killedStep(fixture, step, random.next() * usual.ms);
        assert.deepEqual(await undoAccept(reopen(home, root), step.options), {commit: base});
        assert.equal(git('rev-parse', 'main').trim(), base);
        assert.deepEqual(readUserState(fixture), before, `kill ${kill}`);
        assert.equal(contentUnder(root)['shared/deep/new-1.txt'], undefined);
        assert.deepEqual(locksIn(path.join(root, '.git')), []);
      }
    }),
  );
});

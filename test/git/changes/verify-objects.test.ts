import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {deflateSync} from 'node:zlib';
import {
  acceptIntoBranch,
  buildMerge,
  captureChange,
  commitChange,
  computeDiff,
  ensureWorktree,
  TamperedObjects,
} from '../../../source/git/index.ts';
import {makeRepository, type TestRepository} from '../support/repository.ts';

/** Puts another content under the name of an object, as whoever may write the object store can. */
function replaceObject({root, git}: TestRepository, id: string, text: string): void {
  const type = git('cat-file', '-t', id).trim();
  const file = path.join(root, '.git/objects', id.slice(0, 2), id.slice(2));
  chmodSync(file, 0o600);
  writeFileSync(
    file,
    deflateSync(
      Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(text)}\0`), Buffer.from(text)]),
    ),
  );
}

async function withChange(t: {readonly after: (act: () => void) => void}) {
  const repository = makeRepository({'src/a.txt': 'old\n', 'src/b.txt': 'untouched\n'});
  t.after(repository.remove);
  const {workspace} = repository;
  const base = repository.head();
  const worktree = await ensureWorktree(workspace, {
    owner: 'r1.t1',
    branch: 'orchestra/r1-t1',
    from: base,
    mayRebuild: true,
  });
  writeFileSync(path.join(worktree.path, 'src/a.txt'), 'good\n');
  const {change} = await captureChange(workspace, {directory: worktree.path, base});
  const commit = await commitChange(workspace, {
    branch: 'orchestra/r1-t1',
    parent: base,
    tree: change.tree,
    message: 'change\n',
    at: 0,
  });
  const blob = (name: string, at = commit): string =>
    repository.git('rev-parse', `${at}:${name}`).trim();
  return {repository, workspace, base, worktree, change, commit, blob};
}

test('an object that was rewritten after it was captured is found before it is shown, merged or accepted', async (t) => {
  const {repository, workspace, base, worktree, commit, blob} = await withChange(t);
  replaceObject(repository, blob('src/a.txt'), 'EVIL\n');
  assert.equal(repository.git('show', `${commit}:src/a.txt`), 'EVIL\n', 'git itself believes it');
  await assert.rejects(computeDiff(workspace, {from: base, to: commit}), TamperedObjects);
  await assert.rejects(captureChange(workspace, {directory: worktree.path, base}), TamperedObjects);
  repository.write('src/other.txt', 'x\n');
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'second');
  await assert.rejects(
    buildMerge(workspace, {onto: repository.head(), commit, message: 'merge\n', at: 0}),
    TamperedObjects,
  );
  await assert.rejects(
    acceptIntoBranch(workspace, {branch: 'main', commit, at: 0}),
    /expected the content of every object in \.git\/objects to match its hash, got other content for .*git fsck/,
  );
  assert.equal(repository.git('show', 'main:src/a.txt'), 'old\n', 'the branch is where it was');
});

test('so is a commit or a directory that was rewritten', async (t) => {
  for (const of of ['tree', 'commit'] as const) {
    const {repository, workspace, commit, base} = await withChange(t);
    const id = of === 'commit' ? commit : repository.git('rev-parse', `${commit}:src`).trim();
    const text =
      of === 'commit'
        ? repository.git('cat-file', 'commit', commit).replace('change', 'other')
        : '';
    replaceObject(repository, id, text);
    await assert.rejects(
      acceptIntoBranch(workspace, {branch: 'main', commit, at: 0}),
      (error: Error) =>
        error.message.includes('git fsck') || error.message.includes('hash mismatch'),
      of,
    );
    assert.equal(repository.head(), base);
  }
});

test('an object that an agent put there before, under the name that its file will have, is found when the change is captured', async (t) => {
  const repository = makeRepository({'a.txt': 'old\n'});
  t.after(repository.remove);
  const {workspace} = repository;
  const worktree = await ensureWorktree(workspace, {
    owner: 'r1.t1',
    branch: 'orchestra/r1-t1',
    from: repository.head(),
    mayRebuild: true,
  });
  const id = '5e1c309dae7f45e0f39b1bf3ac3cd9db12e7d689';
  const file = path.join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2));
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, deflateSync(Buffer.from('blob 5\0EVIL\n')));
  writeFileSync(path.join(worktree.path, 'a.txt'), 'Hello World');
  await assert.rejects(
    captureChange(workspace, {directory: worktree.path, base: repository.head()}),
    TamperedObjects,
  );
});

test('without a sandbox an object of the base that nobody changed is looked at, too', async (t) => {
  const {repository, workspace, base, commit, blob} = await withChange(t);
  replaceObject(repository, blob('src/b.txt'), 'EVIL elsewhere\n');
  await assert.rejects(
    acceptIntoBranch(workspace, {branch: 'main', commit, at: 0, isWholeTree: true}),
    /src\/b\.txt/,
  );
  assert.equal(repository.head(), base);
});

test('an object that cannot be read at all stops it', async (t) => {
  const {repository, workspace, base, commit, blob} = await withChange(t);
  const id = blob('src/a.txt');
  const file = path.join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2));
  chmodSync(file, 0o600);
  writeFileSync(file, 'no object');
  await assert.rejects(acceptIntoBranch(workspace, {branch: 'main', commit, at: 0}));
  assert.equal(repository.head(), base);
});

test('what is as it was called is accepted', async (t) => {
  const {workspace, commit, repository} = await withChange(t);
  const base = repository.head();
  assert.deepEqual(
    await acceptIntoBranch(workspace, {branch: 'main', commit, at: 0, isWholeTree: true}),
    {commit, how: 'fast-forward', from: base},
  );
  assert.equal(repository.git('status', '--porcelain'), '');
});

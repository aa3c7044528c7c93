import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {evaluateChange} from '../../../source/rules/index.ts';
import {
  captureChange,
  commitChange,
  computeDiff,
  ensureWorktree,
  removeWorktree,
  restoreTracked,
  touchedSince,
} from '../../../source/git/index.ts';
import {makeRepository, type TestRepository} from '../support/repository.ts';

/** Every kind of name that git can hold and people rarely think of. */
const speakable = [
  'new\nline',
  'tab\there',
  '"quoted"',
  '-dash',
  '--',
  'trailing ',
  ' leading',
  String.raw`back\slash`,
  ':(glob)*',
  '*',
  'ünïcödé',
  'n'.repeat(255),
  'a b/c\nd',
];
const bytes = [
  Buffer.from([0x66, 0xe9, 0x2e, 0x74]),
  Buffer.from([0x66, 0xe8, 0x2e, 0x74]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc3]),
];

type Fixture = TestRepository & {readonly base: string; readonly directory: string};

async function opened(
  t: TestContext,
  files: Readonly<Record<string, string>> = {'a.txt': 'a\n', 'folder/inside.txt': 'x\n'},
): Promise<Fixture> {
  const repository = makeRepository(files);
  t.after(() => {
    repository.remove();
  });
  const made = await ensureWorktree(repository.workspace, {
    owner: 'r1.t1',
    branch: 'orchestra/r1-t1',
    from: repository.head(),
    mayRebuild: true,
  });
  return {...repository, base: repository.head(), directory: made.path};
}

function put(directory: string, name: Buffer | string, text: string): void {
  const file = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name)]);
  const folder = file.subarray(0, file.lastIndexOf('/'));
  mkdirSync(folder, {recursive: true});
  writeFileSync(file, text);
}

describe('a change with names of every kind', () => {
  it('is captured whole, with the lines of each file under its own name', async (t) => {
    const {workspace, directory, base} = await opened(t);
    for (const name of speakable) put(directory, name, `of ${JSON.stringify(name)}\n`);
    const {change, addedLines, unread} = await captureChange(workspace, {directory, base});
    assert.deepEqual(change.files.map((file) => file.path).toSorted(), speakable.toSorted());
    assert.deepEqual(
      Object.fromEntries(addedLines.map((line) => [line.path, line.text])),
      Object.fromEntries(speakable.map((name) => [name, `of ${JSON.stringify(name)}`])),
    );
    assert.deepEqual(unread, []);
  });

  it('that are not UTF-8 is captured whole too, counted and read, and refused by the judgement with the reason', async (t) => {
    const {workspace, directory, base} = await opened(t);
    for (const [at, name] of bytes.entries())
      put(directory, name, `${'line\n'.repeat(at)}secret ${at}\n`);
    const {change, addedLines, unread, links} = await captureChange(workspace, {directory, base});
    assert.equal(change.files.length, bytes.length);
    assert.deepEqual(
      change.files.map(({added}) => added).toSorted(),
      [1, 2, 3, 4],
      'two names that read the same are counted each by itself',
    );
    assert.deepEqual(
      addedLines
        .filter(({text}) => text.startsWith('secret'))
        .map(({text}) => text)
        .toSorted(),
      ['secret 0', 'secret 1', 'secret 2', 'secret 3'],
    );
    assert.deepEqual(unread, []);
    const judged = evaluateChange({
      change,
      addedLines,
      unread,
      links,
      rules: {rules: [], checks: [], hash: ''},
      planned: ['**'],
      required: [],
    });
    assert.deepEqual(
      [...new Set((judged.refused ?? []).map(({why}) => why))],
      ['its name is not UTF-8, so it cannot be shown'],
    );
    assert.deepEqual(new Set(judged.outside), new Set(change.files.map((file) => file.path)));
  });

  it('can be shown, committed and removed; what was not merged is kept byte for byte', async (t) => {
    const {workspace, git, root, directory, base} = await opened(t);
    for (const name of [...speakable, ...bytes]) put(directory, name, 'x\n');
    const {change} = await captureChange(workspace, {directory, base, save: 'r1.t1.a1'});
    assert.match(await computeDiff(workspace, {from: base, to: change.tree}), /^diff --git /);
    const commit = await commitChange(workspace, {
      branch: 'orchestra/r1-t1',
      directory,
      parent: base,
      tree: change.tree,
      message: 'all\n',
      at: 0,
    });
    assert.equal(git('rev-parse', `${commit}^{tree}`).trim(), change.tree);
    put(directory, bytes[2]!, 'and one more edit\n');
    const {backup} = await removeWorktree(workspace, {
      owner: 'r1.t1',
      path: directory,
      branch: 'orchestra/r1-t1',
      base,
    });
    assert.ok(backup !== null);
    const names = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', backup], {cwd: root});
    for (const name of [...speakable, ...bytes])
      assert.ok(names.includes(Buffer.concat([Buffer.from(name), Buffer.from([0])])), String(name));
  });

  it('of a file that stands where a folder was is read as any other', async (t) => {
    const {workspace, directory, base} = await opened(t);
    rmSync(path.join(directory, 'folder'), {recursive: true});
    put(directory, 'folder', 'now a file\n');
    const {addedLines} = await captureChange(workspace, {directory, base});
    assert.deepEqual(addedLines, [{path: 'folder', line: 1, text: 'now a file'}]);
  });

  it('of a file with such a name that was there before tells only what was added', async (t) => {
    const {workspace, git, root, directory} = await opened(t);
    put(root, bytes[0]!, 'one\ntwo\n');
    git('add', '-A');
    git('commit', '-qm', 'an old name');
    const base = git('rev-parse', 'HEAD').trim();
    put(directory, bytes[0]!, 'one\nand\ntwo\n');
    const {addedLines} = await captureChange(workspace, {directory, base});
    assert.deepEqual(
      addedLines.map(({line, text}) => [line, text]),
      [[2, 'and']],
    );
  });
});

describe('a check that touches a file whose name is not UTF-8', () => {
  it('is told of, and the file is put back', async (t) => {
    const {workspace, directory, base} = await opened(t);
    put(directory, bytes[0]!, 'before\n');
    const {change} = await captureChange(workspace, {directory, base});
    put(directory, bytes[0]!, 'after\n');
    const paths = await touchedSince(workspace, {directory, tree: change.tree});
    assert.equal(paths.length, 1);
    await restoreTracked(workspace, {directory, tree: change.tree, paths});
    assert.equal(
      readFileSync(Buffer.concat([Buffer.from(`${directory}/`), bytes[0]!]), 'utf8'),
      'before\n',
    );
  });
});

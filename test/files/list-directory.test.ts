import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {listDirectory, namesIn, walkTree} from '../../source/files/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';
import {hostileFiles} from '../support/hostile-files.ts';

test('entries are listed by name with their kind, links not followed', (t) => {
  const directory = temporaryDirectory(t);
  mkdirSync(path.join(directory, 'b'));
  writeFileSync(path.join(directory, 'c'), '');
  symlinkSync('/', path.join(directory, 'a'));
  execFileSync('/usr/bin/mkfifo', [path.join(directory, 'd')]);
  assert.deepEqual(listDirectory(directory, {maxEntries: 10, below: directory}), {
    at: 'read',
    isCut: false,
    entries: [
      {name: 'a', kind: 'link'},
      {name: 'b', kind: 'directory'},
      {name: 'c', kind: 'file'},
      {name: 'd', kind: 'pipe'},
    ],
  });
});

test('no more than the limit is looked at, and that there are more is said', (t) => {
  const directory = temporaryDirectory(t);
  for (let count = 0; count < 300; count++)
    writeFileSync(path.join(directory, `file-${count}`), '');
  const listing = listDirectory(directory, {maxEntries: 100});
  assert.ok(listing.at === 'read' && listing.isCut && listing.entries.length === 100);
  const all = listDirectory(directory, {maxEntries: 300});
  assert.ok(all.at === 'read' && !all.isCut && all.entries.length === 300);
});

test('what is no directory, or a link to one, is refused', async (t) => {
  const root = temporaryDirectory(t);
  const [outside, inner] = [path.join(root, 'outside'), path.join(root, 'inner')];
  for (const directory of [outside, inner]) mkdirSync(directory);
  writeFileSync(path.join(inner, 'name'), '');
  for (const [index, hostile] of hostileFiles.entries()) {
    const file = path.join(root, `place-${index}`);
    await hostile.make(file, {t, outside});
    if (hostile.name !== 'a directory')
      assert.equal(listDirectory(file, {maxEntries: 10}).at, 'refused', hostile.name);
  }

  symlinkSync(inner, path.join(root, 'link'));
  for (const options of [
    {},
    {below: root},
    {below: path.join(root, 'place'), links: 'inside'},
  ] as const)
    assert.deepEqual(namesIn(path.join(root, 'link'), {maxEntries: 10, ...options}), []);
  assert.deepEqual(
    namesIn(path.join(root, 'link'), {maxEntries: 10, below: root, links: 'inside'}),
    ['name'],
  );
  assert.deepEqual(namesIn(path.join(root, 'none'), {maxEntries: 10}), []);
});

test('a tree is walked to its bounds and not over links', (t) => {
  const root = temporaryDirectory(t);
  mkdirSync(path.join(root, 'a', 'b', 'c', 'd'), {recursive: true});
  symlinkSync('..', path.join(root, 'a', 'up'));
  writeFileSync(path.join(root, 'z'), '');
  const names = (maxEntries: number, maxDepth: number): string[] =>
    walkTree(root, {maxEntries, maxDepth}).map(({name}) => name);
  assert.deepEqual(names(100, 10), ['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/up', 'z']);
  assert.deepEqual(names(100, 2), ['a', 'a/b', 'a/up', 'z']);
  assert.deepEqual(names(3, 10), ['a', 'a/b', 'a/b/c']);
});

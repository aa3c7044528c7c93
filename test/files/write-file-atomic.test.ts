import assert from 'node:assert/strict';
import path from 'node:path';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, test} from 'node:test';
import {copyRegularFile, makeDirectories, writeFileAtomic} from '../../source/files/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';
import {hostileFiles, replaceParent, secretText} from '../support/hostile-files.ts';

test('a file is there as a whole, with its mode, and nothing beside it', (t) => {
  const root = temporaryDirectory(t);
  const file = path.join(root, 'a', 'b', 'file');
  writeFileAtomic(file, 'first', {below: root});
  writeFileAtomic(file, Buffer.from('second'), {below: root, mode: 0o640, isDurable: true});
  assert.equal(readFileSync(file, 'utf8'), 'second');
  assert.equal(lstatSync(file).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(path.dirname(file)), ['file']);
});

describe('whatever somebody put at the name of the file or of its half is replaced and not followed:', () => {
  for (const hostile of hostileFiles.filter(({name}) => name !== 'a directory')) {
    test(hostile.name, async (t) => {
      const root = temporaryDirectory(t);
      const [place, outside] = [path.join(root, 'place'), path.join(root, 'outside')];
      for (const directory of [place, outside]) mkdirSync(directory);
      for (const name of ['file', '.file.tmp'])
        await hostile.make(path.join(place, name), {t, outside});
      writeFileAtomic(path.join(place, 'file'), 'text', {below: root});
      writeFileAtomic(path.join(place, 'file'), 'text');
      assert.equal(readFileSync(path.join(place, 'file'), 'utf8'), 'text');
      assert.ok(lstatSync(path.join(place, 'file')).isFile());
      assert.deepEqual(readdirSync(place), ['file']);
      if (existsSync(path.join(outside, 'secret')))
        assert.equal(readFileSync(path.join(outside, 'secret'), 'utf8'), secretText);
    });
  }
});

test("a directory at the name of the half is in nobody's way; one at the name of the file is said", (t) => {
  const root = temporaryDirectory(t);
  mkdirSync(path.join(root, '.file.tmp', 'full'), {recursive: true});
  writeFileAtomic(path.join(root, 'file'), 'text', {below: root});
  assert.deepEqual(readdirSync(root), ['.file.tmp', 'file']);
  mkdirSync(path.join(root, 'other'));
  assert.throws(() => {
    writeFileAtomic(path.join(root, 'other'), 'text', {below: root});
  }, /other cannot be written: a directory is in its place/);
  assert.deepEqual(readdirSync(root), ['.file.tmp', 'file', 'other']);
});

test('a directory that is a link is not written into, nor is one made behind it', (t) => {
  const root = temporaryDirectory(t);
  const [below, outside] = [path.join(root, 'below'), path.join(root, 'outside')];
  for (const directory of [below, outside, path.join(below, 'place')]) mkdirSync(directory);
  replaceParent(path.join(below, 'place', 'file'), outside);
  for (const name of ['place/file', 'place/new/file'])
    assert.throws(() => {
      writeFileAtomic(path.join(below, name), 'text', {below});
    }, /passes through the link .*place/);
  assert.throws(() => {
    makeDirectories(path.join(below, 'place', 'new'), {below});
  }, /passes through the link/);
  assert.throws(() => {
    writeFileAtomic(path.join(below, '..', 'outside', 'file'), 'text', {below});
  }, /is not inside of/);
  assert.deepEqual(readdirSync(path.join(outside, 'elsewhere')), ['file']);
  assert.equal(readFileSync(path.join(outside, 'elsewhere', 'file'), 'utf8'), secretText);
  writeFileSync(path.join(below, 'plain'), '');
  assert.throws(() => {
    writeFileAtomic(path.join(below, 'plain', 'file'), 'text', {below});
  }, /plain is not a directory/);
});

test('a copy is of a regular file, and replaces what stood there', async (t) => {
  const root = temporaryDirectory(t);
  const outside = path.join(root, 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(root, 'from'), 'text');
  symlinkSync(path.join(outside, 'planted'), path.join(root, 'to'));
  assert.deepEqual(
    copyRegularFile(path.join(root, 'from'), path.join(root, 'to'), {maxBytes: 100}),
    {at: 'copied'},
  );
  assert.equal(readFileSync(path.join(root, 'to'), 'utf8'), 'text');
  assert.deepEqual(readdirSync(outside), []);
  for (const hostile of hostileFiles.filter(({isReadableByRoot}) => !isReadableByRoot)) {
    await hostile.make(path.join(root, 'hostile'), {t, outside});
    assert.equal(
      copyRegularFile(path.join(root, 'hostile'), path.join(root, 'to'), {maxBytes: 100}).at,
      'refused',
      hostile.name,
    );
  }

  assert.equal(readFileSync(path.join(root, 'to'), 'utf8'), 'text');
  assert.throws(
    () => copyRegularFile(path.join(root, 'from'), path.join(root, 'none', 'to'), {maxBytes: 100}),
    {code: 'ENOENT'},
  );
});

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {mutations} from '../../scripts/mutation/mutations.ts';

const root = path.join(import.meta.dirname, '..', '..');

test('every mutation still finds its place in the source, exactly once, and changes it', () => {
  for (const {file, find, replace, means} of mutations) {
    assert.equal(
      readFileSync(path.join(root, file), 'utf8').split(find).length - 1,
      1,
      `${file}: ${means}`,
    );
    assert.notEqual(find, replace);
  }
});

test('there are enough of them, each with a meaning of its own', () => {
  assert.ok(mutations.length >= 15);
  assert.equal(new Set(mutations.map(({means}) => means)).size, mutations.length);
});

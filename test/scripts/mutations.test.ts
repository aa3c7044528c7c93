import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {mutations} from '../../scripts/mutation/mutations.ts';
import {plant} from '../../scripts/mutation/plant.ts';

const root = path.join(import.meta.dirname, '..', '..');

test('every mutation still finds its place in the source, exactly once, and changes it', () => {
  for (const {file, find, replace, means} of mutations) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const {count, planted} = plant(source, {find, replace});
    assert.equal(count, 1, `${file}: ${means}`);
    assert.notEqual(planted, source, `${file}: ${means}`);
  }
});

test('the formatter may break a line inside of what a mutation looks for', () => {
  const mutation = {find: 'f(a, {b: 1}) ? c : d', replace: 'c'};
  assert.deepEqual(plant('x = f(\n  a,\n  {\n    b: 1,\n  },\n)\n  ? c\n  : d;', mutation), {
    count: 1,
    planted: 'x = c;',
  });
  assert.equal(plant('x = f(a, {b: 12}) ? c : d;', mutation).count, 0);
});

test('there are enough of them, each with a meaning of its own', () => {
  assert.ok(mutations.length >= 15);
  assert.equal(new Set(mutations.map(({means}) => means)).size, mutations.length);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pluralize} from '../../source/shared/index.ts';

test('a count agrees with its noun', () => {
  assert.equal(pluralize(1, 'file'), '1 file');
  assert.equal(pluralize(0, 'file'), '0 files');
  assert.equal(pluralize(2, 'needs you', 'need you'), '2 need you');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ShareBar} from '../../../source/app/components/ShareBar.tsx';
import {rowsOf} from './render.tsx';

test('takes the room that is left', () => {
  const row = (share: number, columns: number, signs: 'auto' | 'ascii' = 'auto') =>
    rowsOf(<ShareBar share={share} tone="accent" />, {columns, signs}).join('');
  assert.equal(row(0.5, 11), '━━━━━╸─────');
  assert.equal(row(0, 5), '─────');
  assert.equal(row(1, 5), '━━━━━');
  assert.equal(row(7, 5, 'ascii'), '=====');
  assert.equal(row(-1, 5), '─────');
});

test('is skipped by a screen reader: the numbers stand beside it', () => {
  assert.deepEqual(rowsOf(<ShareBar share={0.5} tone="good" />, {isScreenReader: true}), ['']);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createIdleGc} from '../../source/keeper/throttle.ts';
import {eventually} from '../support/eventually.ts';

test('memory is tidied up once after much output, and not after little', async (t) => {
  const tidied: string[] = [];
  const [much, little] = ['much', 'little'].map((name) => createIdleGc(() => tidied.push(name), 1));
  t.after(() => {
    much?.close();
    little?.close();
  });
  little?.passed(200 * 1024);
  much?.passed(200 * 1024);
  much?.passed(200 * 1024);
  await eventually('the first collection', () => tidied.length > 0);
  little?.passed(40 * 1024);
  much?.passed(40 * 1024);
  // A third one that begins later is through: so the others are, too.
  const last = createIdleGc(() => tidied.push('last'), 20);
  t.after(last.close);
  last.passed(256 * 1024);
  await eventually('the last collection', () => tidied.includes('last'));
  assert.deepEqual(tidied, ['much', 'last']);
});

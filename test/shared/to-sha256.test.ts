import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {toSha256} from '../../source/shared/index.ts';

test('the hash of a text is that of its UTF-8, as everybody else counts it', () => {
  for (const text of [
    '',
    'abc',
    '/x/My Project/.git',
    'ünïcode 日本 👍🏽',
    'half \uD83D of a pair',
    'x'.repeat(100_000),
  ]) {
    assert.equal(toSha256(text), createHash('sha256').update(text).digest('hex'));
  }
});

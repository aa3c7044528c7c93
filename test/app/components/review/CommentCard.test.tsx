import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CommentCard, CommentField} from '../../../../source/app/components/review/CommentCard.tsx';
import type {DiffComment} from '../../../../source/app/model/model.ts';
import {press} from '../../screens/fixtures.ts';
import {reviewed} from '../../screens/review-fixture.ts';
import {aBell, aSecond} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintRows,
  rendersAfter,
  rowsOf,
  show,
  withKey,
} from '../render.tsx';

const comment = (text: string): DiffComment =>
  ({path: 'src/a.ts', line: 7, source: '  const a = 1;', text}) as DiffComment;
const card = (text: string, isStray = false) => (
  <CommentCard comment={comment(text)} isStray={isStray} />
);

test('has the comment, that it is not sent, and the keys that are bound', () => {
  const fixture = withKey(reviewed(), 'drop-comment', 'f4');
  const rows = rowsOf(card('Why twice?'), {fixture, columns: 60});
  assert.match(rows[0] ?? '', /^╭─ you, not sent ─+╮$/);
  assert.match(rows[1] ?? '', /^│ Why twice\? +│$/);
  assert.match(rows[2] ?? '', /\S edit {2}F4 delete ─╯$/);
});

test('of a line that is gone names the line', () => {
  assert.equal(rowsOf(card('x', true), {columns: 60})[0], 'Line 7 was: const a = 1;');
});

test('is not cut, and prose at most 110 cells wide', () => {
  const rows = paintRows(card('word '.repeat(60)), {columns: 200});
  assert.equal(rows.join(' ').match(/word/g)?.length, 60);
  assert.ok(rows.every((row) => row.length <= 110));
});

test('is written where it will stand, key by key', async () => {
  const fixture = reviewed();
  assert.equal(
    rowsOf(<CommentField />, {fixture})
      .join('')
      .trim(),
    '',
  );
  press(fixture, 'c');
  const shown = show(<CommentField />, {fixture, columns: 60});
  await shown.write('Why');
  assert.match(shown.rows()[0] ?? '', /^╭─ .+ ─+╮$/);
  assert.match(shown.rows()[1] ?? '', /^│ Why/);
  shown.close();
});

test('comments are foreign after a restart', () => {
  assertSafe(card(hostile, true), {columns: 60});
  assertFits(card(hostile, true), {rows: 50});
  assertAscii(card('Why?'), {fixture: reviewed()});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(card('x'), change, {fixture: reviewed()}), 0);
  });

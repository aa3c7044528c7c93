import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NotesScreen} from '../../../source/app/screens/NotesScreen.tsx';
import {aBell, aNotice, aSecond} from '../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintText,
  rendersAfter,
  show,
  withKey,
} from '../components/render.tsx';
import {type Fixture, happen, nothingYet, open, press} from './fixtures.ts';

const note = (change: object = {}) => ({
  path: '.orchestra/knowledge/2026-10-02-r7-t1.md',
  title: 'Keep the refresh token',
  outcome: 'merged',
  date: '2026-10-02',
  files: [],
  score: 1,
  excerpt: '',
  text: '# Root cause\n\nIt was written too late.',
  ...change,
});

function withNotes(value?: readonly object[]): Fixture {
  const {state, now} = nothingYet();
  const fixture = open(state, now, {columns: 100, rows: 35});
  press(fixture, 'escape', 'f');
  if (value !== undefined) happen(fixture, {type: 'answered', name: 'recall/token', value});
  return fixture;
}

test('before a search it says what notes are, and the key that searches', () => {
  const fixture = withKey(withNotes(), 'search', 'f3');
  assert.match(
    paintText(<NotesScreen />, {fixture, columns: 100}),
    /Notes are written when a task ends, .*F3 searches them/,
  );
});

test('lists what was found beside the note under the cursor', () => {
  const fixture = withNotes([note(), note({path: 'b', title: 'Other', outcome: 'discarded'})]);
  const text = paintText(<NotesScreen />, {fixture, columns: 100});
  assert.match(text, /Notes .*about "token".*2 notes/);
  assert.match(text, /▌ ✓ Keep the ref.*… 2026-10-02 /);
  assert.match(text, /– Other/);
  assert.match(text, /Root cause[^]*It was written too late\./);
});

test('Enter reads the note, Escape goes back', async () => {
  const shown = show(<NotesScreen />, {fixture: withNotes([note()]), columns: 96, rows: 33});
  await shown.write('\r');
  assert.match(shown.text(), /back to the list/);
  await shown.write('\u001B');
  assert.doesNotMatch(shown.text(), /back to the list/);
  shown.close();
});

test('no match says so', () => {
  assert.match(paintText(<NotesScreen />, {fixture: withNotes([]), columns: 90}), /No match\./);
});

test('notes are foreign', () => {
  const fixture = withNotes([note({path: hostile, title: hostile, text: hostile})]);
  assertSafe(<NotesScreen />, {fixture, columns: 90, rows: 33});
  assertFits(<NotesScreen />, {fixture, widths: [60, 100]});
  assertAscii(<NotesScreen />, {fixture: withNotes([note()])});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(
      await rendersAfter(<NotesScreen />, change, {fixture: withNotes([note()]), columns: 96}),
      0,
    );
  });

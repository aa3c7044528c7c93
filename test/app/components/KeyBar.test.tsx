import assert from 'node:assert/strict';
import {test} from 'node:test';
import {KeyBar} from '../../../source/app/components/KeyBar.tsx';
import {happen, press, type} from '../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atNeed, atWork} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  evil,
  paintRows,
  rendersAfter,
  replaceText,
  rowsOf,
  show,
  withKey,
} from './render.tsx';

test('names the keys of the place; commands and help are always there', () => {
  for (const columns of [60, 80, 100]) {
    const [row = '', second = ''] = paintRows(<KeyBar />, {fixture: atWork(), columns});
    assert.match(row, /^ \S.*: commands {2}\? help$/);
    assert.equal(second, '');
  }
});

test('shows the keys that are bound, and each can be clicked', () => {
  const shown = show(<KeyBar />, {fixture: withKey(atWork(), 'help', 'f1'), columns: 98});
  assert.match(shown.text(), /F1 help$/);
  assert.deepEqual(shown.targets().at(-1), {type: 'action', action: 'help', chord: 'f1'});
  shown.close();
});

test('says where typing goes, and the key that ends it', () => {
  const fixture = atWork();
  press(fixture, 'tab', 'tab', 'i');
  assert.match(
    rowsOf(<KeyBar />, {fixture, columns: 98})[0] ?? '',
    /^ TYPING into s4 .*every key goes to the program +Ctrl-\] gives the keys back$/,
  );
  assertFits(<KeyBar />, {fixture, widths: [60, 100]});
});

test('shows what is written, and follows the keys', async () => {
  const fixture = atWork();
  press(fixture, '!');
  const shown = show(<KeyBar />, {fixture, columns: 98});
  await shown.write('ls');
  assert.match(shown.text(), /^ .+: ls +Enter send {1,2}Esc cancel$/);
  await shown.write('\u001B');
  assert.match(shown.text(), /\? help$/);
  shown.close();
});

test('a field on its screen leaves the row to its keys', () => {
  const fixture = atNeed('asked');
  press(fixture, 'enter');
  type(fixture, 'no');
  assert.match(rowsOf(<KeyBar />, {fixture, columns: 98})[0] ?? '', /Enter send {2}Esc cancel/);
});

test('what is typed into is foreign', () => {
  const working = atWork();
  const fixture = {...working, state: replaceText(working.state, 'shell', `Foreign${evil}`)};
  press(fixture, 'tab', 'tab', 'i');
  assert.equal(fixture.model.mode, 'typing');
  assertSafe(<KeyBar />, {fixture, columns: 98});
  assertAscii(<KeyBar />, {fixture: atWork()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = atWork();
    happen(fixture, {type: 'time-passed'});
    assert.equal(await rendersAfter(<KeyBar />, change, {fixture, columns: 98}), 0);
  });

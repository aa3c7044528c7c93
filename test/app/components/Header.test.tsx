import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Header, tabs} from '../../../source/app/components/Header.tsx';
import {aBell, aNotice, aSecond, atStart, atWork, inStory} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  rendersAfter,
  rowsOf,
  show,
  withKey,
  withText,
} from './render.tsx';

test('has the repository, its branch, every tab, and how far the run is', () => {
  const [row = ''] = paintRows(<Header />, {fixture: inStory(), columns: 140});
  assert.match(row, /^ token-service main {3}/);
  for (const {label} of tabs) assert.ok(row.includes(` ${label}`), label);
  assert.match(row, /━+╸?─+ 1\/4 {2}14k$/);
});

test('drops what has no room in its order, and stays one row', () => {
  const [narrow = '', second = ''] = paintRows(<Header />, {fixture: inStory(), columns: 80});
  assert.match(narrow, /token-service main? .*w Work.*1\/4/);
  assert.equal(second, '');
  const [phone = ''] = paintRows(<Header />, {fixture: inStory(), columns: 44, rows: 12});
  assert.match(phone, /^ token-service {3}Work +▲2$/);
});

test('names the product where nothing runs', () => {
  assert.match(paintRows(<Header />, {fixture: atStart(), columns: 120})[0] ?? '', /orchestra$/);
});

test('tabs are clicked, and show the keys that are bound', () => {
  const fixture = withKey(atWork(), 'screen-plan', 'f7');
  const shown = show(<Header />, {fixture, columns: 98});
  assert.match(shown.text(), /F7 Plan/);
  assert.deepEqual(shown.targets()[1], {type: 'action', action: 'screen-plan'});
  shown.close();
});

test('a screen reader hears numbers instead of the bar', () => {
  assert.match(
    rowsOf(<Header />, {fixture: inStory(), columns: 98, isScreenReader: true}).join(' '),
    /1 of 4 merged/,
  );
});

test('a hostile or endless name stays in its row', () => {
  const fixture = withText(atWork(), 'token-service', 'Foreign\u001B[2J\u202E 数🚀');
  assertSafe(<Header />, {fixture, columns: 98});
  assertAscii(<Header />, {fixture: inStory(), columns: 120});
  assertFits(<Header />, {fixture: inStory(), widths: [60, 80, 100, 140]});
  assertFits(<Header />, {
    fixture: withText(inStory(), 'token-service', 'endless '.repeat(40)),
    widths: [60, 80, 100],
  });
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<Header />, change, {fixture: atWork(), columns: 98}), 0);
  });

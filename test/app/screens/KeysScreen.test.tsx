import assert from 'node:assert/strict';
import {test} from 'node:test';
import {KeysScreen} from '../../../source/app/screens/KeysScreen.tsx';
import {aBell, aNotice, aSecond} from '../components/app-fixtures.ts';
import {assertFits, assertSafe, paintText, rendersAfter, show} from '../components/render.tsx';
import {type Fixture, nothingYet, open, press} from './fixtures.ts';

function atKeys(uiState?: unknown): Fixture {
  const {state, now} = nothingYet();
  const fixture = open(state, now, {columns: 100, rows: 35}, uiState);
  press(fixture, 'escape', 'm');
  assert.equal(fixture.model.screen, 'keys');
  return fixture;
}

test('lists bindings with their keys and places; the marked one has its name below', () => {
  const text = paintText(<KeysScreen />, {fixture: atKeys(), columns: 100});
  assert.match(text, /Changing keys +all are default/);
  assert.match(text, /^▌/m);
  assert.match(text, /keys\.\S+ {2}default|stays as it is/);
});

test('what is yours has its mark, and the default beside its name', () => {
  const fixture = atKeys({settings: {keys: {zoom: 'f12'}}});
  const text = paintText(<KeysScreen />, {fixture, columns: 100, rows: 200});
  assert.match(text, /1 is yours, with \*/);
  assert.match(text, /^ {2}\* zoom.* F12/m);
});

test('the cursor walks with the keys, and a row is clicked', async () => {
  const shown = show(<KeysScreen />, {fixture: atKeys(), columns: 96, rows: 33});
  const marked = (): string => shown.rows().find((row) => row.startsWith('▌')) ?? '';
  const before = marked();
  await shown.write('j');
  assert.notEqual(marked(), before);
  assert.deepEqual(shown.targets()[0], {type: 'item', list: 'keys', index: 0});
  shown.close();
});

test('a setting that is ignored is foreign', () => {
  const fixture = atKeys({settings: {keys: {['Foreign\u001B[2J\u202E']: 'f6'}}});
  assertSafe(<KeysScreen />, {fixture, columns: 90, rows: 33});
  assertFits(<KeysScreen />, {fixture, widths: [60, 100]});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<KeysScreen />, change, {fixture: atKeys(), columns: 96}), 0);
  });

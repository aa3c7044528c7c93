import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SettingsScreen} from '../../../source/app/screens/SettingsScreen.tsx';
import {aBell, aNotice, aSecond} from '../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintText,
  rendersAfter,
  rowsOf,
  show,
} from '../components/render.tsx';
import {type Fixture, nothingYet, open, press} from './fixtures.ts';

function atSettings(uiState?: unknown, settingsProblem?: string): Fixture {
  const {state, now} = nothingYet();
  const more = settingsProblem === undefined ? {} : {settingsProblem};
  const fixture = open(state, now, {columns: 100, rows: 35}, uiState, more);
  press(fixture, 'escape', ',');
  assert.equal(fixture.model.screen, 'settings');
  return fixture;
}

test('has every setting with its values, the chosen one marked, and a note', () => {
  const text = paintText(<SettingsScreen />, {fixture: atSettings(), columns: 100});
  assert.match(text, /Settings +for all your repositories/);
  assert.match(text, /^▌ Theme +● \S+ +\d+ of \d+$/m);
  assert.match(text, /Signs +● \S+ +○ ASCII|Signs +● /i);
  assert.match(text, /Keys +default {3}change …/);
});

test('a key changes the one under the cursor', async () => {
  const shown = show(<SettingsScreen />, {fixture: atSettings(), columns: 96, rows: 33});
  await shown.write('j');
  assert.match(shown.rows().find((row) => row.startsWith('▌')) ?? '', /^▌ (?!Theme)/);
  await shown.write('k');
  const before = shown.rows().find((row) => row.startsWith('▌'));
  await shown.write('\r');
  assert.notEqual(
    shown.rows().find((row) => row.startsWith('▌')),
    before,
  );
  shown.close();
});

test('counts the keys that are yours', () => {
  const fixture = atSettings({settings: {keys: {zoom: 'f12'}}});
  assert.match(paintText(<SettingsScreen />, {fixture, columns: 100}), /Keys +1 is yours/);
});

test('a screen reader hears which value is chosen', () => {
  assert.match(
    rowsOf(<SettingsScreen />, {fixture: atSettings(), isScreenReader: true}).join('\n'),
    /, chosen/,
  );
});

test('a file that cannot be read is named; its words are foreign, and cut with a sign', () => {
  const fixture = atSettings(undefined, hostile);
  assertSafe(<SettingsScreen />, {fixture, columns: 90, rows: 33});
  assertFits(<SettingsScreen />, {fixture, widths: [60, 100]});
  assert.match(paintText(<SettingsScreen />, {fixture, columns: 60}), /…$/m);
  assertAscii(<SettingsScreen />, {fixture: atSettings()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<SettingsScreen />, change, {fixture: atSettings()}), 0);
  });

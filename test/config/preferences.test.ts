import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {type TestContext, describe, it} from 'node:test';
import {
  findPreference,
  isPreference,
  preferenceRows,
  preferencesDirectory,
  preferencesProblem,
  readPreferences,
  savePreferences,
} from '../../source/config/index.ts';
import {leaveChords} from '../../source/app/keymap/chord.ts';
import {themeSettings} from '../../source/app/theme/resolve-theme.ts';

const usual = {
  theme: 'auto',
  leave: 'ctrl-]',
  notify: 'bell',
  followsNeedy: false,
  mouse: true,
  signs: 'auto',
  frames: 'full',
  motion: 'calm',
  desktop: true,
  command: '',
  keys: {},
};

describe('what a person prefers', () => {
  it('is the usual where nothing was said', (t) => {
    assert.deepEqual(readPreferences(directoryFor(t)), usual);
  });

  it('is kept for them alone, and read again', (t) => {
    const directory = directoryFor(t);
    savePreferences(directory, {theme: 'nord', command: 'mail -s "$ORCHESTRA_NEED" me'});
    savePreferences(directory, {mouse: false});
    assert.deepEqual(readPreferences(directory), {
      ...usual,
      theme: 'nord',
      command: 'mail -s "$ORCHESTRA_NEED" me',
      mouse: false,
    });
    assert.equal(statSync(path.join(directory, 'settings.json')).mode & 0o777, 0o600);
  });

  it('is said to count for nothing where it cannot be read, for then it is not written either', (t) => {
    const directory = directoryFor(t);
    const file = path.join(directory, 'settings.json');
    assert.equal(preferencesProblem(directory), undefined);
    for (const [text, why] of [
      ['{"theme": "li', 'it is no JSON'],
      ['[]', 'it is no JSON object'],
      ['{}', undefined],
    ] as const) {
      writeFileSync(file, text);
      assert.equal(
        preferencesProblem(directory),
        why === undefined
          ? undefined
          : `${file} is ignored, and changes are not saved: ${why}. Repair it, or remove it.`,
      );
    }
  });

  it('leaves alone what another version wrote', (t) => {
    const directory = directoryFor(t);
    writeFileSync(path.join(directory, 'settings.json'), '{"sound": "gong", "theme": "dark"}');
    savePreferences(directory, {notify: 'off'});
    assert.deepEqual(JSON.parse(readFileSync(path.join(directory, 'settings.json'), 'utf8')), {
      sound: 'gong',
      theme: 'dark',
      notify: 'off',
    });
  });

  it('holds keys by name, of which each is kept by itself', (t) => {
    const directory = directoryFor(t);
    writeFileSync(
      path.join(directory, 'settings.json'),
      '{"keys": {"zoom": "f11", "of-another-version": ["x"]}}',
    );
    savePreferences(directory, {keys: {approve: 'ctrl-a', quit: ['Q', 'f10']}});
    assert.deepEqual(readPreferences(directory).keys, {
      zoom: 'f11',
      'of-another-version': ['x'],
      approve: 'ctrl-a',
      quit: ['Q', 'f10'],
    });
    savePreferences(directory, {keys: {zoom: undefined, approve: undefined, quit: undefined}});
    assert.deepEqual(readPreferences(directory).keys, {'of-another-version': ['x']});
    savePreferences(directory, {keys: {'of-another-version': undefined}});
    assert.equal(
      readFileSync(path.join(directory, 'settings.json'), 'utf8').includes('keys'),
      false,
    );
  });

  it('is a theme that the app has, also by a name of an earlier version', (t) => {
    const directory = directoryFor(t);
    assert.deepEqual(preferenceRows.theme.values, themeSettings);
    for (const [written, meant] of [
      ['dark', 'overture'],
      ['light', 'overture-day'],
      ['high-contrast', 'high-contrast'],
      ['constructor', 'auto'],
    ] as const) {
      writeFileSync(path.join(directory, 'settings.json'), JSON.stringify({theme: written}));
      assert.equal(readPreferences(directory).theme, meant);
    }
  });

  it('is read by a new name and by the old one, and written by the new one', (t) => {
    const directory = directoryFor(t);
    const file = path.join(directory, 'settings.json');
    for (const [text, expected] of [
      ['{"followsNeedy": true}', true],
      ['{"autoFocusNeeds": true}', true],
      ['{"autoFocusNeeds": false, "followsNeedy": true}', false],
      ['{"autoFocusNeeds": "often", "followsNeedy": true}', true],
    ] as const) {
      writeFileSync(file, text);
      assert.equal(readPreferences(directory).followsNeedy, expected, text);
    }

    writeFileSync(file, '{"followsNeedy": true}');
    savePreferences(directory, {followsNeedy: false});
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {autoFocusNeeds: false});
    assert.deepEqual(['followsNeedy', 'autoFocusNeeds', 'needy'].map(findPreference), [
      'followsNeedy',
      'followsNeedy',
      undefined,
    ]);
  });

  it('may be left by any control character that is no other key', (t) => {
    const directory = directoryFor(t);
    assert.deepEqual(preferenceRows.leave.values, leaveChords);
    savePreferences(directory, {leave: 'ctrl-t'});
    assert.equal(readPreferences(directory).leave, 'ctrl-t');
    assert.deepEqual(
      ['ctrl-c', 'ctrl-m', 'ctrl-[', 'x', 'ctrl-'].filter((value) => isPreference('leave', value)),
      [],
    );
  });

  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"theme": 5, "mouse": "yes", "command": 7, "notify": "gong", "keys": ["zoom"]}',
    `{"command": "${'x'.repeat(5000)}"}`,
  ]) {
    it(`is the usual where it is not understood: ${text.slice(0, 30)}`, (t) => {
      const directory = directoryFor(t);
      writeFileSync(path.join(directory, 'settings.json'), text);
      assert.deepEqual(readPreferences(directory), usual);
    });
  }

  it('is never written over when a person made a mistake in it', (t) => {
    const directory = directoryFor(t);
    const file = path.join(directory, 'settings.json');
    writeFileSync(file, '{"theme": "dark",}');
    assert.throws(() => {
      savePreferences(directory, {mouse: false});
    });
    assert.equal(readFileSync(file, 'utf8'), '{"theme": "dark",}');
  });

  it('stands where the system says', () => {
    assert.equal(preferencesDirectory({homedir: '/home/ann'}, {}), '/home/ann/.config/orchestra');
    assert.equal(
      preferencesDirectory({homedir: '/home/ann'}, {XDG_CONFIG_HOME: '/etc/ann'}),
      '/etc/ann/orchestra',
    );
    assert.equal(
      preferencesDirectory({homedir: '/home/ann'}, {XDG_CONFIG_HOME: 'relative'}),
      '/home/ann/.config/orchestra',
    );
  });
});

function directoryFor(t: TestContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-preferences-'));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  return directory;
}

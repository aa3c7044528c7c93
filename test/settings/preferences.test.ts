import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {type TestContext, describe, it} from 'node:test';
import {keepPreferences, preferencesDirectory, readPreferences} from '../../source/settings/index.ts';

const usual = {theme: 'auto', leave: 'ctrl-]', notify: 'bell', followsNeedy: false, mouse: true, desktop: true, command: ''};

describe('what a person prefers', () => {
  it('is the usual where nothing was said', (t) => {
    assert.deepEqual(readPreferences(directoryFor(t)), usual);
  });

  it('is kept for them alone, and read again', (t) => {
    const directory = directoryFor(t);
    keepPreferences(directory, {theme: 'light', command: 'mail -s "$ORCHESTRA_NEED" me'});
    keepPreferences(directory, {mouse: false});
    assert.deepEqual(readPreferences(directory), {...usual, theme: 'light', command: 'mail -s "$ORCHESTRA_NEED" me', mouse: false});
    assert.equal(statSync(path.join(directory, 'settings.json')).mode & 0o777, 0o600);
  });

  it('leaves alone what another version wrote', (t) => {
    const directory = directoryFor(t);
    writeFileSync(path.join(directory, 'settings.json'), '{"sound": "gong", "theme": "dark"}');
    keepPreferences(directory, {notify: 'off'});
    assert.deepEqual(JSON.parse(readFileSync(path.join(directory, 'settings.json'), 'utf8')), {sound: 'gong', theme: 'dark', notify: 'off'});
  });

  for (const text of ['', '{', 'null', '[]', '7', '{"theme": 5, "mouse": "yes", "command": 7, "notify": "gong"}', `{"command": "${'x'.repeat(5000)}"}`]) {
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
    assert.throws(() => { keepPreferences(directory, {mouse: false}); });
    assert.equal(readFileSync(file, 'utf8'), '{"theme": "dark",}');
  });

  it('stands where the system says', () => {
    assert.equal(preferencesDirectory({homedir: '/home/ann'}, {}), '/home/ann/.config/orchestra');
    assert.equal(preferencesDirectory({homedir: '/home/ann'}, {XDG_CONFIG_HOME: '/etc/ann'}), '/etc/ann/orchestra');
    assert.equal(preferencesDirectory({homedir: '/home/ann'}, {XDG_CONFIG_HOME: 'relative'}), '/home/ann/.config/orchestra');
  });
});

function directoryFor(t: TestContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-preferences-'));
  t.after(() => { rmSync(directory, {recursive: true, force: true}); });
  return directory;
}

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {findNewestChange, systemdScopePrefix} from '../../source/system/index.ts';

test('the file that was changed last is found, whatever tools and builds wrote later', (t) => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'orchestra-newest-'));
  t.after(() => {
    rmSync(root, {recursive: true});
  });
  const write = (file: string, seconds: number): void => {
    mkdirSync(path.dirname(path.join(root, file)), {recursive: true});
    writeFileSync(path.join(root, file), '');
    utimesSync(path.join(root, file), seconds, seconds);
  };

  assert.equal(findNewestChange(root), undefined);
  write('src/old.js', 1000);
  write('src/deep/new.js', 2000);
  write('node_modules/x/index.js', 3000);
  write('.git/index', 4000);
  symlinkSync('/etc', path.join(root, 'link'));
  assert.deepEqual(findNewestChange(root), {
    file: path.join(root, 'src/deep/new.js'),
    at: 2_000_000,
  });
  assert.equal(findNewestChange(path.join(root, 'nowhere')), undefined);
});

test('a scope of its own only where the manager that holds it outlives the login', () => {
  const systemdRun = '/usr/bin/systemd-run';
  assert.deepEqual(systemdScopePrefix({systemdRun, lingers: true}), [
    systemdRun,
    '--user',
    '--scope',
    '--quiet',
    '--collect',
    '--',
  ]);
  assert.deepEqual(systemdScopePrefix({systemdRun, lingers: false}), []);
  assert.deepEqual(systemdScopePrefix({systemdRun}), []);
  assert.deepEqual(systemdScopePrefix({systemdRun: undefined, lingers: true}), []);
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, renameSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {findMovedState, recordRepository} from '../../source/config/index.ts';
import {createDaemonFixture, launcher} from '../daemon/support/daemon-fixture.ts';
import {temporaryDirectory} from '../system/fixtures.ts';

test('the state of a repository that was moved is known again; that of a copy, or of one that is still there, is not', (t) => {
  const home = temporaryDirectory(t);
  const [stateHome, old, moved, copy] = ['state', 'old', 'moved', 'copy'].map((name) =>
    path.join(home, name),
  ) as [string, string, string, string];
  const [state, fresh] = [path.join(stateHome, 'one'), path.join(stateHome, 'two')];
  for (const directory of [state, old]) mkdirSync(directory, {recursive: true});
  recordRepository(state, old);
  const find = (commonDirectory: string): unknown =>
    findMovedState({stateHome, stateDirectory: fresh, commonDirectory});
  assert.equal(find(old), undefined);
  cpSync(old, copy, {recursive: true});
  assert.equal(find(copy), undefined, 'a copy');
  renameSync(old, moved);
  assert.deepEqual(find(moved), {stateDirectory: state, was: old});
  assert.equal(find(copy), undefined, 'a copy, though the original is gone from its place');
  mkdirSync(old);
  assert.deepEqual(find(moved), {stateDirectory: state, was: old}, 'another one is there by now');
  for (const nonsense of ['', '{}', 'null', '[1]', '{"commonDirectory": 7}']) {
    mkdirSync(path.join(stateHome, 'zero'), {recursive: true});
    writeFileSync(path.join(stateHome, 'zero', 'repository.json'), nonsense);
    assert.deepEqual(find(moved), {stateDirectory: state, was: old});
  }

  mkdirSync(fresh);
  writeFileSync(path.join(fresh, 'journal.jsonl'), '');
  assert.equal(find(moved), undefined, 'it has a state of its own here');
});

test('in a repository that was moved a command says where it was, and how to go on; back there all is as before', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('true');
  await fixture.endOf('s1');
  await fixture.killDaemon('SIGTERM');
  const elsewhere = path.join(fixture.home, 'elsewhere');
  renameSync(fixture.root, elsewhere);
  const there = (...argv: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [launcher, ...argv], {
      cwd: elsewhere,
      env: fixture.env,
      encoding: 'utf8',
    });
  for (const argv of [['status'], ['sessions'], ['needs'], ['brief']]) {
    const {status, stderr} = there(...argv);
    assert.equal(status, 2);
    assert.match(
      String(stderr),
      new RegExp(
        `^orchestra: this repository was at ${fixture.root} when orchestra worked in it.*move it back: mv ${elsewhere} ${fixture.root}\\. To start fresh at ${elsewhere}: orchestra daemon start\\n$`,
      ),
    );
  }

  assert.equal(there('daemon', 'start').status, 0);
  assert.equal(there('status').status, 0, 'the person has decided');
  assert.equal(there('daemon', 'stop').status, 0);
  renameSync(elsewhere, fixture.root);
  assert.match(fixture.run('sessions', '--all').out, /s1/);
});

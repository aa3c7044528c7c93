import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {createDaemonFixture, type DaemonFixture} from './support/daemon-fixture.ts';

/** A disk of its own, where this user may mount one. */
function mountSmall(t: TestContext): {readonly directory: string; readonly isMounted: boolean} {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-full-'));
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', directory]).status === 0;
  t.after(() => {
    if (isMounted) execFileSync('umount', ['-l', directory]);
    rmSync(directory, {recursive: true});
  });
  return {directory, isMounted};
}

function fill(directory: string): void {
  const {bavail, bsize} = statfsSync(directory);
  writeFileSync(path.join(directory, 'ballast'), Buffer.alloc(bavail * bsize));
}

const placeOn = (t: TestContext, small: string, isState: boolean): DaemonFixture =>
  createDaemonFixture(
    t,
    isState ? {XDG_STATE_HOME: small, XDG_RUNTIME_DIR: small} : {XDG_RUNTIME_DIR: small},
  );

for (const isState of [true, false]) {
  test(`a daemon that cannot start because the disk of its ${isState ? 'state and its socket' : 'socket'} is full says so, and starts when there is room`, async (t) => {
    const small = mountSmall(t);
    const fixture = placeOn(t, small.directory, isState);
    if (!small.isMounted) {
      t.skip('this user may not mount a small disk');
      return;
    }

    for (const isFirst of [true, false]) {
      fill(small.directory);
      const {code, err} = await fixture.launch('status');
      assert.notEqual(code, 0, isFirst ? 'the first start' : 'a later one');
      assert.match(err, /ENOSPC/);
      assert.doesNotMatch(err, /does not start: +\(/, 'there is a reason');
      assert.match(err, /[Ff]ree some space|no daemon can start here/);
      assert.deepEqual(
        readdirSync(fixture.current().runtimeDirectory).filter((name) => name.startsWith('probe-')),
        [],
      );
      rmSync(path.join(small.directory, 'ballast'));
      assert.equal((await fixture.launch('status')).code, 0);
      await fixture.killDaemon('SIGTERM');
      // The token of the first start would be enough for the second.
      for (const name of readdirSync(fixture.current().runtimeDirectory).filter((one) =>
        one.endsWith('.token'),
      ))
        rmSync(path.join(fixture.current().runtimeDirectory, name));
    }

    assert.ok(existsSync(path.join(fixture.current().stateDirectory, 'journal.jsonl')));
  });
}

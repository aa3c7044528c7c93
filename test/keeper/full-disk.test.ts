import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {connect} from './support/client.ts';
import {
  getExit,
  getLog,
  launchWithClient,
  prepare,
  release,
  startKeeperFixture,
} from './support/keeper-fixture.ts';

type SmallDisk = {readonly base: string; readonly fill: () => void; readonly relieve: () => void};

/** A file system of 1 MB, where this user may mount one. */
function mountSmallDisk(t: TestContext): SmallDisk | undefined {
  const base = mkdtempSync(path.join(os.tmpdir(), 'oks-'));
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', base]).status === 0;
  t.after(() => {
    if (isMounted) execFileSync('umount', ['-l', base]);
    rmSync(base, {recursive: true});
  });
  if (!isMounted) {
    t.skip('only where a file system may be mounted');
    return undefined;
  }

  const ballast = path.join(base, 'ballast');
  return {
    base,
    fill: () => {
      const {bavail, bsize} = statfsSync(base);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    },
    relieve: () => {
      rmSync(ballast, {force: true});
      execFileSync('mount', ['-o', 'remount,size=16m', base]);
    },
  };
}

test('on a full disk the program is held up and nothing is lost; it goes on by itself when there is room', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === undefined) return;
  const pattern = Buffer.from(
    Array.from({length: 300_000}, (_, index) => `${String(index).padStart(9, '.')}\n`).join(''),
  );
  const file = path.join(prepare(t, '').directory, 'pattern');
  writeFileSync(file, pattern);
  const keeper = await startKeeperFixture(t, `stty raw -echo; cat ${file}; exit 5`, {
    base: disk.base,
  });
  const client = await launchWithClient(keeper);
  const stalled = await eventually('the keeper says that the disk is full', async () => {
    client.ask({type: 'status'});
    const status = await client.onMessage('status');
    return status.stalled !== undefined && status;
  });
  assert.equal(stalled.stalled, 'ENOSPC');
  assert.equal(stalled.phase, 'running');
  assert(stalled.bytes > 500_000 && stalled.bytes < 1_048_576);
  client.type(7, 'an input can still be remembered\n');
  await client.onMessage('typed');
  disk.relieve();
  const exit = await client.onMessage('exit');
  assert.deepEqual([exit.code, exit.bytes], [5, pattern.length]);
  assert(client.output().equals(pattern));
  assert(getLog(keeper.directory).equals(pattern));
  await release(keeper, client);
});

test('when the disk is full at the end, the exit is told only after it could be written', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === undefined) return;
  const keeper = await startKeeperFixture(t, 'read line; echo "<$line>"; exit 6', {
    base: disk.base,
  });
  const client = await launchWithClient(keeper);
  disk.fill();
  client.type(1, 'x\n');
  await eventually('the keeper says that the disk is full', async () => {
    client.ask({type: 'status'});
    return (await client.onMessage('status')).stalled;
  });
  assert.equal(getExit(keeper), undefined);
  assert(!client.replies.some(({type}) => type === 'exit'));
  disk.relieve();
  const {type, ...exit} = await client.onMessage('exit');
  assert.equal(type, 'exit');
  assert.deepEqual(getExit(keeper), exit);
  assert.equal(exit.code, 6);
  assert.equal(getLog(keeper.directory).toString(), 'x\r\n<x>\r\n');
  await release(keeper, client);
});

test('on a full disk nothing is started: go is refused, and can be said again', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === undefined) return;
  const keeper = await startKeeperFixture(t, 'echo ran', {base: disk.base});
  disk.fill();
  const client = await connect(keeper.launch);
  client.ask({type: 'hello', protocol: {min: 1, max: 1}, token: keeper.launch.token});
  client.ask({type: 'attach', from: 0});
  client.ask({type: 'go'});
  assert.deepEqual(await client.onMessage('error'), {type: 'error', code: 'disk', verb: 'go'});
  client.ask({type: 'status'});
  assert.equal((await client.onMessage('status')).phase, 'ready');
  disk.relieve();
  client.ask({type: 'go'});
  await client.onMessage('exit');
  assert.equal(client.output().toString(), 'ran\r\n');
  await release(keeper, client);
});

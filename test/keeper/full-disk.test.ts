import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {type TestContext, test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {connect} from './support/client.ts';
import {exitOf, keepHere, launchWithClient, logOf, prepare, release} from './support/kept.ts';

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
  const kept = await keepHere(t, `stty raw -echo; cat ${file}; exit 5`, {base: disk.base});
  const client = await launchWithClient(kept);
  const stalled = await eventually('the keeper says that the disk is full', async () => {
    client.ask({type: 'status'});
    const status = await client.hear('status');
    return status.stalled !== undefined && status;
  });
  assert.equal(stalled.stalled, 'ENOSPC');
  assert.equal(stalled.phase, 'running');
  assert(stalled.bytes > 500_000 && stalled.bytes < 1_048_576);
  client.type(7, 'an input can still be remembered\n');
  await client.hear('typed');
  disk.relieve();
  const exit = await client.hear('exit');
  assert.deepEqual([exit.code, exit.bytes], [5, pattern.length]);
  assert(client.output().equals(pattern));
  assert(logOf(kept.directory).equals(pattern));
  await release(kept, client);
});

test('when the disk is full at the end, the exit is told only after it could be written', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === undefined) return;
  const kept = await keepHere(t, 'read line; echo "<$line>"; exit 6', {base: disk.base});
  const client = await launchWithClient(kept);
  disk.fill();
  client.type(1, 'x\n');
  await eventually('the keeper says that the disk is full', async () => {
    client.ask({type: 'status'});
    return (await client.hear('status')).stalled;
  });
  assert.equal(exitOf(kept), undefined);
  assert(!client.replies.some(({type}) => type === 'exit'));
  disk.relieve();
  const {type, ...exit} = await client.hear('exit');
  assert.equal(type, 'exit');
  assert.deepEqual(exitOf(kept), exit);
  assert.equal(exit.code, 6);
  assert.equal(logOf(kept.directory).toString(), 'x\r\n<x>\r\n');
  await release(kept, client);
});

test('on a full disk nothing is started: go is refused, and can be said again', async (t) => {
  const disk = mountSmallDisk(t);
  if (disk === undefined) return;
  const kept = await keepHere(t, 'echo ran', {base: disk.base});
  disk.fill();
  const client = await connect(kept.launch);
  client.ask({type: 'hello', protocol: {min: 1, max: 1}, token: kept.launch.token});
  client.ask({type: 'attach', from: 0});
  client.ask({type: 'go'});
  assert.deepEqual(await client.hear('error'), {type: 'error', code: 'disk', verb: 'go'});
  client.ask({type: 'status'});
  assert.equal((await client.hear('status')).phase, 'ready');
  disk.relieve();
  client.ask({type: 'go'});
  await client.hear('exit');
  assert.equal(client.output().toString(), 'ran\r\n');
  await release(kept, client);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {JournalUnavailable} from '../../source/journal/index.ts';
import {createFailingDisk, getError} from './support/failing-disk.ts';
import {createMemoryDisk} from './support/memory-disk.ts';
import {makeSample} from './support/sample.ts';
import {checkHistory, runWorkload} from './support/workload.ts';
import {makeDirectory, note, open} from './support/journal-fixture.ts';

for (const kind of ['ENOSPC', 'EIO', 'short-write'] as const) {
  test(`whichever operation fails once with ${kind}, nothing acknowledged is lost, nothing is there by half, and it goes on`, async (t) => {
    for (let at = 1; ; at += 1) {
      const memory = createMemoryDisk();
      const failing = createFailingDisk(memory.disk, {at, kind, lasts: false});
      const history = await runWorkload('/home/state', failing.disk);
      const message = `${kind} at operation ${at}`;
      assert.equal(failing.openFiles(), 0, message);
      assert.deepEqual(history.lastStatus, {mode: 'writing'}, message);
      assert.ok(
        history.acknowledged.some(
          ({data}) => data['decision'] === 'b7' || data['decision'] === 'b8',
        ),
        message,
      );
      await checkHistory('/home/state', memory.disk, history, message);
      if (!failing.wasHit()) {
        t.diagnostic(`${at - 1} operations`);
        return;
      }
    }
  });

  test(`whichever operation is the first to fail for good with ${kind}, nothing acknowledged is lost and nothing is there by half`, async (t) => {
    for (let at = 1; ; at += 1) {
      const memory = createMemoryDisk();
      const failing = createFailingDisk(memory.disk, {at, kind, lasts: true});
      const history = await runWorkload('/home/state', failing.disk);
      const message = `${kind} from operation ${at} on`;
      assert.equal(failing.openFiles(), 0, message);
      await checkHistory('/home/state', memory.disk, history, message);
      if (!failing.wasHit()) {
        t.diagnostic(`${at - 1} operations`);
        return;
      }
    }
  });
}

test('whenever the power is cut, and however much of what was not synced is kept, nothing acknowledged is lost', async (t) => {
  for (let at = 1; ; at += 1) {
    for (const retained of [0, 0.5, 1]) {
      const memory = createMemoryDisk();
      const failing = createFailingDisk(memory.disk, {at, kind: 'EIO', lasts: true});
      const history = await runWorkload('/home/state', failing.disk);
      memory.cutPower(retained);
      await checkHistory(
        '/home/state',
        memory.disk,
        history,
        `power cut at operation ${at}, ${retained} kept`,
      );
      if (!failing.wasHit()) {
        t.diagnostic(`${at - 1} operations`);
        return;
      }
    }
  }
});

test('whichever operation fails while a torn end is saved, its bytes are still in the file or already in the copy', async (t) => {
  for (let at = 1; ; at += 1) {
    for (const retained of [0, 1]) {
      const memory = createMemoryDisk();
      const {bytes, entries, records} = makeSample();
      const {before, decisionStart} = records.at(-1)!;
      memory.write('/state/journal.jsonl', bytes.subarray(0, -7));
      const failing = createFailingDisk(memory.disk, {at, kind: 'EIO', lasts: true});
      const opening = await open('/state', {disk: failing.disk}).catch(() => undefined);
      await opening?.journal.close();
      memory.cutPower(retained);

      const message = `EIO from operation ${at} on, ${retained} kept`;
      const again = await open('/state', {disk: memory.disk});
      await again.journal.close();
      assert.deepEqual(again.entries, entries.slice(0, before), message);
      const copies = memory.names().filter((name) => name.startsWith('/state/torn-'));
      assert.ok(copies.length > 0, message);
      for (const copy of copies)
        assert.deepEqual(memory.read(copy), bytes.subarray(decisionStart, -7), message);
      if (!failing.wasHit()) {
        t.diagnostic(`${at - 1} operations`);
        return;
      }
    }
  }
});

test('the same faults on real files, for every seventh operation', async (t) => {
  for (let at = 1; ; at += 7) {
    const directory = makeDirectory(t);
    const failing = createFailingDisk(realDisk, {at, kind: 'ENOSPC', lasts: at % 2 === 0});
    const history = await runWorkload(directory, failing.disk);
    await checkHistory(directory, realDisk, history, `ENOSPC at operation ${at}`);
    if (!failing.wasHit()) return;
  }
});

/** A disk whose operations a test replaces while the journal is open. */
function createChangeableDisk(under: Disk): {disk: Disk; change: (changes: Partial<Disk>) => void} {
  const current: Record<string, unknown> = {...under};
  return {
    disk: new Proxy(under, {get: (_, name) => current[name as string]}),
    change: (changes) => void Object.assign(current, changes),
  };
}

test('a failed sync is not tried again: the append is refused and taken back, the file is read anew, and the next append works', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const {journal, notices} = await open('/state', {disk});
  await journal.append([note('one')]);
  const before = memory.read('/state/journal.jsonl');

  const synced: number[] = [];
  change({
    datasync: (fd) => {
      synced.push(fd);
      return synced.length === 1
        ? Promise.reject(getError('EIO', 'fdatasync'))
        : memory.disk.datasync(fd);
    },
  });
  await assert.rejects(
    journal.append([note('lost')]),
    new JournalUnavailable(
      'EIO: injected, fdatasync, so it may not be on the disk and was removed',
    ),
  );
  assert.deepEqual(memory.read('/state/journal.jsonl'), before);
  assert.deepEqual(notices, [
    {
      kind: 'sync-failed',
      reason: 'EIO: injected, fdatasync, so it may not be on the disk and was removed',
    },
  ]);
  assert.deepEqual(journal.status(), {mode: 'writing'});
  assert.equal(
    new Set(synced).size,
    synced.length,
    'no descriptor is synced again after it failed',
  );

  const [two] = await journal.append([note('two')]);
  assert.equal(two!.seq, 2);
  await journal.close();
});

test('a file that reads differently after a failed sync makes the journal read-only', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const {journal, notices} = await open('/state', {disk});
  await journal.append([note('one')]);
  const damaged = memory.read('/state/journal.jsonl').toString().replace('one', 'two');
  change({
    datasync: () => {
      memory.write('/state/journal.jsonl', Buffer.from(damaged));
      change({datasync: memory.disk.datasync});
      return Promise.reject(getError('EIO', 'fdatasync'));
    },
  });
  await assert.rejects(journal.append([note('lost')]), JournalUnavailable);
  const status = journal.status();
  assert.ok(status.mode === 'read-only');
  assert.match(
    status.reason,
    /should end after record 1 at byte \d+, but reads as torn after record 0 at byte 0\. .*doctor --journal/,
  );
  assert.deepEqual(notices, [{kind: 'read-only', reason: status.reason}]);
  await assert.rejects(journal.append([note('more')]), JournalUnavailable);
  assert.deepEqual(await journal.retry(), status);
  await journal.close();
  assert.equal(memory.read('/state/journal.jsonl').toString(), damaged);
});

test('a disk that is found full only at the sync degrades the journal as one that is found full at the write', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const {journal, notices} = await open('/state', {disk});
  change({
    datasync: () => {
      change({datasync: memory.disk.datasync});
      return Promise.reject(getError('ENOSPC', 'fdatasync'));
    },
  });
  await assert.rejects(
    journal.append([note('lost')]),
    /ENOSPC: injected, fdatasync\. Free some space/,
  );
  assert.equal(journal.status().mode, 'degraded');
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  assert.partialDeepStrictEqual(notices, [
    {kind: 'degraded', entry: {seq: 1, type: 'disk-full'}},
    {kind: 'recovered'},
  ]);
  await journal.close();
});

test('a half-written append that cannot be taken back at once is never written behind', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const {journal, notices} = await open('/state', {disk});
  await journal.append([note('one')]);
  const sound = memory.read('/state/journal.jsonl');
  change({
    write: (fd, bytes) => memory.disk.write(fd, bytes.subarray(0, 20)),
    truncate: () => {
      throw getError('EIO', 'ftruncate');
    },
  });
  await assert.rejects(journal.append([note('half')]), JournalUnavailable);
  assert.equal((await journal.retry()).mode, 'degraded');
  assert.equal(memory.read('/state/journal.jsonl').length, sound.length + 20);
  assert.deepEqual(
    notices.map((notice) => Object.keys(notice)),
    [['kind', 'reason']],
    'no record of the full disk either',
  );
  change(memory.disk);
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  assert.deepEqual(memory.read('/state/journal.jsonl'), sound);
  assert.equal((await journal.append([note('two')]))[0]!.seq, 2);
  await journal.close();
});

test('what a killed process had written but not synced is durable once it is believed', async () => {
  const memory = createMemoryDisk();
  const {bytes, entries} = makeSample();
  memory.disk.makeDirectory('/state/blobs');
  const fd = memory.disk.open('/state/journal.jsonl', 'w');
  memory.disk.write(fd, bytes);
  memory.disk.close(fd);
  const first = await open('/state', {disk: memory.disk});
  await first.journal.close();
  assert.equal(first.entries.length, entries.length);
  memory.cutPower(0);
  const second = await open('/state', {disk: memory.disk});
  await second.journal.close();
  assert.deepEqual(second.entries, first.entries);
});

test('a directory that becomes read-only degrades the journal, and it goes on when that is over', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const {journal, notices} = await open('/state', {disk});
  await journal.append([note('one')]);
  const refuse = (): never => {
    throw getError('EROFS', 'write');
  };
  change({
    write: refuse,
    truncate: refuse,
    remove: refuse,
    rename: refuse,
    open: (file, flags) => (flags === 'r' ? memory.disk.open(file, flags) : refuse()),
  });
  await assert.rejects(
    journal.append([note('lost')]),
    /EROFS: injected, write\. Make \/state writable; the journal then continues by itself\./,
  );
  assert.equal((await journal.retry()).mode, 'degraded');
  assert.ok(memory.names().includes('/state/reserve'), 'the reserve is for a full disk only');
  change(memory.disk);
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  assert.deepEqual(
    notices.map(({kind}) => kind),
    ['degraded', 'recovered'],
  );
  assert.equal((await journal.append([note('two')]))[0]!.seq, 2);
  await journal.close();
});

test('a journal that cannot be written from the start is degraded, not lost', async () => {
  const memory = createMemoryDisk();
  const {disk, change} = createChangeableDisk(memory.disk);
  const first = await open('/state', {disk});
  await first.journal.append([note('one')]);
  await first.journal.close();
  change({
    open: (file, flags) => {
      if (flags !== 'r') throw getError('EROFS', 'open');
      return memory.disk.open(file, flags);
    },
  });
  const {journal, entries} = await open('/state', {disk});
  assert.equal(entries.length, 1);
  assert.equal(journal.status().mode, 'degraded');
  await assert.rejects(journal.append([note('two')]), JournalUnavailable);
  change(memory.disk);
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  await journal.close();
});

test('a journal that cannot be read at all does not open', async () => {
  const {disk} = createChangeableDisk(createMemoryDisk().disk);
  const refuse = (): never => {
    throw getError('EACCES', 'open');
  };
  await assert.rejects(open('/state', {disk: {...disk, open: refuse}}), /EACCES/);
});

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {type Entry, JournalUnavailable} from '../../source/journal/index.ts';
import {createSmallDisk} from './support/small-disk.ts';
import {entriesIn, makeDirectory, note, open} from './support/journal-fixture.ts';

/** A place that can be made nearly full, and spacious again. */
type Tight = {
  readonly directory: string;
  readonly disk: Disk;
  readonly leave: (bytes: number) => void;
  readonly relieve: () => void;
};

function makeSimulated(t: TestContext): Tight {
  const {disk, setFreeSpace} = createSmallDisk();
  return {
    directory: makeDirectory(t),
    disk,
    leave: setFreeSpace,
    relieve: () => {
      setFreeSpace(Number.POSITIVE_INFINITY);
    },
  };
}

/** A real file system of 4 MB, where this user may mount one. */
function makeMounted(t: TestContext): Tight | undefined {
  const mounted = mkdtempSync(path.join(os.tmpdir(), 'orchestra-journal-small-'));
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', mounted]).status === 0;
  t.after(() => {
    // Lazily: a test that fails leaves the journal open.
    if (isMounted) execFileSync('umount', ['-l', mounted]);
    rmSync(mounted, {recursive: true});
  });
  if (!isMounted) return undefined;
  const ballast = path.join(mounted, 'ballast');
  return {
    directory: path.join(mounted, 'state'),
    disk: realDisk,
    leave: (bytes) => {
      const {bavail, bsize} = statfsSync(mounted);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes));
    },
    relieve: () => {
      rmSync(ballast);
    },
  };
}

async function checkFullDisk({directory, disk, leave, relieve}: Tight): Promise<void> {
  const {journal, notices} = await open(directory, {
    disk,
    diskFull: {type: 'disk-full', data: {where: 'state'}},
  });
  const history: Entry[] = [];
  const append = async (text: string): Promise<void> => {
    history.push(...(await journal.append([note(text), note('and more')])));
  };

  await append('there is room');
  leave(100_000);
  const fill = async (): Promise<void> => {
    for (;;) await append('x'.repeat(9000));
  };
  await assert.rejects(fill, (error) => {
    assert.ok(error instanceof JournalUnavailable);
    assert.match(
      error.message,
      /ENOSPC: .*\. Free some space for .+; the journal then continues by itself\.$/,
    );
    return true;
  });
  assert.ok(history.length > 2, 'some records found room');

  assert.equal(
    (await journal.retry()).mode,
    'degraded',
    'the room that the reserve gave up is not taken for space',
  );
  await assert.rejects(journal.append([note('while it is full')]), JournalUnavailable);
  assert.equal(existsSync(path.join(directory, 'reserve')), false);
  const [degraded] = notices;
  assert.ok(
    degraded?.kind === 'degraded' && degraded.entry !== undefined,
    'the reserve gave room to write it down',
  );
  assert.partialDeepStrictEqual(degraded.entry, {
    seq: history.length + 1,
    type: 'disk-full',
    data: {where: 'state'},
  });
  history.push(degraded.entry);

  relieve();
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  assert.deepEqual(
    notices.map(({kind}) => kind),
    ['degraded', 'recovered'],
  );
  assert.equal(existsSync(path.join(directory, 'reserve')), true);
  await append('there is room again');
  await journal.close();
  assert.deepEqual(await entriesIn(directory), history);
}

test('a full disk refuses what has no room, writes that down, loses nothing, and goes on when there is room again', async (t) => {
  await checkFullDisk(makeSimulated(t));
});

test('the same on a real file system of 4 MB', async (t) => {
  const mounted = makeMounted(t);
  t.diagnostic(
    mounted === undefined ? 'mount is not permitted: the kernel was simulated' : 'on a tmpfs',
  );
  await checkFullDisk(mounted ?? makeSimulated(t));
});

test('a journal that is opened on a full disk is degraded, and keeps its torn end until there is room to save it', async (t) => {
  const {directory, disk, leave, relieve} = makeSimulated(t);
  const file = path.join(directory, 'journal.jsonl');
  writeFileSync(file, 'torn');
  leave(0);
  const {journal} = await open(directory, {disk});
  assert.equal(journal.status().mode, 'degraded');
  assert.equal(readFileSync(file, 'utf8'), 'torn');
  relieve();
  assert.deepEqual(await journal.retry(), {mode: 'writing'});
  assert.equal(readFileSync(file, 'utf8'), '');
  assert.equal(readFileSync(journal.found.tornCopy!, 'utf8'), 'torn');
  await journal.close();
});

test('appends that wait behind one that finds no room are refused with it', async (t) => {
  const {directory, disk, leave} = makeSimulated(t);
  const {journal} = await open(directory, {disk});
  leave(50);
  const first = journal.append([note('one')]);
  const outcomes = await Promise.allSettled([
    first,
    first.catch(() => journal.append([note('two')])),
    journal.append([note('three')]),
  ]);
  assert.deepEqual(
    outcomes.map(({status}) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  await journal.close();
  assert.deepEqual(
    (await entriesIn(directory)).map(({type}) => type),
    ['disk-full'],
  );
});

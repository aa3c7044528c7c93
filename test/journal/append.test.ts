import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {crc32} from 'node:zlib';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {JournalUnavailable} from '../../source/journal/index.ts';
import {createMemoryDisk} from './support/memory-disk.ts';
import {entriesIn, makeDirectory, note, open} from './support/journal-fixture.ts';

test('a journal that is not there begins: fresh, empty, private to the user', async (t) => {
  const directory = path.join(makeDirectory(t), 'deep', 'state');
  const {journal, entries} = await open(directory);
  t.after(journal.close);
  assert.deepEqual(journal.found, {isFresh: true, records: 0, ending: {kind: 'clean'}});
  assert.deepEqual(journal.status(), {mode: 'writing'});
  assert.deepEqual(entries, []);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.equal(statSync(path.join(directory, 'journal.jsonl')).mode & 0o777, 0o600);
});

test('a journal of no bytes is fresh as well', async (t) => {
  const directory = makeDirectory(t);
  writeFileSync(path.join(directory, 'journal.jsonl'), '');
  const {journal} = await open(directory);
  await journal.close();
  assert.equal(journal.found.isFresh, true);
  assert.equal(journal.status().mode, 'writing');
});

test('one event is one line of the documented format', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  await journal.append([note('a')]);
  await journal.append([note('b\t\n'), note('ü')]);
  await journal.close();
  const lines = readFileSync(path.join(directory, 'journal.jsonl'), 'utf8').split('\n');
  const checksum = (line: string): string => crc32(line.slice(0, -9)).toString(16).padStart(8, '0');
  assert.deepEqual(lines, [
    `{"v":1,"seq":1,"prev":"00000000","at":1700000000001,"mono":"9007199254740995","boot":"b1","type":"noted","data":{"text":"a"}}\t${checksum(lines[0]!)}`,
    `{"v":1,"seq":2,"prev":"${checksum(lines[0]!)}","at":1700000000003,"mono":"9007199254740997","boot":"b1","more":true,"type":"noted","data":{"text":"b\\t\\n"}}\t${checksum(lines[1]!)}`,
    `{"v":1,"seq":3,"prev":"${checksum(lines[1]!)}","at":1700000000003,"mono":"9007199254740997","boot":"b1","type":"noted","data":{"text":"ü"}}\t${checksum(lines[2]!)}`,
    '',
  ]);
});

test('what append gives is what the next start replays', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  const data = {when: new Date(0), nothing: undefined, odd: Number.NaN, text: '\uD800'};
  const given = [
    ...(await journal.append([{type: 'noted', data}])),
    ...(await journal.append([note('two'), note('three')])),
  ];
  await journal.close();
  assert.deepEqual(
    given.map(({seq}) => seq),
    [1, 2, 3],
  );
  assert.deepEqual(given[0]!.data, {when: '1970-01-01T00:00:00.000Z', odd: null, text: '\uD800'});
  assert.deepEqual(await entriesIn(directory), given);
});

test('an event that changes after append is remembered as it was', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  const event = note('before');
  const appending = journal.append([event]);
  event.data.text = 'after';
  await appending;
  await journal.close();
  assert.deepEqual(
    (await entriesIn(directory)).map(({data}) => data),
    [{text: 'before'}],
  );
});

test('a second start goes on where the first one stopped', async (t) => {
  const directory = makeDirectory(t);
  const first = await open(directory);
  await first.journal.append([note('one')]);
  await first.journal.close();
  const second = await open(directory);
  assert.deepEqual(second.journal.found, {isFresh: false, records: 1, ending: {kind: 'clean'}});
  const [two] = await second.journal.append([note('two')]);
  await second.journal.close();
  assert.equal(two!.seq, 2);
  assert.deepEqual(await entriesIn(directory), [...second.entries, two]);
});

test('a decision without events writes nothing', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  assert.deepEqual(await journal.append([]), []);
  await journal.close();
  assert.equal(statSync(path.join(directory, 'journal.jsonl')).size, 0);
});

test('what the next start could not read is refused, uses up no seq and spoils nothing', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory, {knows: (type) => type !== 'strange'});
  await assert.rejects(
    journal.append([note('fine'), {type: 'strange', data: {}}]),
    /expected an event type that this version knows, got "strange"/,
  );
  await assert.rejects(
    journal.append([{type: 'noted', data: [1] as never}]),
    /expected data to be an object, got \[1\]/,
  );
  await assert.rejects(journal.append([{type: 'noted', data: {big: 1n}}]), TypeError);
  const [entry] = await journal.append([note('one')]);
  assert.equal(entry!.seq, 1);
  await journal.close();
});

test('the record of a full disk must be one that the next start can read', async (t) => {
  await assert.rejects(
    open(makeDirectory(t), {knows: (type) => type === 'noted'}),
    /expected `knows` to accept the record of a full disk, but it refuses "disk-full"/,
  );
});

test('close waits for the appends under way and refuses the next', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  const appending = journal.append([note('one')]);
  const closing = journal.close();
  await assert.rejects(journal.append([note('two')]), new JournalUnavailable('it is closed'));
  assert.equal((await appending).length, 1);
  await closing;
  await journal.close();
  assert.equal((await journal.retry()).mode, 'writing');
  assert.equal((await entriesIn(directory)).length, 1);
});

test('a decision that is longer than the window it is read through is read whole', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  const given = [
    ...(await journal.append([note('small')])),
    ...(await journal.append([note('x'.repeat(900_000)), note('y'.repeat(3_000_000)), note('z')])),
    ...(await journal.append([note('small')])),
  ];
  await journal.close();
  assert.deepEqual(await entriesIn(directory), given);
});

/** Counts the syncs of the journal, and lets the test decide when one is done. */
function createSyncGate(under: Disk): {
  disk: Disk;
  syncs: () => number;
  release: () => void;
  hold: () => void;
} {
  let syncs = 0;
  let isHeld = false;
  const held: (() => void)[] = [];
  return {
    disk: {
      ...under,
      datasync: async (fd) => {
        syncs += 1;
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        await under.datasync(fd);
      },
    },
    syncs: () => syncs,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const resolve of held.splice(0)) resolve();
    },
  };
}

test('an append is not acknowledged before its sync, and those that come meanwhile share the next one', async () => {
  const gate = createSyncGate(createMemoryDisk().disk);
  const {journal} = await open('/state', {disk: gate.disk});
  const before = gate.syncs();
  gate.hold();
  const acknowledged: number[] = [];
  const append = async (text: string): Promise<void> => {
    for (const {seq} of await journal.append([note(text)])) acknowledged.push(seq);
  };

  const first = append('first');
  await turnOfTheLoop();
  assert.equal(gate.syncs() - before, 1);
  const others = [append('second'), append('third'), append('fourth')];
  await turnOfTheLoop();
  assert.equal(gate.syncs() - before, 1);
  assert.deepEqual(acknowledged, []);
  gate.release();
  await Promise.all([first, ...others]);
  assert.deepEqual(acknowledged, [1, 2, 3, 4]);
  assert.equal(gate.syncs() - before, 2);
  await journal.close();
});

test('a lone append waits for its own sync and for nothing else', async () => {
  const {journal} = await open('/state', {disk: createMemoryDisk().disk});
  const order: string[] = [];
  const timer = new Promise<void>((resolve) => {
    setTimeout(() => {
      order.push('the shortest timer');
      resolve();
    }, 0);
  });
  await journal.append([note('alone')]);
  order.push('the append');
  await timer;
  assert.deepEqual(order, ['the append', 'the shortest timer']);
  await journal.close();
});

test('a thousand appends at once are few syncs, in the order of the calls', async (t) => {
  const directory = makeDirectory(t);
  const gate = createSyncGate(realDisk);
  const {journal} = await open(directory, {disk: gate.disk});
  const before = gate.syncs();
  const given = await Promise.all(
    Array.from({length: 1000}, (_, index) => journal.append([note(String(index))])),
  );
  const syncs = gate.syncs() - before;
  await journal.close();
  assert.deepEqual(
    given.map(([entry]) => [entry!.seq, entry!.data['text']]),
    Array.from({length: 1000}, (_, index) => [index + 1, String(index)]),
  );
  assert.deepEqual(await entriesIn(directory), given.flat());
  assert.ok(syncs <= 2, `${syncs} syncs`);
  t.diagnostic(`1,000 appends, ${syncs} syncs`);
});

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

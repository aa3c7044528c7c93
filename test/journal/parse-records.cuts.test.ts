import assert from 'node:assert/strict';
import path from 'node:path';
import type {Buffer} from 'node:buffer';
import {readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {startOfFile} from '../../source/journal/encode-records.ts';
import {parseRecords} from '../../source/journal/parse-records.ts';
import {createMemoryDisk} from './support/memory-disk.ts';
import {makeSample} from './support/sample.ts';
import {makeDirectory, note, open} from './support/journal-fixture.ts';

const {bytes, entries, records} = makeSample();

/**
 * What must be left of the sample when it is cut at a byte: its whole decisions, and nothing else.
 */
function getPrefix(cut: number): {count: number; offset: number} {
  const torn = records.find(({end}) => end > cut);
  if (torn !== undefined) return {count: torn.before, offset: torn.decisionStart};
  return {count: records.length, offset: bytes.length};
}

async function checkCut(
  cut: number,
  directory: string,
  disk: Disk,
  read: (file: string) => Buffer,
): Promise<void> {
  const message = `cut at ${cut}`;
  const {count, offset} = getPrefix(cut);
  const first = await open(directory, {disk});
  assert.deepEqual(first.entries, entries.slice(0, count), message);
  const {ending, tornCopy} = first.journal.found;
  if (cut === offset) {
    assert.deepEqual({ending, tornCopy}, {ending: {kind: 'clean'}, tornCopy: undefined}, message);
  } else {
    assert.partialDeepStrictEqual(
      ending,
      {kind: 'torn', line: count + 1, offset, bytes: cut - offset, perhapsAcknowledged: false},
      message,
    );
    assert.deepEqual(read(tornCopy!), bytes.subarray(offset, cut), message);
    disk.remove(tornCopy!);
  }

  const [added] = await first.journal.append([note('goes on')]);
  await first.journal.close();
  const again = await open(directory, {disk});
  await again.journal.close();
  assert.equal(again.journal.found.ending.kind, 'clean', message);
  assert.deepEqual(again.entries, [...entries.slice(0, count), added], message);
}

test('the sample is worth cutting: 60 records, 8 to 11 kB, the longest over 700 bytes', () => {
  assert.equal(records.length, 60);
  assert.ok(bytes.length > 8000 && bytes.length < 11_000, String(bytes.length));
  assert.ok(Math.max(...records.map(({start, end}) => end - start)) > 700);
  assert.deepEqual(parseRecords(bytes, startOfFile, bytes.length, () => true).entries, entries);
});

test('a file that is cut at any byte opens as its longest whole prefix, keeps the torn bytes, and goes on', async (t) => {
  const memory = createMemoryDisk();
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    memory.write('/state/journal.jsonl', bytes.subarray(0, cut));
    await checkCut(cut, '/state', memory.disk, memory.read);
  }

  t.diagnostic(`${bytes.length + 1} cuts`);
});

test('the same on real files, for some cuts of each record', async (t) => {
  const directory = makeDirectory(t);
  for (const {start, end} of records) {
    for (const cut of [start + 1, end - 10, end - 1, end]) {
      writeFileSync(path.join(directory, 'journal.jsonl'), bytes.subarray(0, cut));
      await checkCut(cut, directory, realDisk, readFileSync);
    }
  }
});

test('opening twice after a cut changes nothing the second time', async (t) => {
  const directory = makeDirectory(t);
  const file = path.join(directory, 'journal.jsonl');
  writeFileSync(file, bytes.subarray(0, -5));
  const first = await open(directory);
  await first.journal.close();
  const after = readFileSync(file);
  const second = await open(directory);
  await second.journal.close();
  assert.deepEqual(readFileSync(file), after);
  assert.deepEqual(second.entries, first.entries);
  assert.equal(second.journal.found.tornCopy, undefined);
});

test('two torn ends in the same millisecond are saved as two files', async (t) => {
  const directory = makeDirectory(t);
  const copies: (string | undefined)[] = [];
  for (const tail of ['one', 'two']) {
    writeFileSync(path.join(directory, 'journal.jsonl'), tail);
    const {journal} = await open(directory);
    await journal.close();
    copies.push(journal.found.tornCopy);
  }

  assert.deepEqual(
    copies.map((copy) => path.basename(copy!)),
    ['torn-1700000000001', 'torn-1700000000001-2'],
  );
  assert.deepEqual(
    copies.map((copy) => readFileSync(copy!, 'utf8')),
    ['one', 'two'],
  );
});

test('a last line that was lost to zeros, as after a power cut, is a torn end', async (t) => {
  const directory = makeDirectory(t);
  const last = records.at(-1)!;
  const zeroed = Uint8Array.from(bytes);
  zeroed.fill(0, last.start + 20);
  writeFileSync(path.join(directory, 'journal.jsonl'), zeroed);
  const {journal, entries: read} = await open(directory);
  await journal.close();
  assert.equal(journal.found.ending.kind, 'torn');
  assert.deepEqual(read, entries.slice(0, last.before));
});

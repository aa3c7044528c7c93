import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {computeChecksum} from '../../source/journal/encode-records.ts';
import {type JournalOptions, JournalUnavailable} from '../../source/journal/index.ts';
import {makeDirectory, note, open} from './support/journal-fixture.ts';

/** A journal of three records, then lines that are made by hand: their checksums hold. */
async function makeJournal(
  directory: string,
  bodyOf: (last: {seq: number; checksum: string}) => string,
): Promise<string> {
  const file = path.join(directory, 'journal.jsonl');
  const {journal} = await open(directory);
  await journal.append([note('one'), note('two')]);
  await journal.append([note('three')]);
  await journal.close();
  const sound = readFileSync(file, 'utf8');
  const body = bodyOf({seq: 3, checksum: sound.slice(-9, -1)});
  const line = `${body}\t${computeChecksum(Buffer.from(body))}\n`;
  writeFileSync(file, sound + line);
  return file;
}

/** Everything in the directory, to show that nothing was written. */
function getContents(directory: string): Record<string, string> {
  const files = readdirSync(directory, {withFileTypes: true}).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({name}) => [name, readFileSync(path.join(directory, name), 'latin1')]),
  );
}

async function checkReadOnly(
  directory: string,
  reason: RegExp,
  options: Partial<JournalOptions> = {},
): Promise<void> {
  const before = getContents(directory);
  const {journal, entries} = await open(directory, options);
  assert.deepEqual(
    entries.map(({data}) => data['text']),
    ['one', 'two', 'three'],
  );
  const status = journal.status();
  assert.ok(status.mode === 'read-only');
  assert.match(status.reason, reason);
  const isRefusal = (error: unknown): boolean =>
    error instanceof JournalUnavailable && reason.test(error.message);
  await assert.rejects(journal.append([note('four')]), isRefusal);
  await assert.rejects(journal.putBlob(Buffer.from('four')), isRefusal);
  assert.deepEqual(await journal.retry(), status);
  await journal.close();
  assert.deepEqual(getContents(directory), before);
}

const fields = '"at":1,"mono":"1","boot":"b1"';

test('a record of a newer version is not skipped: it says which version, and nothing is written', async (t) => {
  const directory = makeDirectory(t);
  await makeJournal(
    directory,
    ({checksum}) => `{"v":2,"seq":4,"prev":"${checksum}","shape":"unheard of"}`,
  );
  await checkReadOnly(
    directory,
    /newer orchestra: record 4 \(byte \d+\) has format version 2\. Use that version\./,
  );
});

test('an unknown type is not skipped: it says which, and nothing is written', async (t) => {
  const directory = makeDirectory(t);
  await makeJournal(
    directory,
    ({checksum}) => `{"v":1,"seq":4,"prev":"${checksum}",${fields},"type":"teleported","data":{}}`,
  );
  await checkReadOnly(
    directory,
    /newer orchestra: record 4 \(byte \d+\) has the unknown type "teleported"\. Use that version\./,
    {knows: (type) => type !== 'teleported'},
  );
});

test('an unknown type inside a decision keeps the whole decision from being believed', async (t) => {
  const directory = makeDirectory(t);
  const file = await makeJournal(
    directory,
    ({checksum}) =>
      `{"v":1,"seq":4,"prev":"${checksum}",${fields},"more":true,"type":"noted","data":{"text":"four"}}`,
  );
  const text = readFileSync(file, 'utf8');
  const body = `{"v":1,"seq":5,"prev":"${text.slice(-9, -1)}",${fields},"type":"teleported","data":{}}`;
  writeFileSync(file, `${text}${body}\t${computeChecksum(Buffer.from(body))}\n`);
  await checkReadOnly(directory, /record 5 .* unknown type "teleported"/, {
    knows: (type) => type !== 'teleported',
  });
});

const misplaced: readonly [string, (last: {seq: number; checksum: string}) => string, RegExp][] = [
  [
    'skips a seq',
    ({checksum}) => `{"v":1,"seq":5,"prev":"${checksum}",${fields},"type":"noted","data":{}}`,
    /line 4, byte \d+: expected seq 4, got 5/,
  ],
  [
    'repeats a seq, as a second writer would',
    ({checksum}) => `{"v":1,"seq":3,"prev":"${checksum}",${fields},"type":"noted","data":{}}`,
    /expected seq 4, got 3/,
  ],
  [
    'follows another record',
    () => `{"v":1,"seq":4,"prev":"deadbeef",${fields},"type":"noted","data":{}}`,
    /expected prev [0-9a-f]{8}, got "deadbeef"/,
  ],
  [
    'lacks a field',
    ({checksum}) => `{"v":1,"seq":4,"prev":"${checksum}",${fields},"type":"noted"}`,
    /a field is missing or has the wrong type/,
  ],
  ['is of no version', () => '{"seq":4}', /it is not a journal record/],
  ['is not JSON', () => 'hello', /it is not a journal record/],
];
for (const [title, bodyOf, reason] of misplaced) {
  test(`a line whose checksum holds but that ${title} is damage even at the end: it was not torn`, async (t) => {
    const directory = makeDirectory(t);
    await makeJournal(directory, bodyOf);
    await checkReadOnly(directory, reason);
  });
}

test('damage in the middle gives what stands before it, names the place, and writes nothing', async (t) => {
  const directory = makeDirectory(t);
  const file = await makeJournal(
    directory,
    ({checksum}) =>
      `{"v":1,"seq":4,"prev":"${checksum}",${fields},"type":"noted","data":{"text":"four"}}`,
  );
  const {journal} = await open(directory);
  await journal.append([note('five')]);
  await journal.close();
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('four', 'fuor'));
  const offset = text.indexOf('{"v":1,"seq":4');
  await checkReadOnly(
    directory,
    new RegExp(
      `damaged at line 4, byte ${offset}: its checksum is [0-9a-f]{8}, but "[0-9a-f]{8}" is written\\. Everything before it is intact`,
    ),
  );
});

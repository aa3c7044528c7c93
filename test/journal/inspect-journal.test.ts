import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {describeEnding, inspectJournal} from '../../source/journal/index.ts';
import {makeDirectory, note, open} from './support/journal-fixture.ts';

const refuse = (): never => {
  throw new Error('the inspector wrote');
};
const readOnly: Disk = {
  ...realDisk,
  open: (file, flags) => (flags === 'r' ? realDisk.open(file, flags) : refuse()),
  write: refuse,
  truncate: refuse,
  rename: refuse,
  remove: refuse,
  makeDirectory: refuse,
  sync: refuse,
  datasync: refuse,
};
const inspect = (directory: string): ReturnType<typeof inspectJournal> =>
  inspectJournal({directory, knows: (type) => type !== 'strange', disk: readOnly});

test('a journal that is there is counted, beside its open writer and without writing', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  t.after(journal.close);
  await journal.append([note('one'), note('two')]);
  await journal.putBlob(Buffer.from('whole'));
  const damaged = await journal.putBlob(Buffer.from('damaged'));
  writeFileSync(path.join(directory, 'blobs', damaged), 'other');
  const bytes = readFileSync(path.join(directory, 'journal.jsonl')).length;
  assert.deepEqual(inspect(directory), {
    records: 2,
    firstSeq: 1,
    lastSeq: 2,
    bytes,
    ending: {kind: 'clean'},
    tornCopies: [],
    blobs: 2,
    damagedBlobs: [damaged],
  });
});

test('a journal that is not there is empty, and still not there afterwards', (t) => {
  const directory = path.join(makeDirectory(t), 'nowhere');
  assert.deepEqual(inspect(directory), {
    records: 0,
    firstSeq: 0,
    lastSeq: 0,
    bytes: 0,
    ending: {kind: 'clean'},
    tornCopies: [],
    blobs: 0,
    damagedBlobs: [],
  });
  assert.equal(existsSync(directory), false);
});

test('a torn end, torn copies and their place are told, and the end stays where it is', async (t) => {
  const directory = makeDirectory(t);
  const file = path.join(directory, 'journal.jsonl');
  const first = await open(directory);
  await first.journal.append([note('one')]);
  await first.journal.close();
  const offset = readFileSync(file).length;
  appendFileSync(file, '{"v":1,"seq":2');
  writeFileSync(path.join(directory, 'torn-17'), 'earlier');
  const before = readFileSync(file);
  const found = inspect(directory);
  assert.deepEqual(found.ending, {
    kind: 'torn',
    line: 2,
    offset,
    bytes: 14,
    wrong: 'it has no newline',
    perhapsAcknowledged: false,
  });
  assert.equal(
    describeEnding(found.ending),
    `The last write was cut off at line 2, byte ${offset}: it has no newline (14 bytes).`,
  );
  assert.deepEqual(found.tornCopies, ['torn-17']);
  assert.deepEqual(readFileSync(file), before);
  assert.ok(!readdirSync(directory).some((name) => name.startsWith('torn-1700')));
});

test('an end that may have been acknowledged is described as one', () => {
  assert.match(
    describeEnding({
      kind: 'torn',
      line: 2,
      offset: 9,
      bytes: 5,
      wrong: 'it is odd',
      perhapsAcknowledged: true,
    })!,
    /may have been acknowledged/,
  );
  assert.equal(describeEnding({kind: 'clean'}), undefined);
});

test('an unknown type is told with its place', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  await journal.append([note('one')]);
  await journal.append([{type: 'strange', data: {}}]);
  await journal.close();
  assert.partialDeepStrictEqual(inspect(directory), {
    records: 1,
    ending: {kind: 'unknown-type', line: 2, type: 'strange'},
  });
});

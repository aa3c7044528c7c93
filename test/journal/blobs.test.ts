import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createFailingDisk} from './support/failing-disk.ts';
import {createMemoryDisk} from './support/memory-disk.ts';
import {makeDirectory, open} from './support/journal-fixture.ts';

const plan = Buffer.from('a plan\n'.repeat(1000));
const name = createHash('sha256').update(plan).digest('hex');

test('a blob is a private file named by its sha256, and comes back as it was', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  assert.equal(await journal.putBlob(plan), name);
  assert.deepEqual(journal.readBlob(name), {kind: 'whole', bytes: plan});
  const file = path.join(directory, 'blobs', name);
  assert.deepEqual(readFileSync(file), plan);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
  await journal.close();
});

test('the same bytes are one blob, however often and at once they are put', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  const names = await Promise.all([
    journal.putBlob(plan),
    journal.putBlob(plan),
    journal.putBlob(Buffer.from('')),
  ]);
  assert.equal(await journal.putBlob(plan), name);
  await journal.close();
  assert.deepEqual(readdirSync(path.join(directory, 'blobs')).sort(), [...new Set(names)].sort());
});

test('a blob that is missing, damaged or misnamed is said to be so', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  await journal.putBlob(plan);
  writeFileSync(path.join(directory, 'blobs', name), plan.subarray(1));
  assert.partialDeepStrictEqual(journal.readBlob(name), {kind: 'damaged'});
  assert.partialDeepStrictEqual(journal.readBlob('0'.repeat(64)), {
    kind: 'missing',
    text: `there is no blob ${'0'.repeat(64)} in ${path.join(directory, 'blobs')}`,
  });
  for (const wrong of [
    '',
    '../journal.jsonl',
    name.toUpperCase(),
    `${name}0`,
    `${name}\n`,
    name.slice(1),
  ]) {
    assert.deepEqual(journal.readBlob(wrong), {
      kind: 'not-a-name',
      text: `expected 64 lower-case hex digits, got ${JSON.stringify(wrong)}`,
    });
  }

  await journal.close();
});

test('putting a damaged blob again mends it', async (t) => {
  const directory = makeDirectory(t);
  const {journal} = await open(directory);
  await journal.putBlob(plan);
  writeFileSync(path.join(directory, 'blobs', name), 'rot');
  await journal.putBlob(plan);
  assert.equal(journal.readBlob(name).kind, 'whole');
  await journal.close();
});

test('a blob whose put was acknowledged survives a power cut, whatever failed before', async () => {
  for (let at = 1; ; at += 1) {
    const memory = createMemoryDisk();
    const {journal: first} = await open('/state', {disk: memory.disk});
    await first.close();
    const failing = createFailingDisk(memory.disk, {at, kind: 'EIO', lasts: false});
    const opening = await open('/state', {disk: failing.disk}).catch(() =>
      open('/state', {disk: failing.disk}),
    );
    await opening.journal.putBlob(plan).catch(() => opening.journal.putBlob(plan));
    memory.cutPower(0);
    const {journal} = await open('/state', {disk: memory.disk});
    assert.equal(journal.readBlob(name).kind, 'whole', `EIO at operation ${at}`);
    if (!failing.wasHit()) return;
  }
});

test('what a crash left half-written in the blobs is swept at the next start', async (t) => {
  const directory = makeDirectory(t);
  const first = await open(directory);
  await first.journal.close();
  writeFileSync(path.join(directory, 'blobs', `${name}.tmp`), 'half');
  const second = await open(directory);
  await second.journal.close();
  assert.deepEqual(readdirSync(path.join(directory, 'blobs')), []);
});

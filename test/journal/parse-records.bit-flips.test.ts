import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {startOfFile} from '../../source/journal/encode-records.ts';
import {parseRecords} from '../../source/journal/parse-records.ts';
import {makeSample, type SampleRecord} from './support/sample.ts';
import {makeDirectory, open} from './support/journal-fixture.ts';

const {bytes, entries, records} = makeSample();
const newline = 0x0a;
/** What a reader must give when `n` records are left, in one string that is quick to compare. */
const prefixes = Array.from({length: entries.length + 1}, (_, count) =>
  JSON.stringify(entries.slice(0, count)),
);

function flipped(position: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[position]! ^= 1 << bit;
  return copy;
}

/**
 * The rule in words: a flip in the last line looks like a write that was cut off, unless it takes
 * away the newline (a whole record shows) or makes one (something follows). Anywhere else it is
 * damage.
 */
function expectedKind(record: SampleRecord, position: number, value: number): 'torn' | 'damaged' {
  const isLast = record.end === bytes.length;
  return isLast && position !== record.end - 1 && value !== newline ? 'torn' : 'damaged';
}

test('each single flipped bit is noticed: no wrong entry is given, and a torn end is told from damage', (t) => {
  const counts = {torn: 0, damaged: 0};
  for (const record of records) {
    for (let position = record.start; position < record.end; position += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const flip = flipped(position, bit);
        const reading = parseRecords(flip, startOfFile, flip.length, () => true);
        const kind = expectedKind(record, position, flip[position]!);
        const isRight =
          reading.ending?.kind === kind &&
          reading.place.offset === record.decisionStart &&
          JSON.stringify(reading.entries) === prefixes[record.before];
        if (!isRight)
          assert.fail(
            `bit ${bit} of byte ${position}: expected ${kind} after ${record.before} records, got ${JSON.stringify(reading.ending)} after ${reading.entries.length}`,
          );
        counts[kind] += 1;
      }
    }
  }

  assert.equal(counts.torn + counts.damaged, bytes.length * 8);
  t.diagnostic(
    `${bytes.length * 8} flips: ${counts.damaged} damaged, ${counts.torn} torn, 0 unnoticed`,
  );
});

test('damage names the line and the byte of the record that was hit', () => {
  const record = records[20]!;
  const {ending} = parseRecords(
    flipped(record.start + 30, 0),
    startOfFile,
    bytes.length,
    () => true,
  );
  assert.partialDeepStrictEqual(ending, {kind: 'damaged', line: 21, offset: record.start});
});

test('on real files a damaged journal is left as it is, and a torn end is saved before it is cut', async (t) => {
  const directory = makeDirectory(t);
  const file = path.join(directory, 'journal.jsonl');
  for (const record of records) {
    for (const [position, bit] of [
      [record.start + 3, 2],
      [record.end - 12, 0],
      [record.end - 1, 3],
    ] as const) {
      const flip = flipped(position, bit);
      writeFileSync(file, flip);
      const {journal, entries: read} = await open(directory);
      await journal.close();
      assert.deepEqual(read, entries.slice(0, record.before));
      if (expectedKind(record, position, flip[position]!) === 'damaged') {
        assert.equal(journal.status().mode, 'read-only');
        assert.deepEqual(readFileSync(file), flip);
      } else {
        assert.equal(journal.status().mode, 'writing');
        assert.deepEqual(readFileSync(file), bytes.subarray(0, record.decisionStart));
        assert.deepEqual(
          readFileSync(journal.found.tornCopy!),
          flip.subarray(record.decisionStart),
        );
        rmSync(journal.found.tornCopy!);
      }
    }
  }
});

test('a last line that ends in a newline but is unsound is reported as perhaps acknowledged', () => {
  const last = records.at(-1)!;
  const {ending} = parseRecords(flipped(last.start + 30, 0), startOfFile, bytes.length, () => true);
  assert.partialDeepStrictEqual(ending, {kind: 'torn', perhapsAcknowledged: true});
});

test('an unsound line is damage, not a torn end, as soon as anything follows it', () => {
  const last = records.at(-1)!;
  const tail = Buffer.concat([flipped(last.start + 30, 0), Buffer.from('{"v":1')]);
  assert.equal(parseRecords(tail, startOfFile, tail.length, () => true).ending?.kind, 'damaged');
});

test('a whole record whose newline was damaged is not cut away, wherever it stands and whatever follows', () => {
  for (const record of records.slice(-2)) {
    const flip = flipped(record.end - 1, 4);
    assert.partialDeepStrictEqual(parseRecords(flip, startOfFile, flip.length, () => true).ending, {
      kind: 'damaged',
      offset: record.start,
    });
    const cut = flip.subarray(0, record.end + 5);
    assert.partialDeepStrictEqual(parseRecords(cut, startOfFile, cut.length, () => true).ending, {
      kind: 'damaged',
      offset: record.start,
    });
  }
});

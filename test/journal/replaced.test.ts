import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {realDisk, type Disk} from '../../source/journal/disk.ts';
import {JournalUnavailable} from '../../source/journal/index.ts';
import {entriesIn, makeDirectory, note, open} from './support/workshop.ts';

type Place = {readonly directory: string; readonly file: string; readonly aside: string};

function prepare(t: TestContext): Place {
  const home = makeDirectory(t);
  const directory = path.join(home, 'state');
  return {directory, file: path.join(directory, 'journal.jsonl'), aside: path.join(home, 'aside')};
}

/** What somebody does to the journal under a running daemon, and what the reason then says. */
const interferences: readonly (readonly [string, (place: Place) => void, RegExp])[] = [
  [
    'removed',
    ({file}) => {
      rmSync(file);
    },
    /is gone/,
  ],
  [
    'renamed',
    ({file, aside}) => {
      renameSync(file, aside);
    },
    /is gone/,
  ],
  [
    'replaced by a copy of itself',
    ({file, aside}) => {
      copyFileSync(file, aside);
      renameSync(aside, file);
    },
    /was replaced by another file/,
  ],
  [
    'replaced by an empty file',
    ({file}) => {
      rmSync(file);
      writeFileSync(file, '');
    },
    /was replaced by another file/,
  ],
  [
    'replaced by a longer file',
    ({file, aside}) => {
      writeFileSync(aside, 'x'.repeat(10_000));
      renameSync(aside, file);
    },
    /was replaced by another file/,
  ],
  [
    'replaced by a link to another file',
    ({file, aside}) => {
      writeFileSync(aside, 'other');
      rmSync(file);
      symlinkSync(aside, file);
    },
    /was replaced by another file/,
  ],
  [
    'replaced by a directory',
    ({file}) => {
      rmSync(file);
      mkdirSync(file);
    },
    /was replaced by another file/,
  ],
  [
    'replaced by a pipe',
    ({file}) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
    /was replaced by another file/,
  ],
  [
    'emptied',
    ({file}) => {
      truncateSync(file);
    },
    /should have \d+ bytes, but has 0/,
  ],
  [
    'cut',
    ({file}) => {
      truncateSync(file, 10);
    },
    /should have \d+ bytes, but has 10/,
  ],
  [
    'appended to',
    ({file}) => {
      appendFileSync(file, 'somebody else\n');
    },
    /should have \d+ bytes, but has/,
  ],
  [
    'overwritten by a text of the same length',
    ({file}) => {
      writeFileSync(file, 'x'.repeat(statSync(file).size));
      utimesSync(file, 1, 1);
    },
    /should end after record 3 at byte \d+, but reads as (?:torn|damaged)/,
  ],
  [
    'in a directory that is renamed',
    ({directory, aside}) => {
      renameSync(directory, aside);
    },
    /is gone/,
  ],
  [
    'in a directory that is removed',
    ({directory}) => {
      rmSync(directory, {recursive: true});
    },
    /is gone/,
  ],
  [
    'in a directory that is made anew',
    ({directory, aside}) => {
      renameSync(directory, aside);
      mkdirSync(directory);
      writeFileSync(path.join(directory, 'journal.jsonl'), '');
    },
    /was replaced by another file/,
  ],
];

/** Everything in the directory, by name and content; `saved-…` is what the journal itself may add. */
function pictureOf(directory: string): Record<string, string> {
  const names = globSync('**', {cwd: directory}).filter(
    (name) => statSync(path.join(directory, name)).isFile() && !name.startsWith('saved-'),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(path.join(directory, name), 'latin1')]),
  );
}

for (const [how, interfere, reason] of interferences) {
  test(`a journal that is ${how} takes nothing more, says so, and changes nothing`, async (t) => {
    const place = prepare(t);
    const {journal, notices} = await open(place.directory);
    t.after(journal.close);
    const acknowledged = await journal.append([note('one'), note('two'), note('three')]);
    const content = readFileSync(place.file);
    interfere(place);
    const before = pictureOf(path.dirname(place.directory));
    await assert.rejects(
      journal.append([note('lost')]),
      (error) =>
        error instanceof JournalUnavailable &&
        reason.test(error.message) &&
        error.message.includes('orchestra daemon restart'),
    );
    await assert.rejects(journal.append([note('lost too')]), JournalUnavailable);
    await assert.rejects(journal.putBlob(Buffer.from('lost')), JournalUnavailable);
    const status = journal.status();
    assert.equal(status.mode, 'read-only');
    assert.deepEqual(await journal.retry(), status, 'it does not come back by itself');
    assert.deepEqual(
      notices.map(({kind}) => kind),
      ['read-only'],
      'it is told once',
    );
    const after = Object.fromEntries(
      Object.entries(pictureOf(path.dirname(place.directory))).filter(
        ([name]) => !path.basename(name).startsWith('saved-'),
      ),
    );
    assert.deepEqual(after, before, 'not a byte was written to what is there');

    // What would be gone for good with the descriptor was copied, if there was still a place for it.
    const [saved] = globSync('saved-*', {cwd: place.directory}).map((name) =>
      path.join(place.directory, name),
    );
    assert.equal(
      saved !== undefined,
      [
        'removed',
        'replaced by a copy of itself',
        'replaced by an empty file',
        'replaced by a longer file',
        'replaced by a link to another file',
        'replaced by a directory',
        'replaced by a pipe',
      ].includes(how),
    );
    if (saved === undefined) return;
    assert.ok('reason' in status && status.reason.includes(saved));
    assert.deepEqual(readFileSync(saved), content);
    await journal.close();
    rmSync(place.file, {recursive: true, force: true});
    renameSync(saved, place.file);
    assert.deepEqual(
      await entriesIn(place.directory),
      acknowledged,
      'moved back, it is the journal again',
    );
  });

  test(`a journal that is ${how} is found so without an append`, async (t) => {
    const place = prepare(t);
    const {journal, notices} = await open(place.directory);
    t.after(journal.close);
    await journal.append([note('one'), note('two'), note('three')]);
    assert.deepEqual(await journal.check(), {mode: 'writing'});
    interfere(place);
    const status = await journal.check();
    assert.ok(status.mode === 'read-only' && reason.test(status.reason));
    assert.deepEqual(
      notices.map(({kind}) => kind),
      ['read-only'],
    );
  });

  // Whoever overwrites a file in that moment with as many bytes is found out at the next append.
  if (how.startsWith('overwritten')) continue;
  test(`a journal that is ${how} between a write and its sync acknowledges nothing`, async (t) => {
    const place = prepare(t);
    let act: () => void = () => undefined;
    const disk: Disk = {
      ...realDisk,
      datasync: async (fd) => {
        act();
        await realDisk.datasync(fd);
      },
    };
    const {journal} = await open(place.directory, {disk});
    t.after(journal.close);
    await journal.append([note('one'), note('two'), note('three')]);
    act = () => {
      interfere(place);
    };
    await assert.rejects(journal.append([note('not acknowledged')]), JournalUnavailable);
    assert.equal(journal.status().mode, 'read-only');
    if (!existsSync(place.aside) || !statSync(place.aside).isFile()) return;
    assert.ok(
      !readFileSync(place.aside, 'latin1').includes('not acknowledged'),
      'what was refused is taken back',
    );
  });
}

test('a journal that was only touched, or read, or copied, goes on', async (t) => {
  const place = prepare(t);
  const {journal} = await open(place.directory);
  await journal.append([note('one')]);
  utimesSync(place.file, 1, 1);
  copyFileSync(place.file, place.aside);
  await journal.append([note('two')]);
  assert.deepEqual(await journal.check(), {mode: 'writing'});
  await journal.close();
  assert.equal((await entriesIn(place.directory)).length, 2);
});

test('a directory of blobs that was removed is made again: what is named afterwards is there', async (t) => {
  const place = prepare(t);
  const {journal} = await open(place.directory);
  t.after(journal.close);
  rmSync(path.join(place.directory, 'blobs'), {recursive: true});
  const name = await journal.putBlob(Buffer.from('the plan'));
  assert.equal(journal.readBlob(name).kind, 'whole');
});

test('a disk that failed and a journal that was replaced meanwhile: the retry changes nothing of what is there', async (t) => {
  for (const [how, interfere] of interferences) {
    const place = prepare(t);
    let fails = false;
    const disk: Disk = {
      ...realDisk,
      write: (fd, bytes) => {
        if (fails) throw Object.assign(new Error('EIO: injected'), {code: 'EIO'});
        return realDisk.write(fd, bytes);
      },
    };
    const {journal} = await open(place.directory, {disk});
    await journal.append([note('one'), note('two'), note('three')]);
    fails = true;
    await assert.rejects(journal.append([note('four')]), JournalUnavailable);
    assert.equal(journal.status().mode, 'degraded', how);
    fails = false;
    interfere(place);
    const before = pictureOf(path.dirname(place.directory));
    // A pipe or a directory in its place cannot be opened: that is not over by itself either.
    assert.notEqual((await journal.retry()).mode, 'writing', how);
    const after = pictureOf(path.dirname(place.directory));
    assert.deepEqual(
      Object.fromEntries(Object.entries(before).map(([name]) => [name, after[name]])),
      before,
      how,
    );
    await journal.close();
  }
});

test('a pipe in the place of the journal does not hold up the start', async (t) => {
  const place = prepare(t);
  mkdirSync(place.directory);
  execFileSync('mkfifo', [place.file]);
  await assert.rejects(open(place.directory), /expected a regular file/);
});

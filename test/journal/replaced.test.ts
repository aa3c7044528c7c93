import assert from 'node:assert/strict';
import path from 'node:path';
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
import {test, type TestContext} from 'node:test';
import {type Disk, realDisk} from '../../source/journal/disk.ts';
import {JournalUnavailable} from '../../source/journal/index.ts';
import {entriesIn, makeDirectory, note, open} from './support/journal-fixture.ts';

type DaemonFixture = {readonly directory: string; readonly file: string; readonly aside: string};

function prepare(t: TestContext): DaemonFixture {
  const home = makeDirectory(t);
  const directory = path.join(home, 'state');
  return {directory, file: path.join(directory, 'journal.jsonl'), aside: path.join(home, 'aside')};
}

/** What somebody does to the journal under a running daemon, and what the reason then says. */
const interferences: readonly (readonly [string, (fixture: DaemonFixture) => void, RegExp])[] = [
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

/**
 * Everything in the directory, by name and content; `saved-…` is what the journal itself may add.
 */
function getPicture(directory: string): Record<string, string> {
  const names = globSync('**', {cwd: directory}).filter(
    (name) => statSync(path.join(directory, name)).isFile() && !name.startsWith('saved-'),
  );
  return Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(path.join(directory, name), 'latin1')]),
  );
}

for (const [how, interfere, reason] of interferences) {
  test(`a journal that is ${how} takes nothing more, says so, and changes nothing`, async (t) => {
    const fixture = prepare(t);
    const {journal, notices} = await open(fixture.directory);
    t.after(journal.close);
    const acknowledged = await journal.append([note('one'), note('two'), note('three')]);
    const content = readFileSync(fixture.file);
    interfere(fixture);
    const before = getPicture(path.dirname(fixture.directory));
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
      Object.entries(getPicture(path.dirname(fixture.directory))).filter(
        ([name]) => !path.basename(name).startsWith('saved-'),
      ),
    );
    assert.deepEqual(after, before, 'not a byte was written to what is there');

    // What would be gone for good with the descriptor was copied, if there was still a place for
    // it.
    const [saved] = globSync('saved-*', {cwd: fixture.directory}).map((name) =>
      path.join(fixture.directory, name),
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
    rmSync(fixture.file, {recursive: true, force: true});
    renameSync(saved, fixture.file);
    assert.deepEqual(
      await entriesIn(fixture.directory),
      acknowledged,
      'moved back, it is the journal again',
    );
  });

  test(`a journal that is ${how} is found so without an append`, async (t) => {
    const fixture = prepare(t);
    const {journal, notices} = await open(fixture.directory);
    t.after(journal.close);
    await journal.append([note('one'), note('two'), note('three')]);
    assert.deepEqual(await journal.check(), {mode: 'writing'});
    interfere(fixture);
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
    const fixture = prepare(t);
    let act: () => void = () => undefined;
    const disk: Disk = {
      ...realDisk,
      datasync: async (fd) => {
        act();
        await realDisk.datasync(fd);
      },
    };
    const {journal} = await open(fixture.directory, {disk});
    t.after(journal.close);
    await journal.append([note('one'), note('two'), note('three')]);
    act = () => {
      interfere(fixture);
    };
    await assert.rejects(journal.append([note('not acknowledged')]), JournalUnavailable);
    assert.equal(journal.status().mode, 'read-only');
    if (!existsSync(fixture.aside) || !statSync(fixture.aside).isFile()) return;
    assert.ok(
      !readFileSync(fixture.aside, 'latin1').includes('not acknowledged'),
      'what was refused is taken back',
    );
  });
}

test('a journal that was only touched, or read, or copied, goes on', async (t) => {
  const fixture = prepare(t);
  const {journal} = await open(fixture.directory);
  await journal.append([note('one')]);
  utimesSync(fixture.file, 1, 1);
  copyFileSync(fixture.file, fixture.aside);
  await journal.append([note('two')]);
  assert.deepEqual(await journal.check(), {mode: 'writing'});
  await journal.close();
  assert.equal((await entriesIn(fixture.directory)).length, 2);
});

test('a directory of blobs that was removed is made again: what is named afterwards is there', async (t) => {
  const fixture = prepare(t);
  const {journal} = await open(fixture.directory);
  t.after(journal.close);
  rmSync(path.join(fixture.directory, 'blobs'), {recursive: true});
  const name = await journal.putBlob(Buffer.from('the plan'));
  assert.equal(journal.readBlob(name).kind, 'whole');
});

test('a disk that failed and a journal that was replaced meanwhile: the retry changes nothing of what is there', async (t) => {
  for (const [how, interfere] of interferences) {
    const fixture = prepare(t);
    let fails = false;
    const disk: Disk = {
      ...realDisk,
      write: (fd, bytes) => {
        if (fails) throw Object.assign(new Error('EIO: injected'), {code: 'EIO'});
        return realDisk.write(fd, bytes);
      },
    };
    const {journal} = await open(fixture.directory, {disk});
    await journal.append([note('one'), note('two'), note('three')]);
    fails = true;
    await assert.rejects(journal.append([note('four')]), JournalUnavailable);
    assert.equal(journal.status().mode, 'degraded', how);
    fails = false;
    interfere(fixture);
    const before = getPicture(path.dirname(fixture.directory));
    // A pipe or a directory in its place cannot be opened: that is not over by itself either.
    assert.notEqual((await journal.retry()).mode, 'writing', how);
    const after = getPicture(path.dirname(fixture.directory));
    assert.deepEqual(
      Object.fromEntries(Object.entries(before).map(([name]) => [name, after[name]])),
      before,
      how,
    );
    await journal.close();
  }
});

test('a pipe in the place of the journal does not hold up the start', async (t) => {
  const fixture = prepare(t);
  mkdirSync(fixture.directory);
  execFileSync('mkfifo', [fixture.file]);
  await assert.rejects(open(fixture.directory), /expected a regular file/);
});

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {giveFiles} from '../../../source/daemon/server/give-files.ts';
import {forgetSecrets} from '../../../source/daemon/launch/exchange.ts';
import {emptyLedger, withLedgerEntry} from '../../../source/shared/index.ts';
import {emptyState, type Session} from '../../../source/domain/index.ts';

const png = Buffer.from('89504e470d0a1a0a00', 'hex');

type Place = {
  readonly context: Parameters<typeof giveFiles>[0] & Parameters<typeof forgetSecrets>[0];
  readonly directory: string;
  readonly state: string;
  readonly worktree: string;
  /** A file beside the repository; its path. */
  readonly write: (name: string, content?: Uint8Array | string) => string;
};

/** A session in a sandbox that replaces `/tmp`, as everywhere but in a repository below it. */
function createPlace(t: TestContext, {isConfined = true, isLive = true} = {}): Place {
  const directory = mkdtempSync('/tmp/orchestra-given-test-');
  const {TMPDIR} = process.env;
  process.env['TMPDIR'] = '/var/tmp';
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    rmSync(directory, {recursive: true, force: true});
  });
  const [root, state, worktree] = ['repository', 'state', 'worktree'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  for (const place of [root, state, worktree]) mkdirSync(place);
  const session = {
    id: 's1',
    life: isLive ? {at: 'running', since: 0} : {at: 'exited', code: 0, signal: null, when: 0},
  } as unknown as Session;
  const known = {
    ...emptyState,
    sessions: withLedgerEntry(emptyLedger, 1, session),
    runs: withLedgerEntry(emptyLedger, 1, {
      id: 'r1',
      worktrees: [{owner: 'r1.t1', path: worktree}],
    } as never),
  };
  return {
    context: {
      state: () => known,
      root,
      stateDirectory: state,
      store: {
        cookieOf: () => 'cookie-s1',
        isConfined: () => isConfined,
        forgetEnvironment: () => undefined,
        removeNote: () => undefined,
      } as never,
      log: () => undefined,
      releaseEnvironment: () => undefined,
    },
    directory,
    state,
    worktree,
    write(name, content = png) {
      const file = path.join(directory, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

test('a file that the sandbox hides is copied under a name of ours, for its user alone', (t) => {
  assert.notEqual(os.tmpdir(), '/var/tmp');
  const {context, state, write} = createPlace(t);
  const text = write('a name; with $(evil) \u001B[31m and more.LOG', 'it went wrong');
  const {files} = giveFiles(context, 's1', {files: [write('shot.of me.jpeg'), text]});
  const [image, log] = files.map((file) => {
    assert.equal(file.at, 'copied');
    return file.path;
  }) as [string, string];
  const given = path.join(state, 'exchange', 'cookie-s1', 'given');
  assert.match(path.relative(given, image), /^image-[\da-f]{8}\.png$/);
  assert.match(path.relative(given, log), /^file-[\da-f]{8}\.log$/);
  assert.deepEqual(readFileSync(image), png);
  assert.equal(readFileSync(log, 'utf8'), 'it went wrong');
  assert.equal(lstatSync(image).mode & 0o777, 0o600);
  assert.equal(lstatSync(given).mode & 0o077, 0);
  forgetSecrets(context, 's1');
  assert.deepEqual([existsSync(image), existsSync(log)], [false, false], 'gone with the session');
});

test('what the program can read is typed as it is', (t) => {
  const {context, worktree, state} = createPlace(t);
  const own = path.join(worktree, 'shot.png');
  writeFileSync(own, png);
  const inState = path.join(state, 'token');
  writeFileSync(inState, 'secret');
  const files = [own, '/etc/hostname', inState, '/nowhere/at/all.png'];
  assert.deepEqual(
    giveFiles(context, 's1', {files}).files.map(({at}) => at),
    ['shown', existsSync('/etc/hostname') ? 'shown' : 'missing', 'shown', 'missing'],
  );
  const free = createPlace(t, {isConfined: false});
  const file = free.write('shot.png');
  assert.deepEqual(giveFiles(free.context, 's1', {files: [file]}), {
    files: [{at: 'shown', path: file}],
  });
});

test('links, pipes, directories and huge files are not copied, nor what an agent linked to', (t) => {
  const {context, directory, worktree, state, write} = createPlace(t);
  const secret = write('secret');
  const link = path.join(directory, 'link.png');
  symlinkSync(secret, link);
  const pipe = path.join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const huge = write('huge.png');
  truncateSync(huge, 32 * 1024 * 1024 + 1);
  const files = [link, pipe, directory, huge];
  for (const copies of [undefined, 'all'] as const)
    assert.deepEqual(
      giveFiles(context, 's1', {files, ...(copies && {copies})}).files.map((file) =>
        file.at === 'refused' ? file.why : file.at,
      ),
      [
        'is a link, and links are not followed here. Put the file itself there',
        'is not a regular file: it is a pipe',
        'is not a regular file: it is a directory',
        'is larger than 32 MiB, the limit',
      ],
    );
  // The agent's own link, in the agent's own worktree, to a place that its sandbox hides.
  symlinkSync(directory, path.join(worktree, 'pictures'));
  const through = path.join(worktree, 'pictures', 'secret');
  assert.deepEqual(giveFiles(context, 's1', {files: [through]}).files, [
    {at: 'shown', path: through},
  ]);
  assert.deepEqual(existsSync(path.join(state, 'exchange')), false, 'nothing was copied');
});

test('a link that an agent puts in the way of the copies leads nowhere', (t) => {
  const {context, directory, state, write} = createPlace(t);
  const file = write('shot.png');
  const elsewhere = path.join(directory, 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(path.join(state, 'exchange', 'cookie-s1'), {recursive: true});
  symlinkSync(elsewhere, path.join(state, 'exchange', 'cookie-s1', 'given'));
  assert.throws(() => giveFiles(context, 's1', {files: [file]}), /given/);
  writeFileSync(path.join(elsewhere, 'precious'), '');
  forgetSecrets(context, 's1');
  assert.ok(existsSync(path.join(elsewhere, 'precious')));
});

test('a request that cannot be met says what was expected', (t) => {
  const {context} = createPlace(t);
  for (const files of [[], ['shot.png'], ['/a\0b'], [`/${'x'.repeat(5000)}`], 'x' as never])
    assert.throws(() => giveFiles(context, 's1', {files}), /expected a list of absolute paths/);
  assert.throws(
    () => giveFiles(context, 's1', {files: Array.from({length: 21}, () => '/x')}),
    /expected at most 20 files at once, got 21/,
  );
  assert.throws(() => giveFiles(context, 's9', {files: ['/x']}), /there is no session s9/);
  const ended = createPlace(t, {isLive: false});
  assert.throws(() => giveFiles(ended.context, 's1', {files: ['/x']}), /s1 has ended/);
});

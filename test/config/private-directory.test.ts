import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {
  chooseRuntimeDirectory,
  ensurePrivateDirectory,
  findDirectoryRefusal,
  inspectDirectory,
  UnsafeDirectoryError,
} from '../../source/config/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';

const uid = process.geteuid?.() ?? -1;

function privateDirectory(t: TestContext): string {
  const directory = path.join(temporaryDirectory(t), 'state');
  mkdirSync(directory, {mode: 0o700});
  return directory;
}

function assertRejected(directory: string, got: RegExp, asked = uid): void {
  assert.throws(
    () => {
      ensurePrivateDirectory(directory, asked);
    },
    (error) =>
      error instanceof UnsafeDirectoryError &&
      error.message.startsWith(
        `${directory}: expected a private directory of your own (mode 0700), got `,
      ) &&
      got.test(error.message),
  );
}

test('a private directory of our own is used as it is', (t) => {
  const directory = privateDirectory(t);
  assert.deepEqual(inspectDirectory(directory, uid), {
    at: 'directory',
    owner: uid,
    mode: 0o700,
    isOurs: true,
    isPrivate: true,
    writable: 'yes',
  });
  ensurePrivateDirectory(directory, uid);
});

test('a missing directory is made with all its parents, closed to others', (t) => {
  const home = temporaryDirectory(t);
  const directory = path.join(home, 'a', 'b');
  assert.deepEqual(inspectDirectory(directory, uid), {
    at: 'missing',
    nearest: home,
    owner: uid,
    writable: 'yes',
  });
  ensurePrivateDirectory(directory, uid);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.equal(statSync(path.dirname(directory)).mode & 0o777, 0o700);
  ensurePrivateDirectory(directory, uid);
});

test('a symbolic link is refused, wherever it leads', (t) => {
  const directory = privateDirectory(t);
  const link = `${directory}-link`;
  symlinkSync(directory, link);
  assert.deepEqual(inspectDirectory(link, uid), {at: 'symlink', target: directory});
  assertRejected(link, /a symbolic link to .*\. Remove the link: rm /);
});

test('a dangling link is refused and nothing is made behind it', (t) => {
  const home = temporaryDirectory(t);
  symlinkSync(path.join(home, 'nowhere'), path.join(home, 'link'));
  assertRejected(path.join(home, 'link'), /a symbolic link/);
  assertRejected(path.join(home, 'link', 'state'), /Check the directories above/);
  assert.deepEqual(readdirSync(home), ['link']);
});

test('a directory that others may enter is refused with the command that closes it', (t) => {
  const directory = privateDirectory(t);
  for (const mode of [0o777, 0o1777, 0o755, 0o770, 0o701]) {
    chmodSync(directory, mode);
    assertRejected(
      directory,
      new RegExp(
        `mode ${mode.toString(8).padStart(4, '0')}, open to other users\\. Close it: chmod 700 `,
      ),
    );
  }

  assert.equal(statSync(directory).mode & 0o777, 0o701, 'what stands there is not changed');
});

test('a directory of another user is refused', (t) => {
  const directory = privateDirectory(t);
  assertRejected(directory, /a directory of another user \(uid \d+\)/, uid + 1);
  if (uid !== 0) return;
  chownSync(directory, 12_345, 12_345);
  assertRejected(directory, /a directory of another user \(uid 12345\)/);
});

test('a file is refused, and so is a path through a file', (t) => {
  const file = path.join(temporaryDirectory(t), 'file');
  writeFileSync(file, '');
  assert.deepEqual(inspectDirectory(file, uid), {at: 'not-a-directory'});
  assertRejected(file, /something that is not a directory/);
  assert.deepEqual(inspectDirectory(path.join(file, 'x'), uid), {
    at: 'unreachable',
    code: 'ENOTDIR',
  });
  assertRejected(path.join(file, 'x'), /ENOTDIR when looking at it/);
});

test('what cannot be written is refused, and the reason is told', () => {
  const ours = {at: 'directory', owner: 1, mode: 0o700, isOurs: true, isPrivate: true} as const;
  assert.equal(findDirectoryRefusal('/s', {...ours, writable: 'yes'}), undefined);
  assert.equal(
    findDirectoryRefusal('/s', {...ours, writable: 'no'})?.got,
    'a directory that is not writable',
  );
  assert.equal(
    findDirectoryRefusal('/s', {...ours, writable: 'read-only-file-system'})?.got,
    'a directory that is on a read-only file system',
  );
  assert.deepEqual(
    findDirectoryRefusal('/h/s', {
      at: 'missing',
      nearest: '/h',
      owner: 1,
      writable: 'read-only-file-system',
    }),
    {
      got: 'nothing, and it cannot be created: /h is on a read-only file system',
      advice: 'See who may write there: ls -ld /h',
    },
  );
});

test('the first runtime directory that can be used is chosen', (t) => {
  const home = temporaryDirectory(t);
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  const runtimeDirectories = [
    path.join(file, 'run'),
    path.join(home, 'run'),
    path.join(home, 'other'),
  ];
  assert.equal(chooseRuntimeDirectory({runtimeDirectories}, uid).path, path.join(home, 'run'));
});

test('an unsafe runtime directory is not passed over in silence', (t) => {
  const home = temporaryDirectory(t);
  mkdirSync(path.join(home, 'run'));
  chmodSync(path.join(home, 'run'), 0o777);
  const {path: chosen, facts} = chooseRuntimeDirectory(
    {runtimeDirectories: [path.join(home, 'run'), path.join(home, 'other')]},
    uid,
  );
  assert.equal(chosen, path.join(home, 'run'));
  assert.match(findDirectoryRefusal(chosen, facts)?.got ?? '', /mode 0777/);
});

test('nothing is made inside the runtime directory of another user', (t) => {
  // As after `sudo -E`: XDG_RUNTIME_DIR is there, but it is somebody else's.
  const theirs = temporaryDirectory(t);
  if (uid === 0) chownSync(theirs, 12_345, 12_345);
  const asked = uid === 0 ? 0 : uid + 1;
  assert.equal(
    chooseRuntimeDirectory(
      {runtimeDirectories: [path.join(theirs, 'orchestra'), '/tmp/orchestra-nobody']},
      asked,
    ).path,
    '/tmp/orchestra-nobody',
  );
});

test('when no runtime directory can be used, the last one is chosen so that its refusal is told', (t) => {
  const file = path.join(temporaryDirectory(t), 'file');
  writeFileSync(file, '');
  assert.deepEqual(
    chooseRuntimeDirectory({runtimeDirectories: [path.join(file, 'a'), path.join(file, 'b')]}, uid),
    {
      path: path.join(file, 'b'),
      facts: {at: 'unreachable', code: 'ENOTDIR'},
    },
  );
});

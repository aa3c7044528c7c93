import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync} from 'node:fs';
import {test} from 'node:test';
import {ghProgram, gitProgram, inspectProgram} from '../../source/system/index.ts';
import {temporaryDirectory, writeProgram} from './fixtures.ts';

const never = 60_000;

test('a program is found and tells its version', async (t) => {
  const home = temporaryDirectory(t);
  const file = writeProgram(
    home,
    'git',
    '[ "$*" = --version ] && echo "git version 2.45.1 (Apple Git-154)"',
  );
  assert.deepEqual(await inspectProgram(gitProgram, {env: {PATH: home}, timeoutMs: never}), {
    at: 'works',
    file,
    version: '2.45.1',
  });
});

test('it is asked with its quiet settings', async (t) => {
  const home = temporaryDirectory(t);
  writeProgram(
    home,
    'gh',
    'echo "gh version $GH_NO_UPDATE_NOTIFIER.0.0 (2026-01-01)"',
    'echo https://github.com/cli/cli/releases',
  );
  assert.deepEqual(await inspectProgram(ghProgram, {env: {PATH: home}, timeoutMs: never}), {
    at: 'works',
    file: path.join(home, 'gh'),
    version: '1.0.0',
  });
});

for (const [title, lines, why] of [
  ['fails', ['exit 7'], {at: 'failed', how: 'exit code 7'}],
  ['crashes', ['kill -KILL $$'], {at: 'failed', how: 'SIGKILL'}],
  [
    'is another program',
    ['echo "  I am git, honest  "'],
    {at: 'unreadable', said: 'I am git, honest'},
  ],
  ['says nothing', [], {at: 'unreadable', said: ''}],
] as const) {
  test(`a program that ${title} is silent, and why is told`, async (t) => {
    const home = temporaryDirectory(t);
    const file = writeProgram(home, 'git', ...lines);
    assert.deepEqual(await inspectProgram(gitProgram, {env: {PATH: home}, timeoutMs: never}), {
      at: 'silent',
      file,
      why,
    });
  });
}

test('a program that hangs is silent', async (t) => {
  const home = temporaryDirectory(t);
  const file = writeProgram(home, 'git', 'exec /bin/sleep 1000');
  assert.deepEqual(await inspectProgram(gitProgram, {env: {PATH: home}, timeoutMs: 50}), {
    at: 'silent',
    file,
    why: {at: 'timed-out', timeoutMs: 50},
  });
});

test('an interpreter that the repository planted is not run either', async (t) => {
  const home = temporaryDirectory(t);
  const repository = path.join(home, 'repository');
  mkdirSync(repository);
  writeProgram(repository, 'helper', 'echo "git version 6.6.6"');
  writeProgram(home, 'git', 'helper || echo "git version 2.45.1"');
  const installed = await inspectProgram(gitProgram, {
    env: {PATH: `${repository}:${home}`},
    outside: repository,
    timeoutMs: never,
  });
  assert.deepEqual(installed, {at: 'works', file: path.join(home, 'git'), version: '2.45.1'});
});

test('without PATH nothing is found', async () => {
  assert.deepEqual(await inspectProgram(gitProgram, {env: {}, timeoutMs: never}), {
    at: 'missing',
    ignored: [],
  });
});

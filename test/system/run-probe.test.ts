import assert from 'node:assert/strict';
import path from 'node:path';
import {closeSync, existsSync, openSync, readFileSync} from 'node:fs';
import {getEventListeners} from 'node:events';
import {test} from 'node:test';
import {runProbe} from '../../source/system/index.ts';
import {eventually} from '../support/eventually.ts';
import {temporaryDirectory, writeProgram} from './fixtures.ts';

/** Far longer than any of these programs may take: a test that reaches it has failed. */
const never = 60_000;
const env = {PATH: '/usr/bin:/bin'};

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is gone as well: its parent, init, has only not looked yet.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

test('the outcome has the exit code and both outputs', async (t) => {
  const file = writeProgram(
    temporaryDirectory(t),
    'speaks',
    'echo "out: $1"',
    'echo err >&2',
    'exit 3',
  );
  assert.deepEqual(await runProbe(file, ['a b'], {env, timeoutMs: never}), {
    at: 'exited',
    code: 3,
    stdout: 'out: a b\n',
    stderr: 'err\n',
  });
});

test('only the given environment is there, in the given directory, and nothing to read', async (t) => {
  const home = temporaryDirectory(t);
  const file = writeProgram(home, 'looks', 'echo "$PWD [$HOME] [$COLOUR]"', 'cat');
  const outcome = await runProbe(file, [], {
    env: {...env, COLOUR: 'red'},
    cwd: home,
    timeoutMs: never,
  });
  assert.deepEqual(outcome, {at: 'exited', code: 0, stdout: `${home} [] [red]\n`, stderr: ''});
});

test('a program that never ends is ended, with its children', async (t) => {
  const home = temporaryDirectory(t);
  const file = writeProgram(
    home,
    'hangs',
    'sleep 1000 &',
    `echo "$$ $!" > ${home}/pids.new`,
    `mv ${home}/pids.new ${home}/pids`,
    'echo begun',
    'wait',
  );
  const probe = runProbe(file, [], {env, timeoutMs: 2000});
  assert.deepEqual(await probe, {at: 'timed-out', timeoutMs: 2000, stdout: 'begun\n', stderr: ''});
  assert.ok(existsSync(path.join(home, 'pids')));
  for (const pid of readFileSync(path.join(home, 'pids'), 'utf8').split(' ').map(Number))
    await eventually('the program and its child are gone', () => isGone(pid));
});

test('a signal that is aborted already ends the program at once', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'sleeps', 'exec sleep 1000');
  const outcome = await runProbe(file, [], {env, timeoutMs: never, signal: AbortSignal.abort()});
  assert.deepEqual(outcome, {at: 'timed-out', timeoutMs: 0, stdout: '', stderr: ''});
});

test('an aborted probe leaves no timer and no listener', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'sleeps', 'exec sleep 1000');
  const abort = new AbortController();
  const timers = countTimers();
  const probe = runProbe(file, [], {env, timeoutMs: never, signal: abort.signal});
  abort.abort();
  assert.equal((await probe).at, 'timed-out');
  assert.equal(countTimers(), timers);
  assert.equal(getEventListeners(abort.signal, 'abort').length, 0);
});

test('a probe that ended leaves no listener on the signal', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'exits', 'exit 0');
  const {signal} = new AbortController();
  assert.equal((await runProbe(file, [], {env, timeoutMs: never, signal})).at, 'exited');
  const missing = path.join(temporaryDirectory(t), 'missing');
  assert.equal((await runProbe(missing, [], {env, timeoutMs: never, signal})).at, 'not-started');
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a grandchild that keeps the pipe open holds nobody up, and is not left behind', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'forks', 'sleep 1000 &', 'echo $!');
  const outcome = await runProbe(file, [], {env, timeoutMs: never});
  assert.equal(outcome.at, 'exited');
  await eventually('the grandchild is gone', () => isGone(Number(outcome.stdout)));
});

test('a flood is cut, not kept', async (t) => {
  const file = writeProgram(
    temporaryDirectory(t),
    'floods',
    'head -c 5000000 /dev/zero',
    'head -c 5000000 /dev/zero >&2',
    'exit 4',
  );
  const outcome = await runProbe(file, [], {env, timeoutMs: never});
  assert.deepEqual(
    [outcome.at, outcome.stdout.length, outcome.stderr.length],
    ['exited', 65_536, 65_536],
  );
});

test('how much is kept can be told, and what it reads can be given', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'copies', 'cat');
  const stdin = openSync(file, 'r');
  const outcome = await runProbe(file, [], {env, timeoutMs: never, stdin, maxBytes: 9});
  closeSync(stdin);
  assert.deepEqual([outcome.at, outcome.stdout], ['exited', '#!/bin/sh']);
});

test('bytes that are no text become replacement characters', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'garbage', String.raw`printf 'a\377\033[31m'`);
  assert.equal((await runProbe(file, [], {env, timeoutMs: never})).stdout, 'a�\u001B[31m');
});

test('a program that dies by a signal says which', async (t) => {
  const file = writeProgram(temporaryDirectory(t), 'crashes', 'kill -SEGV $$');
  assert.deepEqual(await runProbe(file, [], {env, timeoutMs: never}), {
    at: 'signalled',
    signal: 'SIGSEGV',
    stdout: '',
    stderr: '',
  });
});

test('a program that cannot be started is an outcome, not an exception', async (t) => {
  const home = temporaryDirectory(t);
  assert.deepEqual(await runProbe(path.join(home, 'missing'), [], {env, timeoutMs: never}), {
    at: 'not-started',
    code: 'ENOENT',
    stdout: '',
    stderr: '',
  });
  assert.deepEqual(await runProbe('/bin/echo', ['a\0b'], {env, timeoutMs: never}), {
    at: 'not-started',
    code: 'ERR_INVALID_ARG_VALUE',
    stdout: '',
    stderr: '',
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {
  getExit,
  getLog,
  getMeta,
  getProcesses,
  hasEnded,
  launchWithClient,
  prepare,
  release,
  save,
  startKeeperFixture,
} from './support/keeper-fixture.ts';

test('the exit is recorded exactly, and is on the disk before anyone is told', async (t) => {
  const cases: [script: string, code: number | null, signal: string | null][] = [
    ['exit 0', 0, null],
    ['exit 1', 1, null],
    ['exit 125', 125, null],
    ['exit 126', 126, null],
    ['exit 127', 127, null],
    ['exit 130', 130, null],
    ['exit 137', 137, null],
    ['exit 139', 139, null],
    ['exit 255', 255, null],
    ['no-such-command', 127, null],
    ['kill -INT $$', null, 'SIGINT'],
    ['kill -KILL $$', null, 'SIGKILL'],
    ['ulimit -c 0; kill -SEGV $$', null, 'SIGSEGV'],
    ['ulimit -c 0; kill -ABRT $$', null, 'SIGABRT'],
    ['kill -TERM $$', null, 'SIGTERM'],
    ['kill -HUP $$', null, 'SIGHUP'],
  ];
  for (const [script, code, signal] of cases) {
    const keeper = await startKeeperFixture(t, script);
    const client = await launchWithClient(keeper);
    let recorded: unknown;
    const {type, ...exit} = await client.onMessage('exit').then((reply) => {
      recorded = getExit(keeper);
      return reply;
    });
    assert.equal(type, 'exit');
    assert.deepEqual([exit.code, exit.signal], [code, signal], script);
    assert.equal(exit.bytes, getLog(keeper.directory).length);
    assert.deepEqual(recorded, exit, script);
    client.ask({type: 'status'});
    const status = await client.onMessage('status');
    assert.deepEqual([status.phase, status.exit], ['exited', exit]);
    await release(keeper, client);
  }
});

/** Bytes that differ everywhere, so that a missing piece is seen wherever it was. */
function makePattern(
  directory: string,
  size: number,
): {readonly file: string; readonly bytes: Buffer} {
  const bytes = Buffer.from(
    Array.from({length: size / 10}, (_, index) => `${String(index).padStart(9, '.')}\n`).join(''),
  );
  const file = path.join(directory, `pattern-${size}`);
  writeFileSync(file, bytes);
  return {file, bytes};
}

test('of 200 programs that print 20 kB and end at once, not one byte is lost', async (t) => {
  const {file, bytes} = makePattern(prepare(t, '').directory, 20_000);
  let truncated = 0;
  const runs = Array.from({length: 8}, async () => {
    for (let run = 0; run < 25; run += 1) {
      const keeper = await startKeeperFixture(t, '', {
        argv: ['dd', `if=${file}`, 'bs=20000', 'status=none'],
      });
      const client = await launchWithClient(keeper);
      await client.onMessage('exit');
      const expected = bytes.toString().replaceAll('\n', '\r\n');
      if (
        client.output().toString() !== expected ||
        getLog(keeper.directory).toString() !== expected
      )
        truncated += 1;
      assert.equal(getExit(keeper)?.bytes, expected.length);
      client.ask({type: 'release'});
      await keeper.keeper.ended;
    }
  });
  await Promise.all(runs);
  assert.equal(truncated, 0);
});

test('the same in keepers of their own: 500 kB, and the keeper asleep while the program ends', async (t) => {
  const {file, bytes} = makePattern(prepare(t, '').directory, 500_000);
  for (const isAsleep of [false, true, false, true]) {
    // Not more than a terminal holds: the program would wait for its reader instead of ending.
    const size = isAsleep ? 8000 : bytes.length;
    const keeper = await save(
      t,
      `stty -opost; mkfifo gate; read go < gate; exec dd if=${file} bs=${size} count=1 status=none`,
    );
    const client = await launchWithClient(keeper);
    const child = getMeta(keeper).child!.pid;
    await eventually('the program waits at the gate', () =>
      existsSync(path.join(keeper.directory, 'gate')),
    );
    if (isAsleep) process.kill(keeper.pid, 'SIGSTOP');
    await writeFile(path.join(keeper.directory, 'gate'), '\n');
    await eventually('the program has ended', () => hasEnded(child));
    process.kill(keeper.pid, 'SIGCONT');
    await client.onMessage('exit');
    assert(client.output().equals(bytes.subarray(0, size)), `${client.output().length} of ${size}`);
    await release(keeper, client);
  }
});

test('the end is not put off by those who outlive the program and go on writing', async (t) => {
  const keeper = await startKeeperFixture(t, 'trap "" HUP; yes & exit 3');
  const client = await launchWithClient(keeper);
  const exit = await client.onMessage('exit');
  assert.equal(exit.code, 3);
  assert.equal(getLog(keeper.directory).length, exit.bytes);
  client.ask({type: 'release'});
  await keeper.keeper.ended;
  await eventually(
    'nobody writes into a terminal that is gone',
    () => getProcesses(keeper.launch).length === 0,
  );
});

test('a thousand children of the program leave neither zombies nor descriptors in the keeper', async (t) => {
  const keeper = await save(
    t,
    'i=0; while [ $i -lt 1000 ]; do (exit 1) & i=$((i+1)); done; wait; echo done; read line',
  );
  const client = await launchWithClient(keeper);
  const before = readdirSync(`/proc/${keeper.pid}/fd`).length;
  await eventually('all are done', () => client.output().toString().endsWith('done\r\n'));
  assert.equal(readdirSync(`/proc/${keeper.pid}/fd`).length, before);
  assert.equal(
    readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8').trim(),
    String(getMeta(keeper).child!.pid),
  );
  client.type(0, '\n');
  await client.onMessage('exit');
  await release(keeper, client);
});

test('100 sessions in one process leave no descriptor behind', async (t) => {
  const openNow = (): number => readdirSync('/proc/self/fd').length;
  let before = 0;
  for (let run = 0; run <= 100; run += 1) {
    const keeper = await startKeeperFixture(t, 'echo hello');
    const client = await launchWithClient(keeper);
    await client.onMessage('exit');
    client.ask({type: 'release'});
    await keeper.keeper.ended;
    await eventually('the client has noticed', () => client.isClosed());
    if (run === 0) before = openNow();
  }

  assert.equal(openNow(), before);
});

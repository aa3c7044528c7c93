import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {meet} from './support/client.ts';
import {
  getLog,
  launchWithClient,
  release,
  save,
  startKeeperFixture,
} from './support/keeper-fixture.ts';

test('an input is typed once, however often it is sent; its id is on the disk first', async (t) => {
  const keeper = await startKeeperFixture(
    t,
    'stty -echo; echo ready; while read line; do echo "<$line>"; [ "$line" = end ] && exit; done',
  );
  const client = await launchWithClient(keeper);
  await eventually('the program reads', () => client.output().toString() === 'ready\r\n');
  client.type(1, 'one\n');
  client.type(1, 'one\n');
  client.type(3, 'three\n');
  client.type(2, 'two, which came too late\n');
  client.type(1, 'one\n');
  for (const id of [1, 1, 3, 2, 1]) assert.equal((await client.onMessage('typed')).id, id);
  assert.equal(readFileSync(path.join(keeper.directory, 'input'), 'utf8'), '0000000000000003');
  const other = await meet(keeper.launch);
  assert.equal((other.replies[0] as {lastInput: number}).lastInput, 3);
  other.type(3, 'three\n');
  await other.onMessage('typed');
  other.type(4, 'end\n');
  await client.onMessage('exit');
  assert.equal(client.output().toString(), 'ready\r\n<one>\r\n<three>\r\n<end>\r\n');
  other.type(5, 'x');
  assert.deepEqual(await other.onMessage('error'), {type: 'error', code: 'not-running', id: 5});
  other.close();
  await release(keeper, client);
});

test('kill -9 of whoever sends, between sending and hearing: sent again by the next one, it is typed once', async (t) => {
  const keeper = await save(
    t,
    'stty -echo; echo ready; while read line; do echo "<$line>"; [ "$line" = end ] && exit; done',
  );
  const watcher = await launchWithClient(keeper);
  await eventually('the program reads', () => watcher.output().toString() === 'ready\r\n');
  const program = path.join(import.meta.dirname, 'programs', 'send-input.ts');
  const rounds = 5;
  for (let id = 1; id <= rounds; id += 1) {
    const sender = spawn(
      process.execPath,
      [program, keeper.launch.socket, keeper.launch.token, String(id), `line ${id}\n`],
      {stdio: ['ignore', 'pipe', 'inherit']},
    );
    await once(sender.stdout, 'data');
    sender.kill('SIGKILL');
    await once(sender, 'exit');
    const next = await meet(keeper.launch);
    next.type(id, `line ${id}\n`);
    assert.equal((await next.onMessage('typed')).id, id);
    next.close();
  }

  watcher.type(rounds + 1, 'end\n');
  await watcher.onMessage('exit');
  const lines = Array.from({length: rounds}, (_, index) => `<line ${index + 1}>\r\n`);
  assert.equal(watcher.output().toString(), `ready\r\n${lines.join('')}<end>\r\n`);
  await release(keeper, watcher);
});

test('keystrokes are typed as they come, without being written down or answered', async (t) => {
  const keeper = await startKeeperFixture(t, 'stty raw -echo; echo ready; exec cat -u');
  const client = await launchWithClient(keeper);
  await eventually('the program reads', () => client.output().toString() === 'ready\n');
  const keys = Buffer.from([27, 91, 65, 0, 3, 4, 255, 13, 0xf0, 0x9f, 0x98, 0x80]);
  for (const key of keys) client.type(0, Buffer.of(key));
  await eventually('all keys are echoed', () => client.output().subarray(6).equals(keys));
  assert.deepEqual(
    client.replies.map(({type}) => type),
    ['welcome', 'attached', 'going'],
  );
  assert.equal(readFileSync(path.join(keeper.directory, 'input'), 'utf8'), '0000000000000000');
  client.ask({type: 'signal', name: 'SIGKILL'});
  assert.deepEqual(await client.onMessage('signalled'), {type: 'signalled', name: 'SIGKILL'});
  assert.equal((await client.onMessage('exit')).signal, 'SIGKILL');
  await release(keeper, client);
});

test('a large paste arrives whole and in order, however slowly the program reads', async (t) => {
  const keeper = await startKeeperFixture(
    t,
    'stty raw -echo; echo ready; head -c 300007 | { sleep 0.2; cat; }',
  );
  const client = await launchWithClient(keeper);
  await eventually('the program reads', () => client.output().toString() === 'ready\n');
  const paste = Buffer.from(Array.from({length: 300_000}, (_, index) => 65 + (index % 57)));
  client.type(1, paste);
  client.type(0, 'and');
  client.type(2, 'more');
  assert.equal((await client.onMessage('typed')).id, 1);
  assert.equal((await client.onMessage('typed')).id, 2);
  await client.onMessage('exit');
  assert(
    client
      .output()
      .subarray(6)
      .equals(Buffer.concat([paste, Buffer.from('andmore')])),
  );
  await release(keeper, client);
});

test('when the program does not read, input waits up to a limit and is then refused; signals still get through', async (t) => {
  const keeper = await startKeeperFixture(t, 'stty raw -echo; echo ready; exec sleep 1000');
  const client = await launchWithClient(keeper);
  await eventually('the program runs', () => client.output().toString() === 'ready\n');
  const large = Buffer.alloc(900_000, 'x');
  client.type(1, large);
  client.type(2, large);
  client.type(3, large);
  assert.deepEqual(await client.onMessage('error'), {type: 'error', code: 'busy', id: 3});
  client.ask({type: 'status'});
  assert.equal((await client.onMessage('status')).lastInput, 2);
  assert(!client.replies.some(({type}) => type === 'typed'));
  client.ask({type: 'signal', name: 'SIGNONE'});
  assert.deepEqual(await client.onMessage('error'), {
    type: 'error',
    code: 'signal',
    verb: 'signal',
  });
  client.ask({type: 'signal', name: 'SIGTERM'});
  assert.equal((await client.onMessage('exit')).signal, 'SIGTERM');
  client.ask({type: 'signal', name: 'SIGTERM'});
  assert.deepEqual(await client.onMessage('error'), {
    type: 'error',
    code: 'not-running',
    verb: 'signal',
  });
  await release(keeper, client);
});

test('before go there is nobody to type for or to signal', async (t) => {
  const keeper = await startKeeperFixture(t, 'true');
  const client = await meet(keeper.launch);
  client.type(1, 'x');
  assert.deepEqual(await client.onMessage('error'), {type: 'error', code: 'not-running', id: 1});
  client.ask({type: 'signal', name: 'SIGTERM'});
  assert.deepEqual(await client.onMessage('error'), {
    type: 'error',
    code: 'not-running',
    verb: 'signal',
  });
  await release(keeper, client);
});

test('a signal reaches the whole group of the program', async (t) => {
  const keeper = await startKeeperFixture(t, 'sleep 1000 & sleep 1000 & echo started; wait');
  const client = await launchWithClient(keeper);
  await eventually('all run', () => getLog(keeper.directory).length > 0);
  client.ask({type: 'signal', name: 'SIGTERM'});
  assert.equal((await client.onMessage('exit')).signal, 'SIGTERM');
  await release(keeper, client);
});

test('a resize storm reaches the program at most 30 times a second, and the last size wins', async (t) => {
  const keeper = await startKeeperFixture(
    t,
    "trap 'stty size' WINCH; stty size; while :; do sleep 0.005; done",
  );
  const client = await launchWithClient(keeper);
  await eventually('the program runs', () => client.output().toString() === '24 80\r\n');
  const began = performance.now();
  for (let step = 1; step <= 200; step += 1) {
    client.ask({type: 'resize', columns: 80 + step, rows: 24});
    await new Promise(setImmediate);
    await eventually('a twohundredth of a second', () => performance.now() - began > step * 5);
  }

  await eventually('the last size', () => client.output().toString().endsWith('24 280\r\n'));
  const seconds = (performance.now() - began) / 1000;
  const notified = client.replies.filter(({type}) => type === 'resized');
  assert(
    notified.length >= 5 && notified.length <= 2 + 30 * seconds,
    `${notified.length} in ${seconds} s`,
  );
  assert(client.output().toString().split('\r\n').length - 2 <= notified.length + 1);
  assert.deepEqual(
    {...notified.at(-1), offset: 0},
    {type: 'resized', columns: 280, rows: 24, offset: 0},
  );
  client.ask({type: 'status'});
  assert.equal((await client.onMessage('status')).columns, 280);
  client.ask({type: 'signal', name: 'SIGKILL'});
  await client.onMessage('exit');
  await release(keeper, client);
});

test('a size that is given before go is the size that the program starts with', async (t) => {
  const keeper = await startKeeperFixture(t, 'stty size');
  const client = await meet(keeper.launch);
  client.ask({type: 'resize', columns: 132, rows: 43});
  await client.onMessage('resized');
  client.ask({type: 'attach', from: 0});
  client.ask({type: 'go'});
  await client.onMessage('exit');
  assert.equal(client.output().toString(), '43 132\r\n');
  await release(keeper, client);
});

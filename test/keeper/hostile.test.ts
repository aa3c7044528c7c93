import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {encodeFrame, encodeMessage, encodeNumbered} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {createRandom} from '../support/random.ts';
import {connect, meet} from './support/client.ts';
import {launchWithClient, release, save, startKeeperFixture} from './support/keeper-fixture.ts';

const script =
  'stty -echo; echo ready; while read line; do echo "<$line>"; [ "$line" = end ] && exit; done';

test('nothing is answered before a good hello', async (t) => {
  const keeper = await startKeeperFixture(t, script);
  for (const first of [
    encodeMessage({type: 'status'}),
    encodeMessage({type: 'go'}),
    encodeMessage({type: 'hello'}),
    encodeMessage([]),
    encodeNumbered('input', 1, Buffer.from('x')),
  ]) {
    const client = await connect(keeper.launch);
    client.socket.write(first);
    await eventually('the connection is dropped', () => client.isClosed());
    assert.deepEqual(client.replies, []);
  }

  await release(keeper, await meet(keeper.launch));
});

test('a wrong version or token is told why and dropped; a range that holds version 1 is welcome', async (t) => {
  const keeper = await startKeeperFixture(t, script);
  const {token} = keeper.launch;
  for (const [protocol, given, code] of [
    [{min: 2, max: 3}, token, 'version'],
    [{min: 0, max: 0}, token, 'version'],
    [{min: 1, max: 1}, 'guess', 'token'],
    [{min: 1, max: 1}, '', 'token'],
  ] as const) {
    const client = await connect(keeper.launch);
    client.ask({type: 'hello', protocol, token: given});
    client.ask({type: 'go'});
    await eventually('the connection is dropped', () => client.isClosed());
    assert.deepEqual(client.replies, [{type: 'error', code, have: {min: 1, max: 1}}]);
  }

  const newer = await connect(keeper.launch);
  newer.ask({type: 'hello', protocol: {min: 1, max: 9}, token});
  assert.equal((await newer.onMessage('welcome')).phase, 'ready');
  await release(keeper, newer);
});

test('who does not say hello in time is dropped, however slowly it dribbles', async (t) => {
  const keeper = await startKeeperFixture(t, script, {timeouts: {hello: 100}});
  const silent = await connect(keeper.launch);
  const slow = await connect(keeper.launch);
  const hello = encodeMessage({
    type: 'hello',
    protocol: {min: 1, max: 1},
    token: keeper.launch.token,
  });
  let sent = 0;
  await eventually('both are dropped', () => {
    if (!slow.isClosed() && sent < hello.length - 1)
      slow.socket.write(hello.subarray(sent, ++sent));
    return silent.isClosed() && slow.isClosed();
  });
  assert.deepEqual([...silent.replies, ...slow.replies], []);
  // On a slow machine even who hurries may not be in time at once.
  await release(
    keeper,
    await eventually('one that says hello in time is welcome', () =>
      meet(keeper.launch).catch(() => undefined),
    ),
  );
});

test('an unknown verb is answered, a known one without what it needs too; the connection goes on', async (t) => {
  const keeper = await startKeeperFixture(t, script);
  const client = await meet(keeper.launch);
  for (const verb of ['fly', '__proto__', 'constructor', '']) {
    client.socket.write(encodeMessage({type: verb}));
    assert.deepEqual(await client.onMessage('unsupported'), {type: 'unsupported', verb});
  }

  client.socket.write(encodeFrame('control', Buffer.from('null')));
  assert.deepEqual(await client.onMessage('unsupported'), {type: 'unsupported', verb: ''});
  const bad = [
    {type: 'attach'},
    {type: 'attach', from: -1},
    {type: 'attach', from: 1e99},
    {type: 'resize', columns: 0, rows: 1},
    {type: 'resize', columns: 70_000, rows: 1},
    {type: 'resize', columns: '8', rows: 1},
    {type: 'signal'},
    {type: 'signal', name: 9},
  ];
  for (const message of bad) {
    client.socket.write(encodeMessage(message));
    assert.deepEqual(
      await client.onMessage('error'),
      {type: 'error', code: 'malformed', verb: message.type},
      JSON.stringify(message),
    );
  }

  client.socket.write(encodeMessage({type: 'status', from: 'the future'}));
  assert.equal((await client.onMessage('status')).phase, 'ready');
  await release(keeper, client);
});

test('a frame that breaks the rules ends its connection and nothing else', async (t) => {
  const keeper = await startKeeperFixture(t, script);
  const witness = await launchWithClient(keeper);
  await eventually('the program reads', () => witness.output().toString() === 'ready\r\n');
  const random = createRandom('hostile');
  const bad: Buffer[] = [
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0]),
    Buffer.from([0, 0x10, 0, 1, 0]),
    Buffer.from([0, 0, 0, 0, 0]),
    Buffer.from([0, 0, 0, 1, 3]),
    encodeFrame('control', Buffer.from('{"type":')),
    encodeFrame('output', Buffer.from('12345678')),
    encodeFrame('input', Buffer.from('short')),
    encodeFrame('input', Buffer.alloc(9, 0xff)),
    ...Array.from({length: 30}, () =>
      Buffer.from([0xff, ...Array.from({length: 200}, () => random.below(256))]),
    ),
  ];
  for (const bytes of bad) {
    const client = await meet(keeper.launch);
    client.socket.write(bytes);
    await eventually(
      `the connection is dropped after ${bytes.subarray(0, 8).toString('hex')}`,
      () => client.isClosed(),
    );
  }

  witness.type(1, 'end\n');
  await witness.onMessage('exit');
  assert.equal(witness.output().toString(), 'ready\r\n<end>\r\n');
  await release(keeper, witness);
});

test('a claimed length costs no memory, nor do a thousand connections: at most 64 are held', async (t) => {
  const keeper = await save(t, script);
  const witness = await launchWithClient(keeper);
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${keeper.pid}/status`, 'utf8'))![1]) / 1024;
  const before = memory();
  const claim = encodeFrame('control', Buffer.alloc(1024 * 1024 - 1)).subarray(0, 1000);
  const crowd = await Promise.all(
    Array.from({length: 1000}, async () => {
      const client = await connect(keeper.launch).catch(() => undefined);
      client?.socket.write(claim);
      return client;
    }),
  );
  await eventually(
    'the crowd is dropped but for 63',
    () => crowd.filter((client) => client?.isClosed() === false).length <= 63,
  );
  assert(memory() - before < 30, `${memory() - before} MB more`);
  witness.ask({type: 'status'});
  await witness.onMessage('status');
  await eventually('the rest did not say hello', () =>
    crowd.every((client) => client === undefined || client.isClosed()),
  );
  witness.type(1, 'end\n');
  await witness.onMessage('exit');
  await release(keeper, witness);
});

test('who asks without end and never listens is dropped', async (t) => {
  const keeper = await startKeeperFixture(t, script);
  const client = await meet(keeper.launch);
  client.socket.pause();
  const questions = Buffer.concat(
    Array.from({length: 1000}, () => encodeMessage({type: 'status'})),
  );
  let broken: string | undefined;
  client.socket.on('error', (error: NodeJS.ErrnoException) => {
    broken = error.code;
  });
  await eventually('the keeper hangs up', () => {
    if (client.socket.writableLength < 1_000_000) client.socket.write(questions);
    return broken;
  });
  await release(keeper, await meet(keeper.launch));
});

import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {
  explainPort,
  type PortAnswer,
  probeHttp,
  probeTcp,
  readHeldPorts,
  readListeners,
  type SessionRoot,
  signalProcess,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {freePort} from '../support/free-port.ts';
import {kernel, processAt} from '../support/own-kernel.ts';
import {createTestProcesses, type Started, type TestProcesses} from '../support/test-processes.ts';
import {needs} from '../../support/needs.ts';

const program = path.join(import.meta.dirname, '../programs', 'serve.mjs');
/** Far longer than anything here takes: a test that reaches it has failed. */
const never = 60_000;
const patient = {acceptWithinMs: never};

async function serve(
  testProcesses: TestProcesses,
  places: readonly string[],
  cookie?: string,
): Promise<Started> {
  const started = await testProcesses.start([process.execPath, program, ...places], {
    isLeader: true,
    ...(cookie === undefined ? {} : {cookie}),
  });
  assert.match(await started.line(), /^listening/);
  return started;
}

async function listen(t: TestContext, host: string, port: number): Promise<net.Server> {
  const server = net.createServer();
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => server.close());
  return server;
}

function getSummary({verdict, state, address, owner, session}: PortAnswer): unknown {
  return {verdict, state, address, pid: owner?.identity.pid, session};
}

const hasIpv6 = (await probeTcp({host: '::1', port: 1, timeoutMs: 1000})).at === 'refused';

for (const [place, address] of [
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '0.0.0.0'],
  ['127.0.0.2', '127.0.0.2'],
  ['::1', '::1'],
  ['::', '::'],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
] as const) {
  test(
    `a session's server on ${place} is found, with the proof`,
    {skip: place.includes(':') && !hasIpv6 && 'no IPv6'},
    async (t) => {
      const [testProcesses, port] = [createTestProcesses(t), await freePort()];
      const cookie = testProcesses.cookie('ours');
      const before = Date.now();
      const {process: owner} = await serve(testProcesses, [`${place}:${port}`], cookie);
      const answer = await explainPort(port, [{id: 's1', cookie}], kernel, patient);
      assert.deepEqual(getSummary(answer), {
        verdict: 'yes',
        state: 'accepting',
        address,
        pid: owner.identity.pid,
        session: 's1',
      });
      assert.deepEqual(answer.owner?.identity, owner.identity);
      assert.equal(answer.owner.name, 'node');
      assert.equal(answer.owner.directory, process.cwd());
      assert.equal(answer.owner.cookie, cookie);
      // Start and age are told in hundredths of a second, and the age a moment before the clock is
      // read.
      assert.ok(
        answer.owner.since > before - 30 && answer.owner.since < Date.now(),
        `${answer.owner.since - before} ms after it was started`,
      );
      assert.deepEqual(
        answer.proof.map(({source}) => source),
        [
          '/proc/net/tcp',
          `/proc/${owner.identity.pid}/fd`,
          `/proc/${owner.identity.pid}`,
          'connect',
        ],
      );
      assert.ok(answer.at > before && answer.at <= Date.now());
    },
  );
}

test('nobody listens', async () => {
  const port = await freePort();
  const answer = await explainPort(port, [], kernel);
  assert.deepEqual(getSummary(answer), {
    verdict: 'no',
    state: 'free',
    address: undefined,
    pid: undefined,
    session: undefined,
  });
  assert.deepEqual(
    answer.proof.map(({text}) => text),
    [`nobody listens on ${port}`, `127.0.0.1:${port} refused`, `::1:${port} refused`],
  );
});

test('somebody else listens: it is named and never called running', async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const {process: owner} = await serve(testProcesses, [`127.0.0.1:${port}`]);
  const answer = await explainPort(
    port,
    [{id: 's1', cookie: testProcesses.cookie('ours')}],
    kernel,
  );
  assert.deepEqual(getSummary(answer), {
    verdict: 'no',
    state: 'foreign',
    address: '127.0.0.1',
    pid: owner.identity.pid,
    session: undefined,
  });
  assert.equal(answer.owner?.name, 'node');
});

test('a session that was not asked about is somebody else, and its cookie is told', async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const cookie = testProcesses.cookie('other');
  await serve(testProcesses, [`127.0.0.1:${port}`], cookie);
  const {verdict, state, owner} = await explainPort(
    port,
    [{id: 's1', cookie: testProcesses.cookie('ours')}],
    kernel,
  );
  assert.deepEqual(
    {verdict, state, cookie: owner?.cookie},
    {verdict: 'no', state: 'foreign', cookie},
  );
});

test('a server that is stopped listens and does not accept; it accepts again when it goes on', async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const cookie = testProcesses.cookie('ours');
  const {process: owner} = await serve(testProcesses, [`127.0.0.1:${port}`], cookie);
  await signalProcess({identity: owner.identity}, 'SIGSTOP', kernel);
  await eventually(
    'it is stopped',
    async () => (await processAt(owner.identity.pid))?.state === 'T',
  );
  assert.equal(
    (await probeTcp({host: '127.0.0.1', port, timeoutMs: never})).at,
    'connected',
    'the kernel goes on making connections',
  );
  assert.equal(
    (await probeHttp({host: '127.0.0.1', port, path: '/', timeoutMs: 100})).at,
    'timed-out',
  );
  const stopped = await explainPort(port, [{id: 's1', cookie}], kernel, {acceptWithinMs: 100});
  assert.deepEqual(
    [stopped.verdict, stopped.state, stopped.session],
    ['no', 'listening-not-accepting', 's1'],
  );
  await signalProcess({identity: owner.identity}, 'SIGCONT', kernel);
  const going = await explainPort(port, [{id: 's1', cookie}], kernel, patient);
  assert.deepEqual([going.verdict, going.state, going.session], ['yes', 'accepting', 's1']);
});

test('a server whose event loop hangs listens and does not accept', async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const cookie = testProcesses.cookie('ours');
  const hang = `require('net').createServer().listen(${port}, '127.0.0.1', () => { console.log('listening'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); })`;
  const started = await testProcesses.start([process.execPath, '-e', hang], {cookie});
  await started.line();
  // Long enough for the kernel to make the connection, which is what "queued" says.
  const {verdict, state, proof} = await explainPort(port, [{id: 's1', cookie}], kernel, {
    acceptWithinMs: 2000,
  });
  assert.deepEqual(
    {verdict, state, last: proof.at(-1)},
    {
      verdict: 'no',
      state: 'listening-not-accepting',
      last: {source: 'connect', text: `127.0.0.1:${port} queued`},
    },
  );
});

test('a server that was started under setsid and nohup is found', async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const cookie = testProcesses.cookie('ours');
  const {line} = await testProcesses.start(
    [
      'bash',
      '-c',
      `(setsid nohup "${process.execPath}" "${program}" 127.0.0.1:${port} 2>/dev/null &)`,
    ],
    {cookie},
  );
  const pid = Number((await line()).split(' ')[1]);
  const answer = await explainPort(port, [{id: 's1', cookie}], kernel, patient);
  assert.deepEqual(getSummary(answer), {
    verdict: 'yes',
    state: 'accepting',
    address: '127.0.0.1',
    pid,
    session: 's1',
  });
});

test("a server that cleared its environment is its parent's", async (t) => {
  const [testProcesses, port] = [createTestProcesses(t), await freePort()];
  const cookie = testProcesses.cookie('ours');
  const {process: root, line} = await testProcesses.start(
    ['bash', '-c', `env -i "${process.execPath}" "${program}" 127.0.0.1:${port}; true`],
    {cookie},
  );
  await line();
  const answer = await explainPort(
    port,
    [{id: 's1', cookie, root: root.identity}],
    kernel,
    patient,
  );
  testProcesses.adopt(answer.owner!.identity);
  assert.deepEqual(
    [answer.verdict, answer.session, answer.proof[2]?.text],
    ['yes', 's1', 'of s1 by descendant'],
  );
});

test(
  "a server whose first thread has ended is alive, and its session's",
  needs('python3'),
  async (t) => {
    const [testProcesses, port] = [createTestProcesses(t), await freePort()];
    const cookie = testProcesses.cookie('ours');
    const {
      process: {identity},
      line,
    } = await testProcesses.start(
      ['python3', path.join(import.meta.dirname, '../programs', 'leave-the-rest.py'), String(port)],
      {cookie},
    );
    await line();
    await eventually('its first thread has ended', () =>
      readFileSync(`/proc/${identity.pid}/stat`, 'utf8').includes(') Z '),
    );
    assert.equal((await processAt(identity.pid))?.state, 'S');
    const answer = await explainPort(port, [{id: 's1', cookie}], kernel, patient);
    assert.deepEqual(getSummary(answer), {
      verdict: 'yes',
      state: 'accepting',
      address: '127.0.0.1',
      pid: identity.pid,
      session: 's1',
    });
  },
);

test(
  'somebody else on one address of the port is told first, because localhost may lead there',
  {skip: !hasIpv6 && 'no IPv6'},
  async (t) => {
    const [testProcesses, port] = [createTestProcesses(t), await freePort()];
    const cookie = testProcesses.cookie('ours');
    const {process: ours} = await serve(testProcesses, [`127.0.0.1:${port}`], cookie);
    await listen(t, '::1', port);
    const answer = await explainPort(port, [{id: 's1', cookie}], kernel, patient);
    assert.deepEqual(getSummary(answer), {
      verdict: 'no',
      state: 'foreign',
      address: '::1',
      pid: process.pid,
      session: undefined,
    });
    assert.deepEqual(
      answer.others.map(({state, owner, session}) => ({state, pid: owner?.identity.pid, session})),
      [{state: 'accepting', pid: ours.identity.pid, session: 's1'}],
    );
  },
);

test(
  'two sessions on the two addresses of a port are told apart',
  {skip: !hasIpv6 && 'no IPv6'},
  async (t) => {
    const [testProcesses, port] = [createTestProcesses(t), await freePort()];
    const sessions: SessionRoot[] = [
      {id: 's1', cookie: testProcesses.cookie('one')},
      {id: 's2', cookie: testProcesses.cookie('two')},
    ];
    await serve(testProcesses, [`127.0.0.1:${port}`], sessions[0]!.cookie);
    await serve(testProcesses, [`::1:${port}`], sessions[1]!.cookie);
    const answer = await explainPort(port, sessions, kernel, patient);
    assert.equal(answer.verdict, 'yes');
    assert.deepEqual(
      [answer, ...answer.others].map(({address, session}) => `${address} ${session}`).toSorted(),
      ['127.0.0.1 s1', '::1 s2'],
    );
  },
);

test('all at which a session listens is listed without a connection, Unix sockets among it', async (t) => {
  const [testProcesses, port, home] = [
    createTestProcesses(t),
    await freePort(),
    temporaryDirectory(t),
  ];
  const cookie = testProcesses.cookie('ours');
  const socket = path.join(home, 'a b.sock');
  const {process: owner} = await serve(testProcesses, [`127.0.0.1:${port}`, socket], cookie);
  const held = await readHeldPorts([{id: 's1', cookie}], kernel);
  assert.deepEqual(
    'value' in held &&
      held.value.map(({session, owner: {identity}, where}) => ({
        session,
        pid: identity.pid,
        where,
      })),
    [
      {session: 's1', pid: owner.identity.pid, where: {address: '127.0.0.1', port}},
      {session: 's1', pid: owner.identity.pid, where: {path: socket}},
    ],
  );
});

test('the listing of all listening sockets has ours', async (t) => {
  const port = await freePort();
  await listen(t, '127.0.0.1', port);
  const all = await readListeners(kernel);
  assert.deepEqual(
    'value' in all &&
      all.value.filter((listener) => listener.port === port).map(({address}) => address),
    ['127.0.0.1'],
  );
});

test('a port is asked for by HTTP with a hard limit, and only the status line is read', async (t) => {
  const testProcesses = createTestProcesses(t);
  const port = await freePort();
  assert.deepEqual(await probeHttp({host: '127.0.0.1', port, path: '/', timeoutMs: never}), {
    at: 'refused',
    code: 'ECONNREFUSED',
  });
  await serve(testProcesses, [`127.0.0.1:${port}`]);
  assert.deepEqual(await probeHttp({host: '127.0.0.1', port, path: '/', timeoutMs: never}), {
    at: 'answered',
    status: 200,
  });
  assert.deepEqual(
    await probeHttp({host: '127.0.0.1', port, path: '/no?x=%20', timeoutMs: never}),
    {at: 'answered', status: 404},
  );
  await assert.rejects(
    probeHttp({host: '127.0.0.1', port, path: '/ HTTP/1.1\r\nX: y', timeoutMs: 5000}),
    /expected a path/,
  );
  const handshakeTimeout = await listen(t, '127.0.0.1', 0);
  const address = handshakeTimeout.address() as net.AddressInfo;
  assert.deepEqual(
    await probeHttp({host: '127.0.0.1', port: address.port, path: '/', timeoutMs: 50}),
    {at: 'timed-out'},
  );
  handshakeTimeout.on('connection', (socket) => socket.end('\u001B]0;hello\u0007 nonsense'));
  assert.deepEqual(
    await probeHttp({host: '127.0.0.1', port: address.port, path: '/', timeoutMs: never}),
    {at: 'not-http', said: String.raw`\u{1b}]0;hello\u{7} nonsense`},
  );
});

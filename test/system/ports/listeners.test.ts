import assert from 'node:assert/strict';
import os from 'node:os';
import {test} from 'node:test';
import {
  explainPort,
  readHeldPorts,
  readListeners,
  readUnixListeners,
} from '../../../source/system/index.ts';
import {parseAddress, parseLsof} from '../../../source/system/ports/listeners.ts';
import {type PortFinding, toPortAnswer} from '../../../source/system/ports/port-answer.ts';
import {freePort} from '../support/free-port.ts';
import {type FakeProc, createFakeProc} from '../support/fake-proc.ts';

for (const [hex, address] of [
  ['0100007F', '127.0.0.1'],
  ['00000000', '0.0.0.0'],
  ['0500A8C0', '192.168.0.5'],
  ['00000000000000000000000000000000', '::'],
  ['00000000000000000000000001000000', '::1'],
  ['0000000000000000FFFF00000100007F', '::ffff:127.0.0.1'],
  ['000080FE00000000FF565002BD9C1CFE', 'fe80::250:56ff:fe1c:9cbd'],
  ['B80D0120000000000000000067452301', '2001:db8::123:4567'],
] as const) {
  test(`the kernel's ${hex} is ${address}`, () => {
    assert.equal(parseAddress(hex), address);
  });
}

const {uid} = os.userInfo();

function row(address: string, port: number, {state = '0A', user = uid, inode = 0} = {}): string {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return `   0: ${address}:${hex} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;
}

test('only what listens is listed, of both protocols; without IPv6 there is but one table', async (t) => {
  const {kernel, putFile} = createFakeProc(t);
  putFile(
    'net/tcp',
    `  sl  local_address rem_address   st tx_queue\n${row('0100007F', 3000, {inode: 77})}${row('0100007F', 3001, {state: '01'})}torn: 0100\n`,
  );
  const expected = [{address: '127.0.0.1', port: 3000, uid, inode: 77}];
  const one = await readListeners(kernel);
  assert.deepEqual('value' in one && one.value, expected);
  putFile('net/tcp6', row('00000000000000000000000001000000', 3002, {inode: 78, user: 5}));
  const both = await readListeners(kernel);
  assert.deepEqual('value' in both && both.value, [
    ...expected,
    {address: '::1', port: 3002, uid: 5, inode: 78},
  ]);
});

test('where the tables cannot be read, the answer is unknown', async (t) => {
  const {kernel} = createFakeProc(t);
  const nowhere = {...kernel, proc: '/no/such/directory'};
  for (const answer of [
    await readListeners(nowhere),
    await readUnixListeners(nowhere),
    await readHeldPorts([], nowhere),
    await readListeners({...kernel, platform: 'darwin'}),
  ]) {
    assert.ok('unknown' in answer && answer.unknown !== '');
  }

  const {verdict, state} = await explainPort(await freePort(), [], nowhere);
  assert.deepEqual({verdict, state}, {verdict: 'unknown', state: 'unknown'});
});

test('listening Unix sockets are listed, and what their names say is made harmless', async (t) => {
  const {kernel, putFile} = createFakeProc(t);
  putFile(
    'net/unix',
    [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/a b.sock',
      '0000000000000000: 00000002 00000000 00010000 0005 01   678 @abstract\u001B[2J',
      '0000000000000000: 00000003 00000000 00000000 0001 03 12346 /run/a b.sock',
      '0000000000000000: 00000002 00000000 00010000 0001 01 12347',
      '',
    ].join('\n'),
  );
  const all = await readUnixListeners(kernel);
  assert.deepEqual('value' in all && all.value, [
    {path: '/run/a b.sock', inode: 12_345},
    {path: String.raw`@abstract\u{1b}[2J`, inode: 678},
  ]);
});

/**
 * Somebody of another user listens, and a session has one process that we may look into and one
 * that we may not.
 */
async function startForeignListener(
  fakeProc: FakeProc,
  user: number,
  files: readonly string[] | 'hidden',
): Promise<number> {
  const port = await freePort();
  fakeProc.putFile('net/tcp', row('00000000', port, {inode: 500, user}));
  fakeProc.put(
    {pid: 10, environ: 'ORCH_SESSION=c\0'},
    {pid: 11, parent: 10, files},
    {pid: 30, files: 'hidden'},
  );
  return port;
}

test("a socket whose holder is out of sight is somebody else's", async (t) => {
  const fakeProc = createFakeProc(t);
  const port = await startForeignListener(fakeProc, uid + 1, ['/dev/null', 'socket:[499]']);
  const {verdict, state, address, owner} = await explainPort(
    port,
    [{id: 's1', cookie: 'c'}],
    fakeProc.kernel,
  );
  assert.deepEqual(
    {verdict, state, address, owner},
    {verdict: 'no', state: 'foreign', address: '0.0.0.0', owner: undefined},
  );
});

test('unless a process of a session is out of sight as well: then nobody knows', async (t) => {
  const fakeProc = createFakeProc(t);
  const port = await startForeignListener(fakeProc, uid, 'hidden');
  const {verdict, state} = await explainPort(port, [{id: 's1', cookie: 'c'}], fakeProc.kernel);
  assert.deepEqual({verdict, state}, {verdict: 'unknown', state: 'unknown'});
});

test("a socket that only a session's process holds is the session's, though it is of another user", async (t) => {
  const fakeProc = createFakeProc(t);
  const port = await startForeignListener(fakeProc, uid + 1, ['socket:[500]']);
  const held = await readHeldPorts([{id: 's1', cookie: 'c'}], fakeProc.kernel);
  assert.deepEqual(
    'value' in held && held.value.map(({owner, where}) => ({pid: owner.identity.pid, where})),
    [{pid: 11, where: {address: '0.0.0.0', port}}],
  );
  const {verdict, state} = await explainPort(port, [{id: 's1', cookie: 'c'}], fakeProc.kernel);
  assert.deepEqual(
    {verdict, state},
    {verdict: 'no', state: 'listening-not-accepting'},
    'the table says so, but nobody answers',
  );
});

test('of several sockets on a port the one that people could meet by mistake is told first', () => {
  const findings: PortFinding[] = [
    {state: 'foreign', address: '192.168.0.5'},
    {state: 'listening-elsewhere', address: '10.0.0.1', session: 's1'},
    {state: 'listening-not-accepting', address: '::1', session: 's1'},
    {state: 'accepting', address: '127.0.0.1', session: 's1'},
  ];
  const summary = (list: readonly PortFinding[]): string[] => {
    const {verdict, state, others} = toPortAnswer(3000, list, [], 0);
    return [verdict, state, ...others.map((other) => other.state)];
  };

  assert.deepEqual(summary(findings), [
    'yes',
    'accepting',
    'listening-not-accepting',
    'listening-elsewhere',
    'foreign',
  ]);
  assert.deepEqual(summary([...findings, {state: 'unknown', address: '127.0.0.1'}]), [
    'unknown',
    'unknown',
    'accepting',
    'listening-not-accepting',
    'listening-elsewhere',
    'foreign',
  ]);
  assert.deepEqual(summary([...findings, {state: 'foreign', address: '::'}]), [
    'no',
    'foreign',
    'accepting',
    'listening-not-accepting',
    'listening-elsewhere',
    'foreign',
  ]);
  assert.deepEqual(summary([]), ['no', 'free']);
});

test('lsof of macOS is read, as far as its manual tells (unverified)', () => {
  const text = [
    'p812',
    'u501',
    'f21',
    'tIPv4',
    'n127.0.0.1:3000',
    'f22',
    'tIPv6',
    'n[::1]:3000',
    'f23',
    'tIPv6',
    'n*:8080',
    'p900',
    'u0',
    'f5',
    'tIPv4',
    'n*:22',
    'nnonsense',
    '',
  ].join('\n');
  assert.deepEqual(parseLsof(text), [
    {address: '127.0.0.1', port: 3000, uid: 501, holder: 812},
    {address: '::1', port: 3000, uid: 501, holder: 812},
    {address: '::', port: 8080, uid: 501, holder: 812},
    {address: '0.0.0.0', port: 22, uid: 0, holder: 900},
  ]);
});

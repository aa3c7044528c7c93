import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {connect, meet} from './support/client.ts';
import {
  getExit,
  getLog,
  getMeta,
  getProcesses,
  isAlive,
  launchWithClient,
  prepare,
  release,
  save,
  startKeeperFixture,
  startProcess,
} from './support/keeper-fixture.ts';

test('nothing runs before go, however long one waits; then it runs once', async (t) => {
  const keeper = await save(t, 'echo ran >> ran; echo hello');
  const {directory, launch, pid} = keeper;
  const ready = getMeta(keeper);
  assert.equal(ready.pid, pid);
  assert.equal(
    ready.startTime,
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]),
  );
  assert.equal(ready.bootId, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  assert.equal(ready.went, undefined);
  assert.equal(statSync(launch.socket).mode & 0o777, 0o600);
  const client = await meet(launch);
  client.ask({type: 'status'});
  const status = await client.onMessage('status');
  assert.deepEqual(status, {
    type: 'status',
    session: launch.session,
    phase: 'ready',
    bytes: 0,
    head: 0,
    first: 0,
    columns: 80,
    rows: 24,
    lastInput: 0,
  });
  assert.deepEqual(getProcesses(launch), []);
  assert.equal(existsSync(path.join(directory, 'ran')), false);

  client.ask({type: 'attach', from: 0});
  client.ask({type: 'go'});
  client.ask({type: 'go'});
  const going = await client.onMessage('going');
  assert.deepEqual(await client.onMessage('going'), going);
  const exit = await client.onMessage('exit');
  assert.equal(client.output().toString(), 'hello\r\n');
  assert.equal(readFileSync(path.join(directory, 'ran'), 'utf8'), 'ran\n');
  const {type, ...recorded} = exit;
  assert.equal(type, 'exit');
  assert.deepEqual(recorded, getExit(keeper));
  assert.equal(getMeta(keeper).child?.pid, going.pid);
  assert(Math.abs(getMeta(keeper).went!.at - Date.now()) < 60_000);
  await release(keeper, client);
  await eventually('the keeper is gone', () => !isAlive(pid));
  assert.equal(keeper.process.exitCode, 0);
  assert.equal(readFileSync(path.join(directory, 'keeper.log'), 'utf8'), '');
});

test('a keeper that nobody tells to go ends by itself and has run nothing; while somebody is there, it waits', async (t) => {
  // On a slow machine the first may come when the keeper has already gone.
  const {client, ...kept} = await eventually('somebody comes while the keeper waits', async () => {
    const waiting = await startKeeperFixture(t, 'echo ran > ran', {timeouts: {go: 50}});
    const first = await meet(waiting.launch).catch(() => undefined);
    return first !== undefined && {...waiting, client: first};
  });
  const other = await startKeeperFixture(t, 'echo ran > ran', {timeouts: {go: 100}});
  await other.keeper.ended;
  assert.equal(client.isClosed(), false);
  client.close();
  await kept.keeper.ended;
  for (const {directory, launch} of [kept, other]) {
    assert.equal(existsSync(launch.socket), false);
    assert.equal(existsSync(path.join(directory, 'ran')), false);
    assert.equal(existsSync(path.join(directory, 'exit.json')), false);
  }
});

test('a keeper that is released before go has run nothing', async (t) => {
  const keeper = await save(t, 'echo ran > ran');
  await release(keeper, await meet(keeper.launch));
  await eventually('the keeper is gone', () => !isAlive(keeper.pid));
  assert.equal(existsSync(path.join(keeper.directory, 'ran')), false);
});

test('the program has exactly the environment of launch.json, the cookie, and TERM if it was missing', async (t) => {
  const env = {PATH: '/usr/bin:/bin', 'odd.name%%': 'kept', EMPTY: '', WORDS: 'äöü\nline two'};
  const expected = {...env, TERM: 'xterm-256color'};
  for (const [given, wanted] of [
    [env, expected],
    [
      {...env, TERM: 'dumb'},
      {...env, TERM: 'dumb'},
    ],
  ] as const) {
    const keeper = await save(t, '', {argv: ['cat', '/proc/self/environ'], env: given});
    const client = await launchWithClient(keeper);
    await client.onMessage('exit');
    const found = client
      .output()
      .toString()
      .replaceAll('\r\n', '\n')
      .split('\0')
      .filter((line) => line !== '');
    assert.deepEqual(
      found.sort(),
      [
        ...Object.entries(wanted).map(([name, value]) => `${name}=${value}`),
        `ORCH_SESSION=${keeper.launch.cookie}`,
      ].sort(),
    );
    await release(keeper, client);
  }
});

test('the program is alone in its terminal: its own session and group, a controlling terminal, no descriptor of ours, our umask', async (t) => {
  const keeper = await save(
    t,
    'umask; cut -d" " -f5-8 /proc/$$/stat; echo $$; tty; stty size; pwd; echo ready; exec sleep 1000',
    {columns: 101, rows: 31},
  );
  const client = await launchWithClient(keeper);
  await eventually('the program has said all', () => client.output().toString().includes('ready'));
  const [mask, numbers, pid, pts, size, directory] = client.output().toString().split('\r\n');
  assert.equal(mask, execFileSync('/bin/sh', ['-c', 'umask'], {encoding: 'utf8'}).trim());
  // Besides, there may be what was handed down to this test.
  const ownDescriptors = new Set(getDescriptors(String(process.pid)));
  let open: string[] = [];
  // Until it sleeps it has its libraries open, too.
  await eventually(
    'the shell has become its program, which has its terminal open and nothing else',
    () => {
      open = getDescriptors(pid!).filter((descriptor) => !ownDescriptors.has(descriptor));
      return (
        readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n' &&
        open.join(' ') === [pts, pts, pts].join(' ')
      );
    },
  ).catch(() => {
    assert.deepEqual(open, [pts, pts, pts]);
  });
  const [group, session, terminal, foreground] = numbers!.split(' ');
  assert.deepEqual([group, session, foreground], [pid, pid, pid]);
  assert.notEqual(terminal, '0');
  assert.equal(pts, getMeta(keeper).child!.pts);
  assert.equal(size, '31 101');
  assert.equal(directory, keeper.directory);
  assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '500');
  client.ask({type: 'signal', name: 'SIGKILL'});
  await client.onMessage('exit');
  await release(keeper, client);
});

test('what cannot be started ends with the code that a shell would give, and says why in its pane', async (t) => {
  const {directory} = prepare(t, '');
  const plain = path.join(directory, 'plain');
  writeFileSync(plain, 'echo no', {mode: 0o600});
  const cases: [code: number, text: string, changes: {argv?: string[]; cwd?: string}][] = [
    [127, 'orchestra: no-such-program: command not found', {argv: ['no-such-program', 'x']}],
    [127, 'orchestra: /no/such: command not found', {argv: ['/no/such']}],
    [127, 'orchestra: : command not found', {argv: ['']}],
    [126, `orchestra: ${plain}: permission denied`, {argv: [plain]}],
    [126, 'orchestra: /usr: permission denied', {argv: ['/usr']}],
    [126, 'orchestra: /no/such/place: not a directory', {cwd: '/no/such/place'}],
  ];
  for (const [code, text, changes] of cases) {
    const keeper = await startKeeperFixture(t, 'true', changes);
    const client = await launchWithClient(keeper);
    const exit = await client.onMessage('exit');
    assert.deepEqual([exit.code, exit.signal], [code, null], text);
    assert.equal(client.output().toString(), `${text}\r\n`);
    assert.equal(getLog(keeper.directory).toString(), `${text}\r\n`);
    client.ask({type: 'go'});
    assert.deepEqual(
      client.replies.filter(({type}) => type === 'going' || type === 'exit').map(({type}) => type),
      ['going', 'exit'],
    );
    await release(keeper, client);
  }
});

test('a launch.json that is not as agreed stops the keeper before it listens', async (t) => {
  const bad: [reason: string, changes: object][] = [
    ['argv', {argv: []}],
    ['argv', {argv: ['a\0b']}],
    ['env', {env: {A: 1}}],
    ['env', {env: {'A=B': ''}}],
    ['cwd', {cwd: 'relative'}],
    ['columns', {columns: 0}],
    ['token', {token: ''}],
    ['log', {log: {head: 0, tail: 10}}],
    ['protocol', {protocol: 2}],
    ['100 bytes', {socket: `/tmp/${'x'.repeat(100)}`}],
  ];
  for (const [reason, changes] of bad) {
    await assert.rejects(
      startKeeperFixture(t, 'true', changes),
      (error: Error) => error.message.includes(reason),
      reason,
    );
  }
});

test('a directory serves one keeper only: a second one ends at once and disturbs nothing', async (t) => {
  const keeper = await save(t, 'read line; echo "got $line"');
  const client = await launchWithClient(keeper);
  const second = startProcess(keeper.directory);
  await once(second, 'exit');
  assert.equal(second.exitCode, 1);
  assert.match(readFileSync(path.join(keeper.directory, 'keeper.log'), 'utf8'), /EEXIST/);
  client.type(1, 'it\n');
  await client.onMessage('exit');
  assert.equal(client.output().toString(), 'it\r\ngot it\r\n');
  (await connect(keeper.launch)).close();
  await release(keeper, client);
});

/**
 * What a process has open; what is closed during the look does not count, nor does the look of a
 * process at itself.
 */
function getDescriptors(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(path.join(folder, name));
    } catch {
      return [];
    }
  });
}

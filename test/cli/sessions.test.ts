import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {test} from 'node:test';
import {createDaemonFixture, isRunning, launcher} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

test('a command becomes a session: started, listed, answered, explained, read and ended', async (t) => {
  const fixture = createDaemonFixture(t);
  assert.deepEqual(fixture.json('sessions'), {sessions: [], strangers: []});
  assert.match(fixture.run('sessions').out, /No session is running/);

  const started = fixture.run(
    'start',
    '--name',
    'asker',
    '--json',
    '--',
    'sh',
    '-c',
    'printf "name? "; read name; echo "hello $name"; exit 3',
  );
  assert.equal(started.code, 0, started.err);
  assert.deepEqual(JSON.parse(started.out), {session: 's1'});

  const asking = await eventually('it is seen that it waits', async () =>
    (await fixture.sessions()).find(
      ({status, waiting: seen}) => status === 'waiting' && seen?.question !== '',
    ),
  );
  const {pid, since, waiting, pulse, ...rest} = asking;
  assert.deepEqual(rest, {
    session: 's1',
    name: 'asker',
    for: 'person',
    command: ['sh', '-c', 'printf "name? "; read name; echo "hello $name"; exit 3'],
    directory: fixture.root,
    status: 'waiting',
    ports: [],
  });
  assert.equal(pid, fixture.metaOf('s1').child?.pid);
  assert.equal(typeof since, 'number');
  assert.deepEqual(
    pulse?.map((bytes) => typeof bytes),
    Array.from({length: 8}, () => 'number'),
  );
  assert.deepEqual(
    {...waiting, since: 0},
    {proof: 'proven', secret: false, question: 'name?', since: 0},
  );
  assert.match(fixture.run('sessions').out, /^SESSION +STATUS .*\ns1 +asks: name\? .*asker/);

  const explained = fixture.json('explain', 's1') as {
    input: {verdict: string; proof: string; why: {source: string; text: string}[]};
    processes: {pid: number; found: string}[];
    screen: string[];
  };
  assert.equal(explained.input.verdict, 'blocked');
  assert.equal(explained.input.proof, 'proven');
  assert.ok(
    explained.input.why.length > 0 &&
      explained.input.why.every(({source, text}) => source !== '' && text !== ''),
  );
  assert.deepEqual(
    explained.processes.map((process) => process.pid),
    [pid],
  );
  assert.equal(explained.screen[0]?.trimEnd(), 'name?');
  assert.match(fixture.run('explain', 's1').out, /input +blocked, proven/);

  assert.deepEqual(fixture.json('send', 's1', 'Ada'), {session: 's1', input: 1, typed: true});
  const ended = await fixture.endOf('s1');
  assert.deepEqual({...ended.ended, at: 0}, {at: 0, code: 3, signal: null});
  assert.equal(ended.status, 'exited');
  assert.equal(ended.pid, undefined);
  assert.equal(fixture.run('logs', 's1').out, 'name? Ada\r\nhello Ada\r\n');
  assert.equal(fixture.run('logs', 's1', '--raw', '--follow').out, 'name? Ada\r\nhello Ada\r\n');
  assert.match(fixture.run('sessions').out, /1 ended; see them with --all/);
  assert.match(fixture.run('sessions', '--all').out, /s1 +exit 3 /);
  assert.match(fixture.run('explain', 's1').out, /state +exited .* ago: exit 3/);
});

test('an error is one sentence, with exit 1 for a refusal and 2 for wrong usage', async (t) => {
  const fixture = createDaemonFixture(t);
  const session = await fixture.start('true');
  const text = (code: number, message: RegExp, ...argv: readonly string[]): void => {
    const {code: got, err} = fixture.run(...argv);
    assert.match(err, message, argv.join(' '));
    assert.equal(err.trimEnd().split('\n').length, 1, err);
    assert.equal(got, code, argv.join(' '));
  };
  await fixture.endOf(session);

  for (const command of [
    ['send', 'seven', 'x'],
    ['stop', 'seven'],
    ['logs', 'seven'],
    ['explain', 'seven'],
  ])
    text(2, /expected a .*session.*s7.*got "seven"/, ...command);
  for (const command of [
    ['send', 's9', 'x'],
    ['stop', 's9'],
    ['logs', 's9'],
    ['explain', 's9'],
  ])
    text(1, /s9/, ...command);
  text(1, /s1 has ended/, 'send', 's1', 'x');
  text(1, /s1 has already ended/, 'stop', 's1');
  text(2, /attach needs a terminal/, 'attach', 's1');
  text(2, /^orchestra: the app needs a terminal.*`orchestra --help`/);
  text(2, /expected a port from 1 to 65535, got "70000"/, 'port', '70000');
  text(1, /there is no service "web"/, 'service', 'start', 'web');
  text(2, /web has not run yet/, 'service', 'logs', 'web');
  assert.equal(fixture.run('start').code, 2);
  assert.equal(fixture.run('daemon', 'dance').code, 2);
});

test('outside a repository nothing is possible, and nothing is started', (t) => {
  const nowhere = mkdtempSync(path.join(os.tmpdir(), 'orchestra-nowhere-'));
  t.after(() => {
    rmSync(nowhere, {recursive: true});
  });
  for (const command of [
    ['start', '--', 'true'],
    ['daemon', 'status'],
    ['port', '3000'],
  ]) {
    const {status, stderr} = spawnSync(process.execPath, [launcher, ...command], {
      cwd: nowhere,
      env: {PATH: process.env['PATH'], HOME: nowhere, XDG_STATE_HOME: path.join(nowhere, 'state')},
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /is not inside a git repository/);
  }

  assert.deepEqual(execFileSync('ls', ['-A', nowhere], {encoding: 'utf8'}), '');
});

test('a session that cannot run says why, in its output and its exit status', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('no-such-program-anywhere');
  assert.equal(fixture.run('start', '--cwd', '/no/such/directory', '--', 'true').code, 0);
  assert.deepEqual(
    [(await fixture.endOf('s1')).ended?.code, (await fixture.endOf('s2')).ended?.code],
    [127, 126],
  );
  assert.match(fixture.run('logs', 's1').out, /no-such-program-anywhere/);
  assert.match(fixture.run('logs', 's2').out, /\/no\/such\/directory/);
});

test('stop ends everything that came of a session, and only that', async (t) => {
  const fixture = createDaemonFixture(t);
  const bystander = spawn('sleep', ['1000'], {stdio: 'ignore'});
  t.after(() => bystander.kill());
  const script =
    'setsid sleep 1001 & nohup sleep 1002 & (trap "" TERM HUP; echo up; while :; do sleep 1; done)';
  await fixture.start('bash', '-c', script);
  await fixture.start('sleep', '1003');
  await eventually('it is up', () => fixture.outputOf('s1').includes('up'));
  const before = await eventually('all of it runs', async () => {
    const {processes} = (await fixture.ask({about: 'explain', session: 's1'})) as {
      processes: {pid: number; command: string}[];
    };
    return processes.filter(({command}) => /^sleep 100[12]/.test(command)).length === 2
      ? processes
      : undefined;
  });
  const result = fixture.json('stop', 's1') as {
    what: string;
    code: number | null;
    signal: string | null;
  };
  assert.equal(result.what, 's1');
  assert.ok(result.code !== null || result.signal !== null);
  assert.deepEqual(
    before.filter(({pid}) => isRunning(pid)),
    [],
  );
  assert.equal((await fixture.sessionOf('s2'))?.status, 'running');
  assert.equal(bystander.exitCode, null);
});

test('the kernel shows who has a port: a session, a process that escaped one, another process, or nothing', async (t) => {
  const fixture = createDaemonFixture(t);
  const serve = path.join(fixture.home, 'serve.mjs');
  writeFileSync(
    serve,
    `import net from 'node:net';\nconst server = net.createServer((socket) => socket.end());\nserver.listen(0, process.argv[2], () => console.log('port ' + server.address().port + '.'));\n`,
  );
  const getPort = async (session: string): Promise<string> =>
    eventually(`${session} listens`, () => /port (\d+)\./.exec(fixture.outputOf(session))?.[1]);

  await fixture.start(process.execPath, serve, '::1');
  const six = await getPort('s1');
  const own = fixture.json('port', six) as {
    verdict: string;
    state: string;
    session: string;
    owner: {identity: {pid: number}};
    address: string;
  };
  assert.deepEqual(
    [own.verdict, own.state, own.session, own.address],
    ['yes', 'accepting', 's1', '::1'],
  );
  assert.equal(own.owner.identity.pid, fixture.metaOf('s1').child?.pid);
  assert.equal(fixture.run('port', six).code, 0);
  assert.deepEqual(
    (await fixture.sessionOf('s1'))?.ports.map(({port, address}) => [port, address]),
    [[Number(six), '::1']],
  );

  await fixture.start(
    'sh',
    '-c',
    `setsid nohup ${process.execPath} ${serve} 127.0.0.1 > ${fixture.home}/escaped 2>&1 & while [ ! -s ${fixture.home}/escaped ]; do sleep 0.05; done`,
  );
  const escaped = await eventually(
    'the escaped one listens',
    () => /port (\d+)\./.exec(readIfThere(path.join(fixture.home, 'escaped')))?.[1],
  );
  await fixture.endOf('s2');
  const found = fixture.json('port', escaped) as {verdict: string; session: string};
  assert.deepEqual([found.verdict, found.session], ['yes', 's2']);

  const foreign = createServer().listen(0, '127.0.0.1');
  t.after(() => foreign.close());
  await eventually('ours listens', () => foreign.address());
  const ours = String((foreign.address() as {port: number}).port);
  const other = fixture.run('port', ours);
  assert.equal(other.code, 1);
  assert.match(
    other.out,
    new RegExp(`^no: port ${ours}, another process uses it\n[^]*process +${process.pid} `),
  );

  fixture.run('stop', 's1');
  const gone = fixture.run('port', six, '--json');
  assert.equal(gone.code, 1);
  assert.deepEqual(
    [
      (JSON.parse(gone.out) as {verdict: string}).verdict,
      (JSON.parse(gone.out) as {state: string}).state,
    ],
    ['no', 'free'],
  );
  // What outlived its session is still found, and is ended by what the kernel said.
  const {owner} = fixture.json('port', escaped) as {owner: {identity: {pid: number}}};
  process.kill(owner.identity.pid);
});

test('facts are read at the moment of asking, each with where it was read', async (t) => {
  const fixture = createDaemonFixture(t);
  mkdirSync(path.join(fixture.root, 'a'));
  writeFileSync(path.join(fixture.root, 'a', 'new.txt'), '');
  const session = await fixture.start('sleep', '1000');
  await eventually('it runs', async () => (await fixture.sessionOf(session))?.status === 'running');
  const {facts} = fixture.json('facts') as {
    facts: {name: string; value?: unknown; unknown?: string; source?: string; at: number}[];
  };
  const named = Object.fromEntries(facts.map((fact) => [fact.name, fact]));
  assert.deepEqual(Object.keys(named), [
    'ports',
    'services',
    'sessions',
    'needs',
    'head',
    'changed',
    'disk',
  ]);
  assert.deepEqual([named['changed']?.value, named['changed']?.source], [1, 'git']);
  assert.equal(named['head']?.unknown, 'git did not say');
  assert.deepEqual(named['sessions']?.value, [{session: 's1', for: 'person', life: 'running'}]);
  assert.match(fixture.run('facts').out, /^changed +git +1$/m);
});

test('the daemon is asked, ended and replaced by word; it is no reason for anybody to wait', async (t) => {
  const fixture = createDaemonFixture(t);
  assert.equal(
    fixture.run('daemon', 'status').out,
    'no daemon is running; the next command that needs one starts it\n',
  );
  assert.deepEqual(Object.keys(fixture.json('daemon', 'status') as object), [
    'running',
    'crashes',
    'log',
  ]);
  assert.equal(fixture.run('daemon', 'stop').out, 'no daemon is running\n');
  assert.match(fixture.run('daemon', 'start').out, /^started: pid \d+\n$/);
  assert.match(fixture.run('daemon', 'start').out, /^already running: pid \d+\n$/);
  await fixture.start('sleep', '1000');
  const status = fixture.json('daemon', 'status') as {
    running: boolean;
    pid: number;
    root: string;
    sessions: number;
    journal: {mode: string};
  };
  assert.deepEqual(
    [status.running, status.root, status.sessions, status.journal.mode],
    [true, fixture.root, 1, 'writing'],
  );
  assert.match(
    fixture.run('daemon', 'status').out,
    /^pid \d+, version .*\n1 live session, 1 client, 0 needs\njournal: \d+ events, writing\n$/,
  );
  assert.match(fixture.run('daemon', 'restart').out, /^restarted: pid \d+, 1 live session\n$/);
  assert.notEqual(await fixture.daemonPid(), status.pid);
  assert.equal(fixture.run('daemon', 'stop').out, 'stopped; 1 session keeps running\n');
  assert.equal(await fixture.daemonPid(), undefined);
});

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

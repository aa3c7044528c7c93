import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type Socket} from 'node:net';
import {test, type TestContext} from 'node:test';
import {findPeer, getSocketFd} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {kernel, processAt} from '../support/own-kernel.ts';
import {createTestProcesses} from '../support/test-processes.ts';

type Listener = {
  readonly file: string;
  readonly speakProgram: string;
  readonly sent: Map<string, Socket>;
  readonly onMessage: (name: string) => Promise<Socket>;
};

/** A server that knows each client by the first line that it says. */
async function openListener(t: TestContext): Promise<Listener> {
  const file = path.join(temporaryDirectory(t), 'socket');
  const sent = new Map<string, Socket>();
  const server = createServer({allowHalfOpen: true}, (client) => {
    t.after(() => client.destroy());
    client.on('error', () => undefined);
    client.once('data', (bytes) => sent.set(bytes.toString().trim(), client));
  });
  server.listen(file);
  await once(server, 'listening');
  t.after(() => server.close());
  const speakProgram = `/usr/bin/perl ${path.join(import.meta.dirname, 'programs/speak.pl')} ${file} ${file}.result relay`;
  return {
    file,
    speakProgram,
    sent,
    onMessage: (name) => eventually(`${name} speaks`, () => sent.get(name)),
  };
}

function print(name: string, {speakProgram}: Listener, before = ''): readonly string[] {
  return ['/bin/sh', '-c', `echo ${name} | { ${before} ${speakProgram}; }`];
}

test('of many clients each is told apart, those of sessions and those of nobody', async (t) => {
  const [testProcesses, listener] = [createTestProcesses(t), await openListener(t)];
  const names = Array.from({length: 12}, (_, index) => `client-${index}`);
  const cookies = new Map(
    names.map((name, index) => [name, index % 3 === 0 ? undefined : testProcesses.cookie(name)]),
  );
  const started = await Promise.all(
    names.map((name) => {
      const cookie = cookies.get(name);
      return testProcesses.start(
        print(name, listener),
        cookie === undefined ? {} : {cookie, isLeader: true},
      );
    }),
  );
  const sessions = names.flatMap((name, index) => {
    const cookie = cookies.get(name);
    return cookie === undefined ? [] : [{cookie, root: started[index]!.process.identity}];
  });
  const peers = await Promise.all(
    names.map(async (name) =>
      findPeer({fd: getSocketFd(await listener.onMessage(name))!, sessions}, kernel),
    ),
  );
  for (const [index, peer] of peers.entries()) {
    assert.ok('pid' in peer, JSON.stringify(peer));
    assert.deepEqual(
      {session: peer.session, doubts: peer.doubts, name: peer.process.name},
      {session: cookies.get(names[index]!), doubts: [], name: 'perl'},
    );
    assert.ok(
      peer.ancestors.some(({identity}) => identity.pid === started[index]!.process.identity.pid),
    );
    assert.ok(peer.ancestors.some(({identity}) => identity.pid === process.pid));
  }
});

test('a session that nobody told us of is seen by its cookie, also above a cleared environment', async (t) => {
  const [testProcesses, listener] = [createTestProcesses(t), await openListener(t)];
  const cookie = testProcesses.cookie('foreign');
  await testProcesses.start(print('one', listener), {cookie});
  await testProcesses.start(print('two', listener, 'env -i'), {cookie});
  const found = async (name: string): Promise<unknown> => {
    const peer = await findPeer(
      {fd: getSocketFd(await listener.onMessage(name))!, sessions: []},
      kernel,
    );
    return 'pid' in peer ? [peer.session, peer.found] : peer;
  };

  assert.deepEqual(
    [await found('one'), await found('two')],
    [
      [cookie, 'cookie'],
      [cookie, 'descendant'],
    ],
  );
});

test('who descends from a keeper speaks from its session, without any cookie', async (t) => {
  const [testProcesses, listener] = [createTestProcesses(t), await openListener(t)];
  const keeper = await testProcesses.start(print('kept', listener));
  const peer = await findPeer(
    {
      fd: getSocketFd(await listener.onMessage('kept'))!,
      sessions: [{cookie: 'of-the-keeper', keeper: keeper.process.identity}],
    },
    kernel,
  );
  assert.ok('pid' in peer);
  assert.deepEqual([peer.session, peer.found, peer.doubts], ['of-the-keeper', 'keeper', []]);
});

test('when a person and a session share a connection, it is the session that speaks', async (t) => {
  const [testProcesses, listener] = [createTestProcesses(t), await openListener(t)];
  const cookie = testProcesses.cookie('shared');
  // The client has no cookie. It hands the connection on to a child that has one.
  const program = `use Socket; $^F = 9; socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or die; if (!fork()) { $ENV{ORCH_SESSION} = $ARGV[1]; exec "sleep", "600" } syswrite($s, "shared"); sysread($s, my $answer, 1)`;
  await testProcesses.start(['/usr/bin/perl', '-e', program, listener.file, cookie]);
  const socket = await listener.onMessage('shared');
  const peer = await eventually('the child has become its program', async () => {
    const answer = await findPeer({fd: getSocketFd(socket)!, sessions: []}, kernel);
    return 'session' in answer && answer;
  });
  assert.deepEqual([peer.session, peer.process.name], [cookie, 'sleep']);
});

test('a person who comes after the sessions is not doubted for it', async (t) => {
  const [testProcesses, listener] = [createTestProcesses(t), await openListener(t)];
  const cookie = testProcesses.cookie('before');
  const {process: root} = await testProcesses.start(['sleep', '600'], {cookie, isLeader: true});
  await testProcesses.start(print('person', listener, 'setsid -w'), {cwd: '/'});
  const peer = await findPeer(
    {
      fd: getSocketFd(await listener.onMessage('person'))!,
      sessions: [{cookie, root: root.identity, directory: '/nowhere'}],
    },
    kernel,
  );
  assert.ok('pid' in peer);
  assert.deepEqual([peer.session, peer.doubts], [undefined, []]);
});

test('where it can not be told, it says so', async (t) => {
  const listener = await openListener(t);
  const [file = '', ...argv] = print('one', listener);
  const child = spawn(file, argv, {stdio: 'ignore'});
  const client = await listener.onMessage('one');
  const fd = getSocketFd(client)!;
  const ask = (changed: object): Promise<unknown> =>
    findPeer({fd, sessions: []}, {...kernel, ...changed});
  assert.deepEqual(await ask({platform: 'darwin'}), {
    unknown: 'who is connected can be asked on Linux only, not on darwin',
    isBlind: true,
  });
  assert.deepEqual(await findPeer({fd: 99_999, sessions: []}, kernel), {
    unknown: 'the connection is closed',
    hasLeft: true,
  });
  client.destroy();
  await once(child, 'exit');
  assert.equal(getSocketFd(client), undefined, 'a closed socket has no number');
  assert.equal((await processAt(child.pid!))?.name, undefined);
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {describe, test, type TestContext} from 'node:test';
import {
  findPeer,
  getSocketFd,
  inspectPath,
  type Peer,
  readProcessTree,
} from '../../../source/system/index.ts';
import {sandboxed} from '../../../source/sandbox/index.ts';
import {eventually} from '../../support/eventually.ts';
import {bubblewrap, needs} from '../../support/needs.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {kernel, processAt} from '../support/own-kernel.ts';
import {createTestProcesses, type TestProcesses} from '../support/test-processes.ts';
import {type Attack, attacks} from './attacks.ts';

type PeerFixture = {
  readonly work: string;
  readonly hidden: readonly string[];
  readonly result: string;
  readonly env: Readonly<Record<string, string>>;
  /** Connections on which something was said; each stays open until the test is over. */
  readonly sent: Socket[];
};

/**
 * A daemon's socket, a session's directory, and programs of the person's that were there before the
 * session.
 */
async function createPeerFixture(
  t: TestContext,
  testProcesses: TestProcesses,
): Promise<PeerFixture> {
  // Before the directory goes: tmux is told through a socket in it.
  const last: (() => void)[] = [];
  t.after(() => {
    for (const act of last) act();
  });
  const root = temporaryDirectory(t);
  const [work, runtime, person, spool] = ['work', 'run', 'person', 'spool'].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string];
  for (const directory of [work, runtime, person, spool]) mkdirSync(directory);
  const socket = path.join(runtime, 'socket');
  const sent: Socket[] = [];
  const server = createServer({allowHalfOpen: true}, (client) => {
    client.on('error', () => undefined);
    client.once('data', () => sent.push(client));
    t.after(() => client.destroy());
  });
  server.listen(socket);
  await once(server, 'listening');
  t.after(() => server.close());

  const tmux = (...argv: readonly string[]): void => {
    execFileSync('tmux', ['-S', path.join(person, 'tmux'), '-f', '/dev/null', ...argv], {
      env: {PATH: process.env['PATH'], HOME: root},
      stdio: 'ignore',
    });
  };
  tmux('new-session', '-d', 'sleep 600');
  last.push(() => {
    tmux('kill-server');
  });
  await testProcesses.start([
    '/bin/sh',
    '-c',
    `until [ -s ${spool}/job ]; do sleep 0.02; done; sh ${spool}/job; exec sleep 600`,
  ]);

  const result = path.join(work, 'result');
  const speakProgram = `/usr/bin/perl ${path.join(import.meta.dirname, 'programs/speak.pl')} ${socket} ${result}`;
  return {
    work,
    hidden: [runtime, person],
    result,
    env: {
      SPEAK: speakProgram,
      SPOOL: spool,
      TMUX_OUTSIDE: path.join(person, 'tmux'),
      TERM: 'xterm',
    },
    sent,
  };
}

function getScript({script}: Attack, {result}: PeerFixture): string {
  return `{ ${script}\n} || [ -e ${result} ] || echo refused > ${result}\nexec sleep 600`;
}

/** The script is over, so that the testProcesses sees everybody it has to end. */
function comesToRest(cookie: string): Promise<unknown> {
  return eventually('the script is over', async () => {
    const tree = await readProcessTree({cookie}, kernel);
    return 'value' in tree && tree.value.members.some(({command}) => command === 'sleep 600');
  });
}

function getVerdict(peer: Peer | {readonly unknown: string}): object {
  if ('unknown' in peer) return {verdict: 'unknown', text: peer.unknown};
  if (peer.session !== undefined) return {verdict: 'session', found: peer.found};
  return peer.doubts.length > 0 ? {verdict: 'doubt', doubts: peer.doubts} : {verdict: 'none'};
}

describe('without a sandbox, what is found out about an agent that', needs('tmux'), () => {
  for (const attack of attacks) {
    test(`${attack.name}: ${attack.verdict}`, async (t) => {
      const testProcesses = createTestProcesses(t);
      const fixture = await createPeerFixture(t, testProcesses);
      const cookie = testProcesses.cookie('attacked');
      const {process} = await testProcesses.start(['/bin/sh', '-c', getScript(attack, fixture)], {
        cookie,
        isLeader: true,
        cwd: fixture.work,
        env: fixture.env,
      });
      const client = await eventually('something is said', () => fixture.sent[0]);
      if (attack.verdict === 'unknown' && attack.text.includes('gone'))
        await eventually('the client has gone', () => client.readableEnded);
      // Until the shell in between has gone, even an orphan can be proven.
      if (
        attack.verdict === 'doubt' ||
        (attack.verdict === 'session' && attack.found === 'process-session')
      )
        await eventually(
          'the script is over',
          async () => (await processAt(process.identity.pid))?.name === 'sleep',
        );
      const peer = await findPeer(
        {
          fd: getSocketFd(client)!,
          sessions: [{cookie, root: process.identity, directory: fixture.work}],
        },
        kernel,
      );
      assert.deepEqual({name: attack.name, script: attack.script, ...getVerdict(peer)}, attack);
      if ('process' in peer) testProcesses.adopt(peer.process.identity);
      client.destroy();
      await comesToRest(cookie);
    });
  }
});

describe('in the sandbox nothing is heard of an agent that', needs('tmux', 'bubblewrap'), () => {
  for (const attack of attacks) {
    test(attack.name, async (t) => {
      const testProcesses = createTestProcesses(t);
      const fixture = await createPeerFixture(t, testProcesses);
      chmodSync(fixture.work, 0o700);
      const argv = sandboxed(
        {argv: ['/bin/sh', '-c', getScript(attack, fixture)], cwd: fixture.work},
        {kind: 'worktree', writable: [fixture.work], hidden: fixture.hidden},
        {bwrap: bubblewrap(), uid: kernel.uid, look: inspectPath},
      );
      const cookie = testProcesses.cookie('sandboxed');
      await testProcesses.start(argv, {cookie, isLeader: true, env: fixture.env});
      const result = await eventually(
        'the attempt has been made',
        () => (existsSync(fixture.result) && readFileSync(fixture.result, 'utf8')) || undefined,
      );
      assert.match(result, /^refused/);
      await comesToRest(cookie);
      assert.deepEqual(fixture.sent, []);
    });
  }
});

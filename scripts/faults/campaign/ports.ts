import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {type DaemonFixture, end, isRunning} from '../../../test/daemon/support/daemon-fixture.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const changes = 200;

type Answer = {
  readonly verdict: string;
  readonly state: string;
  readonly session?: string;
  readonly owner?: {readonly identity: {readonly pid: number}};
};

const serve = `import net from 'node:net';
const server = net.createServer((socket) => socket.end());
server.listen(Number(process.argv[3]), process.argv[2], () => console.log('up ' + process.pid + '.'));
`;

/**
 * Takes ports through everything that can happen to a server; after each change `port N` must be
 * right.
 */
export async function tryPorts(fixture: DaemonFixture, report: Report): Promise<void> {
  const program = path.join(fixture.home, 'serve.mjs');
  writeFileSync(program, serve);
  const wrong: string[] = [];
  let tried = 0;
  const check = async (
    what: string,
    port: number,
    expected: Partial<Answer> & {readonly pid?: number},
  ): Promise<void> => {
    tried += 1;
    const {out, err} = await fixture.launch('port', String(port), '--json');
    const answer = JSON.parse(out === '' ? `{"state":${JSON.stringify(err)}}` : out) as Answer;
    const {pid, ...fields} = expected;
    const isRight =
      Object.entries(fields).every(([name, value]) => answer[name as keyof Answer] === value) &&
      (pid === undefined || answer.owner?.identity.pid === pid);
    if (!isRight)
      wrong.push(
        `${what}: expected ${JSON.stringify(expected)}, got ${answer.verdict} ${answer.state} ${answer.session ?? ''} ${answer.owner?.identity.pid ?? ''}`,
      );
  };

  const start = async (
    host: string,
    port: number,
    how = '',
  ): Promise<{readonly session: string; readonly pid: number}> => {
    const session = await fixture.start(
      'sh',
      '-c',
      how === ''
        ? `exec ${process.execPath} ${program} ${host} ${port}`
        : `${how} ${process.execPath} ${program} ${host} ${port} > escaped-${port} 2>&1 & tail -F escaped-${port} 2>/dev/null`,
    );
    const pid = await eventually(
      `${session} serves`,
      () => /up (\d+)\./.exec(readOutput(fixture, session))?.[1],
    );
    return {session, pid: Number(pid)};
  };

  const stop = async (session: string): Promise<void> => {
    await fixture.ask({about: 'wish', wish: {type: 'stop', what: session as 's1'}});
    await fixture.endOf(session);
  };

  while (tried < changes) {
    const port = await freePort();
    await check('nobody yet', port, {verdict: 'no', state: 'free'});
    const first = await start('127.0.0.1', port);
    await check('started', port, {
      verdict: 'yes',
      state: 'accepting',
      session: first.session,
      pid: first.pid,
    });
    end(first.pid, fixture.home, 'SIGSTOP');
    await check('listening but hung', port, {
      verdict: 'no',
      state: 'listening-not-accepting',
      session: first.session,
      pid: first.pid,
    });
    end(first.pid, fixture.home, 'SIGCONT');
    await check('going on', port, {verdict: 'yes', state: 'accepting', session: first.session});
    end(first.pid, fixture.home);
    await eventually('it is dead', () => !isRunning(first.pid));
    await check('a silent death', port, {verdict: 'no', state: 'free'});
    const foreign = await listen(port);
    await check('a foreign owner', port, {verdict: 'no', state: 'foreign', pid: process.pid});
    await new Promise((resolve) => foreign.close(resolve));
    await check('the foreign owner left', port, {verdict: 'no', state: 'free'});
    const six = await start('::1', port);
    await check('on ::1 only', port, {
      verdict: 'yes',
      state: 'accepting',
      session: six.session,
      pid: six.pid,
    });
    await stop(six.session);
    await check('stopped', port, {verdict: 'no', state: 'free'});
    const escaped = await start('127.0.0.1', port, 'setsid nohup');
    await check('escaped by setsid nohup', port, {
      verdict: 'yes',
      state: 'accepting',
      session: escaped.session,
      pid: escaped.pid,
    });
    await stop(escaped.session);
    await check('stopped, though it had escaped', port, {verdict: 'no', state: 'free'});
  }

  report(
    '`port N` tells the truth after every change',
    tried,
    tried - wrong.length,
    wrong.slice(0, 3).join('; '),
  );
}

function readOutput(fixture: DaemonFixture, session: string): string {
  try {
    return fixture.outputOf(session);
  } catch {
    return '';
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(port, '127.0.0.1', () => {
      resolve(server);
    });
    server.once('error', reject);
  });
}

async function freePort(): Promise<number> {
  const server = await listen(0);
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

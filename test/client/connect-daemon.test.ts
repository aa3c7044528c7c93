import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import {test, type TestContext} from 'node:test';
import {connectDaemon, RequestRejectedError} from '../../source/client/index.ts';
import {encodeMessage} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';

/** Somebody who is no daemon, but listens like one. */
async function pretend(
  t: TestContext,
  act: (socket: Socket) => void,
): Promise<{
  readonly address: {readonly socket: string; readonly token: string; readonly build: string};
  readonly server: Server;
}> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-client-'));
  const socket = path.join(directory, 'd.sock');
  const taken: Socket[] = [];
  const server = createServer((client) => {
    taken.push(client);
    client.on('error', () => undefined);
    act(client);
  }).listen(socket);
  await eventually('it listens', () => server.listening);
  t.after(() => {
    for (const client of taken) client.destroy();
    server.close();
    rmSync(directory, {recursive: true});
  });
  return {address: {socket, token: 'secret', build: 'test'}, server};
}

const welcome = encodeMessage({type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0});

test('where nobody listens, or whoever does is just ending, nobody is there', async (t) => {
  await assert.rejects(connectDaemon({socket: '/nowhere/d.sock', token: '', build: ''}), {
    code: 'ENOENT',
  });
  const ending = await pretend(t, (socket) => socket.destroy());
  await assert.rejects(connectDaemon(ending.address), {code: 'ECONNREFUSED'});
});

test('somebody who says nothing is not waited for', async (t) => {
  const {address} = await pretend(t, () => undefined);
  await assert.rejects(connectDaemon(address, {timeoutMs: 50}), /the daemon does not answer/);
});

test('a refusal before the welcome comes with its sentence', async (t) => {
  const {address} = await pretend(t, (socket) =>
    socket.end(encodeMessage({type: 'error', code: 'version', text: 'of different versions'})),
  );
  await assert.rejects(
    connectDaemon(address),
    (error) => error instanceof RequestRejectedError && error.message === 'of different versions',
  );
});

test('an answer that comes in parts is put together, beside others', async (t) => {
  const {address} = await pretend(t, (socket) => {
    socket.once('data', () => {
      socket.write(welcome);
      socket.once('data', () => {
        for (const message of [
          {type: 'part', id: 1, text: '{"a":"\uD83D'},
          {type: 'part', id: 1, text: '\uDE80"'},
          {type: 'answer', id: 2, value: 'short'},
          {type: 'part', id: 1, text: ',"b":[1]}'},
          {type: 'answer', id: 1},
        ])
          socket.write(encodeMessage(message));
      });
    });
  });
  const daemon = await connectDaemon(address);
  const answers = await Promise.all([
    daemon.ask({about: 'sessions'}),
    daemon.ask({about: 'daemon'}),
  ]);
  assert.deepEqual(answers, [{a: '\u{1F680}', b: [1]}, 'short']);
  daemon.close();
});

test('what is asked when the connection breaks, or afterwards, is refused and not waited for', async (t) => {
  const {address} = await pretend(t, (socket) => {
    socket.once('data', () => {
      socket.write(welcome);
      socket.once('data', () => socket.destroy());
    });
  });
  const daemon = await connectDaemon(address);
  await assert.rejects(daemon.ask({about: 'daemon'}), /the connection to the daemon ended/);
  await daemon.ended;
  await assert.rejects(daemon.ask({about: 'daemon'}), /the connection to the daemon ended/);
});

test('nonsense from the other side ends the conversation', async (t) => {
  const {address} = await pretend(t, (socket) =>
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0])),
  );
  await assert.rejects(connectDaemon(address), {code: 'ECONNREFUSED'});
});

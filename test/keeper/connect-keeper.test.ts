import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {test} from 'node:test';
import {connectKeeper, KeeperError, readSize} from '../../source/keeper/index.ts';
import {eventually} from '../support/eventually.ts';
import {prepare, save} from './support/keeper-fixture.ts';

test('a keeper that is stopped is not waited for, and answers when it goes on', async (t) => {
  const {launch, process: keeper} = await save(t, 'exec cat');
  keeper.kill('SIGSTOP');
  await eventually('it is stopped', () =>
    readFileSync(`/proc/${keeper.pid}/stat`, 'utf8').includes(') T '),
  );
  await assert.rejects(connectKeeper(launch, {}, 50), {
    name: 'KeeperError',
    code: 'mute',
    message: /was its process stopped\?/,
  });
  keeper.kill('SIGCONT');
  const link = await connectKeeper(launch);
  assert.equal(link.welcome.phase, 'ready');
  await link.ask({type: 'release'});
  await link.ended;
});

test('one that says nothing is mute as well when the time is over before the connection is seen to be made', async (t) => {
  const {directory} = prepare(t, '');
  const socket = path.join(directory, 'silent');
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await eventually('it listens', () => server.listening);
  // After this the clocks of the event loop come first, and only then its sockets.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  let code: string | undefined;
  connectKeeper({socket, token: ''}, {}, 1).catch((error: unknown) => {
    code = error instanceof KeeperError ? error.code : String(error);
  });
  const began = performance.now();
  while (performance.now() < began + 20);
  assert.equal(await eventually('the time is over', () => code), 'mute');
});

test('one that hangs up instead of a welcome is gone, and one that is not there is told at once', async (t) => {
  const {directory} = prepare(t, '');
  const socket = path.join(directory, 'rude');
  const server = createServer((client) => client.destroy()).listen(socket);
  t.after(() => server.close());
  await eventually('it listens', () => server.listening);
  await assert.rejects(connectKeeper({socket, token: ''}), {code: 'gone'});
  await assert.rejects(connectKeeper({socket: path.join(directory, 'nowhere'), token: ''}), {
    code: 'ENOENT',
  });
});

test('the latest size is read from the end of the latest times, also when a line is cut off there', (t) => {
  const {directory} = prepare(t, '');
  const out = path.join(directory, 'out');
  assert.equal(readSize(directory), undefined);
  mkdirSync(out);
  const times = (start: number, text: string): void => {
    writeFileSync(path.join(out, start.toString(16).padStart(16, '0')), '');
    writeFileSync(path.join(out, `${start.toString(16).padStart(16, '0')}.times`), text);
  };
  times(0, '');
  assert.equal(readSize(directory), undefined);
  times(0, '0 0 80x24\n');
  assert.deepEqual(readSize(directory), {columns: 80, rows: 24});
  times(0, '0 0 80x24\n10 5\n20 9 100x30\n30 10\n');
  assert.deepEqual(readSize(directory), {columns: 100, rows: 30});
  times(0, '0 0 80x24\n10 5\n20 9 100x3');
  assert.deepEqual(readSize(directory), {columns: 80, rows: 24});
  times(64, '90 64 60x20\n95 70\n');
  assert.deepEqual(readSize(directory), {columns: 60, rows: 20});
  times(64, 'x');
  assert.equal(readSize(directory), undefined);
});

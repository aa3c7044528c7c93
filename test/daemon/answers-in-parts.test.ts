import assert from 'node:assert/strict';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {connectDaemon} from '../../source/client/index.ts';
import {makeServer, serve} from '../../source/daemon/serve.ts';
import {openWire} from './support/wire.ts';

/** Answers every question with this. */
async function answering(t: TestContext, answer: unknown): Promise<string> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'parts-'));
  const socket = path.join(directory, 's');
  const server = makeServer();
  const serving = await serve(server, {admit: () => ({}), build: 'test', seq: () => 0, answer: () => Promise.resolve(answer)});
  server.listen(socket);
  await once(server, 'listening');
  t.after(async () => {
    await serving.close(0);
    rmSync(directory, {recursive: true, force: true});
  });
  return socket;
}

/** What is hardest to put into few bytes: quotes, escapes, signs of three and of four bytes. */
const hard = Array.from({length: 60_000}, (_, index) => ({name: `"${'\\'.repeat(5)}\u0001€世界\u{1F680}"${index}`}));

test('an answer of several megabytes arrives whole', async (t) => {
  const answer = {sessions: hard, strangers: []};
  assert.ok(JSON.stringify(answer).length > 2 * 1024 * 1024);
  const daemon = await connectDaemon({socket: await answering(t, answer), token: 'token', build: 'test'});
  const [one, other] = await Promise.all([daemon.ask({about: 'sessions'}), daemon.ask({about: 'sessions'})]);
  assert.deepEqual(one, answer);
  assert.deepEqual(other, answer);
  daemon.close();
});

test('a client of an earlier build is told that it is too long, and can go on asking', async (t) => {
  const wire = await openWire(await answering(t, hard));
  t.after(() => wire.socket.destroy());
  wire.say({type: 'hello', protocol: {min: 1, max: 1}, build: 'earlier', token: 'token'});
  await wire.hear('welcome');
  wire.say({type: 'ask', id: 1, question: {about: 'sessions'}});
  assert.deepEqual(await wire.hear('refusal'), {type: 'refusal', id: 1, text: 'the answer is too long to be sent'});
  assert.equal(wire.isClosed(), false);
});

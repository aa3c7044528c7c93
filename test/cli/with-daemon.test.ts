import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {test, type TestContext} from 'node:test';
import {encodeMessage} from '../../source/protocol/index.ts';
import {createDaemonFixture, type DaemonFixture} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

/** Somebody who welcomes at the daemon's place, and ends at the first question. */
async function pretendThere(t: TestContext): Promise<DaemonFixture> {
  const fixture = createDaemonFixture(t);
  const {socket, runtimeDirectory} = fixture.current();
  mkdirSync(runtimeDirectory, {recursive: true, mode: 0o700});
  const taken: Socket[] = [];
  const server = createServer((client) => {
    taken.push(client);
    client.on('error', () => undefined);
    client.once('data', () => {
      client.write(encodeMessage({type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0}));
      client.once('data', () => {
        server.close();
        for (const one of taken) one.destroy();
      });
    });
  }).listen(socket);
  await eventually('it listens', () => server.listening);
  t.after(() => server.close());
  return fixture;
}

for (const argv of [['status'], ['sessions'], ['services'], ['needs'], ['brief'], ['facts']]) {
  test(`a daemon that ends before it has answered is told in one sentence: orchestra ${argv.join(' ')}`, async (t) => {
    const fixture = await pretendThere(t);
    const {code, out, err} = await fixture.launch(...argv);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, /^orchestra: the daemon exited before answering\. [^\n]*\n$/);
  });
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {createServer, type Socket} from 'node:net';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {followSession, type SessionEnd} from '../../source/cli/follow-session.ts';
import {createFrameReader, encodeMessage, encodeNumbered} from '../../source/protocol/index.ts';
import {
  launchWithClient,
  prepare,
  release,
  startKeeperFixture,
} from '../keeper/support/keeper-fixture.ts';

const printed = 'one two three';

type Stage = {
  /** The directory of a session that has printed `one two three` and ended with code 7. */
  readonly directory: string;
  /** What the session's client shows and how the session ended for it. */
  readonly follow: () => Promise<{readonly shown: string; readonly end: SessionEnd}>;
};

/** A keeper that welcomes its client and then ends in its own way when it is asked for output. */
async function createStage(
  t: TestContext,
  onAttach: (client: Socket, exit: Uint8Array) => void,
): Promise<Stage> {
  const keeper = await startKeeperFixture(t, `printf "${printed}"; exit 7`);
  const real = await launchWithClient(keeper);
  const exit = await real.onMessage('exit');
  const welcome = real.replies.find(({type}) => type === 'welcome') ?? assert.fail();
  await release(keeper, real);
  const socket = path.join(prepare(t, '').directory, 'fake');
  const server = createServer((client) => {
    const reader = createFrameReader();
    client.on('error', () => undefined);
    client.on('data', (chunk) => {
      for (const frame of reader.read(chunk).frames) {
        const {type} = frame.kind === 'control' ? (frame.value as {readonly type: string}) : {};
        if (type === 'hello') client.write(encodeMessage(welcome));
        if (type === 'attach') onAttach(client, encodeMessage(exit));
      }
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  t.after(() => {
    server.close();
  });
  const {directory} = keeper;
  return {
    directory,
    follow: async () => {
      let shown = '';
      const ticket = {socket, token: '', directory, isLive: true};
      const followed = await followSession('s1', ticket, {
        output: (offset, bytes) => {
          assert.equal(offset, shown.length);
          shown += Buffer.from(bytes).toString();
        },
      });
      await followed.attach(0);
      const end = await followed.ended;
      followed.close();
      return {shown, end};
    },
  };
}

const output = (text: string): Uint8Array => encodeNumbered('output', 0, Buffer.from(text));

test('a keeper that ends before it sends anything: its files have the output and the end', async (t) => {
  const stage = await createStage(t, (client) => client.destroy());
  const {shown, end} = await stage.follow();
  assert.equal(shown, printed);
  assert.equal(end !== 'lost' && end.code, 7);
});

test('a keeper that ends in the middle of the output: each byte is shown once', async (t) => {
  const stage = await createStage(t, (client) => client.end(output('one t')));
  const {shown, end} = await stage.follow();
  assert.equal(shown, printed);
  assert.equal(end !== 'lost' && end.code, 7);
});

test('a keeper that sends all and the end: nothing is read twice', async (t) => {
  const stage = await createStage(t, (client, exit) => {
    client.write(output(printed));
    client.end(exit);
  });
  const {shown, end} = await stage.follow();
  assert.equal(shown, printed);
  assert.equal(end !== 'lost' && end.code, 7);
});

test('a keeper that was killed left no end: the session is lost, its output is not', async (t) => {
  const stage = await createStage(t, (client) => client.destroy());
  rmSync(path.join(stage.directory, 'exit.json'));
  assert.deepEqual(await stage.follow(), {shown: printed, end: 'lost'});
});

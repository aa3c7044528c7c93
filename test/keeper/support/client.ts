import assert from 'node:assert/strict';
import net from 'node:net';
import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {
  createFrameReader,
  encodeMessage,
  encodeNumbered,
  type KeeperReply,
  type KeeperRequest,
  type Launch,
  parseKeeperReply,
  parseNumbered,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';

type ReplyOf<T extends KeeperReply['type']> = Extract<KeeperReply, {readonly type: T}>;

/** Talks to a keeper and keeps all that it says. */
export type Client = {
  readonly socket: net.Socket;
  readonly replies: KeeperReply[];
  readonly ask: (request: KeeperRequest) => void;
  readonly type: (id: number, text: string | Buffer) => void;
  /**
   * The next reply of this type that was not looked at yet. Rejects when the keeper has hung up
   * without one.
   */
  readonly onMessage: <T extends KeeperReply['type']>(
    type: T,
    limit?: number,
  ) => Promise<ReplyOf<T>>;
  /**
   * All output so far. That each piece follows the one before, or a gap that was told, has been
   * checked.
   */
  readonly output: () => Buffer;
  readonly isClosed: () => boolean;
  readonly close: () => void;
};

export async function connect({socket: path}: Pick<Launch, 'socket'>): Promise<Client> {
  const socket = net.connect(path);
  const reader = createFrameReader();
  const replies: KeeperReply[] = [];
  const pieces: Buffer[] = [];
  const received = new Map<string, number>();
  let next: number | undefined;
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    assert.equal(violation, undefined);
    for (const frame of frames) {
      if (frame.kind === 'control') {
        const reply = parseKeeperReply(frame.value);
        assert(reply !== undefined, JSON.stringify(frame.value));
        replies.push(reply);
        if (reply.type === 'attached') next = reply.from;
        if (reply.type !== 'gap') continue;
        assert.equal(reply.from, next);
        next = reply.to;
      } else {
        const {number, bytes} = parseNumbered(frame.payload)!;
        assert.equal(frame.kind, 'output');
        assert.equal(number, next, 'output follows what came before');
        next = number + bytes.length;
        pieces.push(Buffer.from(bytes));
      }
    }
  });
  await once(socket, 'connect');
  return {
    socket,
    replies,
    ask: (request) => socket.write(encodeMessage(request)),
    type: (id, text) => socket.write(encodeNumbered('input', id, Buffer.from(text))),
    onMessage: (type, limit) =>
      eventually(
        `a reply of type ${type}`,
        () => {
          const index = replies.findIndex(
            (reply, place) => reply.type === type && place >= (received.get(type) ?? 0),
          );
          if (index === -1) {
            assert(!isClosed, `the keeper hung up without a reply of type ${type}`);
            return undefined;
          }

          received.set(type, index + 1);
          return replies[index] as ReplyOf<typeof type>;
        },
        limit,
      ),
    output: () => Buffer.concat(pieces),
    isClosed: () => isClosed,
    close: () => socket.destroy(),
  };
}

/** Connects and is welcomed. */
export async function meet(launch: Launch): Promise<Client> {
  const client = await connect(launch);
  client.ask({type: 'hello', protocol: {min: 1, max: 1}, token: launch.token});
  await client.onMessage('welcome');
  return client;
}

import type {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {
  createFrameReader,
  type DaemonMessage,
  encodeMessage,
  parseDaemonMessage,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';

/** A connection without manners: it says what a test wants it to say. */
export type Wire = {
  readonly socket: Socket;
  readonly received: readonly DaemonMessage[];
  readonly print: (message: object) => void;
  readonly write: (bytes: Uint8Array | string) => void;
  readonly onMessage: <T extends DaemonMessage['type']>(
    type: T,
  ) => Promise<Extract<DaemonMessage, {type: T}>>;
  readonly isClosed: () => boolean;
};

export async function openWire(path: string): Promise<Wire> {
  const socket = connect(path);
  const received: DaemonMessage[] = [];
  const reader = createFrameReader();
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    for (const frame of reader.read(chunk).frames) {
      const message = frame.kind === 'control' ? parseDaemonMessage(frame.value) : undefined;
      if (message !== undefined) received.push(message);
    }
  });
  await once(socket, 'connect');
  return {
    socket,
    received,
    print: (message) => socket.write(encodeMessage(message)),
    write: (bytes) => socket.write(bytes),
    onMessage: (type) =>
      eventually(
        `a message of type ${type}`,
        () => received.find((message) => message.type === type) as never,
      ),
    isClosed: () => isClosed,
  };
}

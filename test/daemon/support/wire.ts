import type {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {
  createFrameReader,
  encodeMessage,
  readDaemonMessage,
  type DaemonMessage,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';

/** A connection without manners: it says what a test wants it to say. */
export type Wire = {
  readonly socket: Socket;
  readonly heard: readonly DaemonMessage[];
  readonly say: (message: object) => void;
  readonly write: (bytes: Uint8Array | string) => void;
  readonly hear: <T extends DaemonMessage['type']>(
    type: T,
  ) => Promise<Extract<DaemonMessage, {type: T}>>;
  readonly isClosed: () => boolean;
};

export async function openWire(path: string): Promise<Wire> {
  const socket = connect(path);
  const heard: DaemonMessage[] = [];
  const reader = createFrameReader();
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('data', (chunk: Buffer) => {
    for (const frame of reader.read(chunk).frames) {
      const message = frame.kind === 'control' ? readDaemonMessage(frame.value) : undefined;
      if (message !== undefined) heard.push(message);
    }
  });
  await once(socket, 'connect');
  return {
    socket,
    heard,
    say: (message) => socket.write(encodeMessage(message)),
    write: (bytes) => socket.write(bytes),
    hear: (type) =>
      eventually(
        `a message of type ${type}`,
        () => heard.find((message) => message.type === type) as never,
      ),
    isClosed: () => isClosed,
  };
}

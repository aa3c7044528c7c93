import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';

/** What waits to be sent on one connection, in its order. */
export type Outbox = {
  readonly send: (frames: readonly Buffer[], kind: Kind) => void;
  /** Encoded only when its turn comes, so that a long history is never held twice. What gives no frames ends the connection. */
  readonly sendLater: (encode: () => readonly Buffer[] | undefined) => void;
  /** In bytes, as far as they are encoded. */
  readonly unsent: () => number;
  /** Of what was told unasked: how far a follower has fallen behind. */
  readonly unsentNews: () => number;
  /** Sends what waits, then this, and closes. */
  readonly end: (frame: Buffer) => void;
};

type Kind = 'answer' | 'news';

type Item = {
  readonly bytes: number;
  readonly kind: Kind;
  readonly encode: () => readonly Buffer[] | undefined;
};

export type OutboxOptions = {
  /** More than this may not lie there while the other side takes nothing for `stallMs`; then its connection ends. */
  readonly maxUnsentBytes: number;
  readonly stallMs: number;
  /** Called when less than `maxUnsentBytes` wait again. */
  readonly onRoom: () => void;
  /** The last frame to a client that could not put together what comes next: it is told, and never gets the rest with a gap. */
  readonly tooLong: () => Buffer;
};

/** How much is given to the kernel and to Node at a time; the rest waits here, where it can be counted. */
const highWaterBytes = 1024 * 1024;

/**
 * Sends as fast as the other side reads. Somebody who reads slowly gets everything, however long it is; somebody who has
 * stopped reading loses the connection, comes back and asks for what it missed.
 */
export function createOutbox(
  socket: Socket,
  {maxUnsentBytes, stallMs, onRoom, tooLong}: OutboxOptions,
): Outbox {
  let waiting: Item[] = [];
  let next = 0;
  let bytes = {answer: 0, news: 0};
  let written = 0;
  let goodbye: Buffer | undefined;
  let stall: NodeJS.Timeout | undefined;

  const unsent = (): number => bytes.answer + bytes.news + socket.writableLength;
  const watch = (): void => {
    if (stall !== undefined || socket.destroyed || unsent() <= maxUnsentBytes) return;
    const before = written;
    stall = setTimeout(() => {
      stall = undefined;
      if (written === before && unsent() > maxUnsentBytes) socket.destroy();
      else watch();
    }, stallMs);
  };

  const onWritten = (): void => {
    written += 1;
    pump();
    if (unsent() <= maxUnsentBytes) onRoom();
  };

  const pump = (): void => {
    while (socket.writable && socket.writableLength < highWaterBytes) {
      const item = waiting[next];
      if (item === undefined) break;
      next += 1;
      bytes[item.kind] -= item.bytes;
      const frames = item.encode();
      if (frames === undefined) {
        forget();
        goodbye = tooLong();
        break;
      }

      for (const frame of frames) socket.write(frame, onWritten);
    }

    if (next === waiting.length) [waiting, next] = [[], 0];
    else if (next > 1000) [waiting, next] = [waiting.slice(next), 0];
    if (waiting.length === 0 && goodbye !== undefined && socket.writable) socket.end(goodbye);
    watch();
  };

  const put = (item: Item): void => {
    if (goodbye !== undefined || !socket.writable) return;
    waiting.push(item);
    bytes[item.kind] += item.bytes;
    pump();
  };

  const forget = (): void => {
    [waiting, next] = [[], 0];
    bytes = {answer: 0, news: 0};
  };

  socket.once('close', () => {
    clearTimeout(stall);
    forget();
  });
  return {
    send: (frames, kind) => {
      for (const frame of frames) put({bytes: frame.length, kind, encode: () => [frame]});
    },
    sendLater: (encode) => {
      put({bytes: 0, kind: 'news', encode});
    },
    unsent,
    unsentNews: () => bytes.news,
    end: (frame) => {
      if (goodbye !== undefined) return;
      goodbye = frame;
      pump();
    },
  };
}

import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {type DaemonMessage, encodeMessage, maxFrameBytes} from '../../protocol/index.ts';

/** What a client can reassemble, according to its hello. */
export type Abilities = {
  /** Long answers. */
  readonly parts: boolean;
  /** Long events. */
  readonly factParts: boolean;
};

/** In characters. No UTF-16 unit takes more than three bytes, so each part fits into a frame. */
const partLength = 256 * 1024;

/** A refusal may quote the client's input, which must not make it too long for a frame. */
const maxRefusalCharacters = 16 * 1024;

/**
 * The frames of a message of any size. Undefined if an event needs several frames and the client
 * cannot reassemble them: its connection must end, because leaving the event out would be wrong. An
 * answer that is not JSON becomes a refusal.
 */
export function encodeForClient(
  message: DaemonMessage,
  abilities: Abilities,
): readonly Buffer[] | undefined {
  switch (message.type) {
    case 'answer':
      return encodeAnswer(message, abilities.parts);
    case 'fact':
      return encodeFact(message, abilities.factParts);
    case 'refusal':
      return [encodeMessage({...message, text: message.text.slice(0, maxRefusalCharacters)})];
    default:
      return [encodeMessage(message)];
  }
}

/** A client that cannot reassemble a long answer gets a refusal: it knows what it asked for. */
function encodeAnswer(
  {id, value}: Extract<DaemonMessage, {type: 'answer'}>,
  takesParts: boolean,
): readonly Buffer[] {
  const text = toJson(value);
  if (text === undefined)
    return [encodeMessage({type: 'refusal', id, text: 'the answer cannot be written as JSON'})];
  const whole = encodeIfShort({type: 'answer', id, value}, text);
  if (whole !== undefined) return [whole];
  if (!takesParts)
    return [encodeMessage({type: 'refusal', id, text: 'the answer is too long to send'})];
  return [
    ...splitText(text).map((piece) => encodeMessage({type: 'part', id, text: piece})),
    encodeMessage({type: 'answer', id}),
  ];
}

function encodeFact(
  {seq, event}: Extract<DaemonMessage, {type: 'fact'}>,
  takesParts: boolean,
): readonly Buffer[] | undefined {
  const text = toJson(event) ?? 'null';
  const whole = encodeIfShort({type: 'fact', seq, event}, text);
  if (whole !== undefined) return [whole];
  if (!takesParts) return undefined;
  const pieces = splitText(text);
  return pieces.map((piece, index) =>
    encodeMessage({
      type: 'fact-part',
      seq,
      text: piece,
      ...(index === pieces.length - 1 && {last: true}),
    }),
  );
}

function encodeIfShort(message: DaemonMessage, text: string): Buffer | undefined {
  if (text.length > maxFrameBytes) return undefined;
  try {
    return encodeMessage(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toJson(value: unknown): string | undefined {
  try {
    const text: unknown = JSON.stringify(value);
    // `undefined` is a valid answer.
    return typeof text === 'string' ? text : 'null';
  } catch {
    return undefined;
  }
}

function splitText(text: string): string[] {
  return Array.from({length: Math.ceil(text.length / partLength)}, (_, index) =>
    text.slice(index * partLength, (index + 1) * partLength),
  );
}

/** The send queue of one connection. */
export type Outbox = {
  readonly send: (frames: readonly Buffer[], kind: Kind) => void;
  /**
   * Encodes only when it is sent, so that a long history is never held twice. No frames: the
   * connection ends.
   */
  readonly sendLater: (encode: () => readonly Buffer[] | undefined) => void;
  /** Bytes that are encoded and not sent. */
  readonly unsent: () => number;
  /** The part of `unsent` that are events: how far a follower is behind. */
  readonly unsentNews: () => number;
  /** Sends the queue, then this frame, and closes. */
  readonly end: (frame: Buffer) => void;
};

type Kind = 'answer' | 'news';

type Item = {
  readonly bytes: number;
  readonly kind: Kind;
  readonly encode: () => readonly Buffer[] | undefined;
};

export type OutboxOptions = {
  /** The connection ends if more than this is unsent and the client reads nothing for `stallMs`. */
  readonly maxUnsentBytes: number;
  readonly stallMs: number;
  /** Called when no more than `maxUnsentBytes` are unsent. */
  readonly onDrain: () => void;
  /** The last frame to a client that cannot reassemble the next event. */
  readonly tooLong: () => Buffer;
};

/**
 * How much is handed to Node and the kernel at a time; the rest waits here, where it can be
 * counted.
 */
const highWaterBytes = 1024 * 1024;

/**
 * Sends as fast as the client reads. A slow reader gets everything; a client that has stopped
 * reading loses the connection, reconnects and requests what it missed.
 */
export function createOutbox(
  socket: Socket,
  {maxUnsentBytes, stallMs, onDrain, tooLong}: OutboxOptions,
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
    if (unsent() <= maxUnsentBytes) onDrain();
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

import {Buffer} from 'node:buffer';
import {createServer, type Server, type Socket} from 'node:net';
import type {SessionId} from '../domain/index.ts';
import {fdOf} from '../machine/index.ts';
import {createFrameReader, daemonProtocol, encodeMessage, readClientMessage, type ClientMessage, type DaemonMessage, type Question} from '../protocol/index.ts';

export type Serving = {
  readonly clients: () => number;
  /** How many follow what happens. */
  readonly followers: () => number;
  /** Sends to everybody who follows the events. */
  readonly tell: (seq: number, message: DaemonMessage) => void;
  /** Says good-bye and closes; a client that does not listen holds nobody up. */
  readonly close: (after: number) => Promise<void>;
};

export type Service = {
  /** Who comes with this token; nothing for somebody who may not. */
  readonly admit: (token: string) => Guest | undefined;
  /** How many conversations one session may have at once. */
  readonly mostEach?: number;
  readonly build: string;
  readonly seq: () => number;
  /** Answers, or throws an error whose message is the refusal. */
  readonly answer: (question: Question, client: Client) => Promise<unknown>;
};

/** A person's program, or the agent of a session. */
export type Guest = {readonly session?: SessionId};

export type Client = {
  readonly name: string;
  /** Whose token it brought, at the agents' socket. */
  readonly session?: SessionId;
  /** The number of its connection in this process, to ask the kernel about. */
  readonly fd: () => number | undefined;
  /** Follow the events after this one. */
  readonly follow: (from: number, past: readonly DaemonMessage[]) => void;
};

/** In characters: none becomes more than three bytes, so each part fits into a frame. */
const partLength = 256 * 1024;
const limits = {clients: 64, helloMs: 2000, unsentBytes: 4 * 1024 * 1024, goodbyeMs: 2000};

/** Listens for clients. Whoever is malformed, mute, without the token or too slow loses its connection, and nobody else notices. */
export async function serve(server: Server, service: Service): Promise<Serving> {
  const followers = new Set<Socket>();
  const sockets = new Set<Socket>();
  const guests = new Map<Socket, Guest>();
  let count = 0;

  const admit = (socket: Socket, token: string): Guest | DaemonMessage => {
    const guest = service.admit(token);
    if (guest === undefined) return {type: 'error', code: 'token', text: 'the token is wrong'};
    const before = [...guests.values()].filter(({session}) => session !== undefined && session === guest.session).length;
    if (before >= (service.mostEach ?? limits.clients)) return {type: 'error', code: 'busy', text: `there are ${before} conversations of ${guest.session ?? 'yours'} already`};
    guests.set(socket, guest);
    return guest;
  };

  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (sockets.size >= limits.clients) {
      // What it says is taken and thrown away: as long as that lies there, the connection never ends, and the daemon could not.
      socket.resume();
      socket.end(encodeMessage({type: 'error', code: 'busy', text: `there are ${limits.clients} clients already`}));
      const stays = setTimeout(() => socket.destroy(), limits.helloMs);
      socket.on('close', () => { clearTimeout(stays); });
      return;
    }

    sockets.add(socket);
    count += 1;
    const name = `client-${count}`;
    const mute = setTimeout(() => socket.destroy(), limits.helloMs);
    socket.on('close', () => {
      clearTimeout(mute);
      sockets.delete(socket);
      followers.delete(socket);
      guests.delete(socket);
    });
    const client: Client = {
      name,
      fd: () => fdOf(socket),
      follow: (_from, past) => {
        for (const message of past) socket.write(frameOf(message));
        followers.add(socket);
      },
    };
    converse(socket, service, client, (token) => {
      const guest = admit(socket, token);
      if (!('type' in guest)) clearTimeout(mute);
      return guest;
    });
  });
  await Promise.resolve();

  return {
    clients: () => sockets.size,
    followers: () => followers.size,
    tell: (_seq, message) => {
      const frame = frameOf(message);
      for (const socket of followers) sendTo(socket, frame);
    },
    close: (after) =>
      new Promise((resolve) => {
        const force = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, limits.goodbyeMs);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        for (const socket of sockets) socket.end(encodeMessage({type: 'bye', after}));
      }),
  };
}

function converse(socket: Socket, service: Service, unknown: Client, admit: (token: string) => Guest | DaemonMessage): void {
  const reader = createFrameReader();
  let client: Client | undefined;
  let takesParts = false;
  const say = (message: DaemonMessage): void => { sendTo(socket, frameOf(message, takesParts)); };
  const part = (message: DaemonMessage): void => void socket.end(frameOf(message));

  const hear = (message: ClientMessage): void => {
    if (message.type === 'hello') {
      const guest = refusalOf(message) ?? (client === undefined ? admit(message.token) : {type: 'error', code: 'malformed', text: 'expected hello once'});
      if ('type' in guest) {
        part(guest);
        return;
      }

      client = {...unknown, ...guest};
      takesParts = message.parts === true;
      say({type: 'welcome', protocol: daemonProtocol.max, build: service.build, pid: process.pid, seq: service.seq()});
      return;
    }

    if (client === undefined) {
      part({type: 'error', code: 'malformed', text: 'expected hello first'});
      return;
    }

    service.answer(message.question, client).then(
      (value) => { say({type: 'answer', id: message.id, value}); },
      (error: unknown) => { say({type: 'refusal', id: message.id, text: error instanceof Error ? error.message : String(error)}); },
    );
  };

  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      if (!socket.writable) return;
      const message = frame.kind === 'control' ? readClientMessage(frame.value) : undefined;
      if (message === undefined) {
        part({type: 'error', code: 'malformed', text: 'expected a message of the client protocol'});
        return;
      }

      hear(message);
    }

    if (violation !== undefined) socket.destroy();
  });
}

/** Whoever does not read loses its connection. It comes back and asks for what it missed: nothing is lost, and nobody waits for it. */
function sendTo(socket: Socket, frame: Buffer): void {
  if (socket.writableLength > limits.unsentBytes) socket.destroy();
  else if (socket.writable) socket.write(frame);
}

/** An answer that does not fit into a frame comes in parts. To whom that is unknown it is refused with words, which ends neither the conversation nor the daemon. */
function frameOf(message: DaemonMessage, takesParts = false): Buffer {
  try {
    return encodeMessage(message);
  } catch (error) {
    if (message.type !== 'answer') throw error;
    if (takesParts) return framesOf(message);
    return encodeMessage({type: 'refusal', id: message.id, text: 'the answer is too long to be sent'});
  }
}

/** All in one piece: so it is sent whole or, to a client that does not read, not at all. */
function framesOf({id, value}: Extract<DaemonMessage, {type: 'answer'}>): Buffer {
  const text = JSON.stringify(value);
  const count = Math.ceil(text.length / partLength);
  const parts = Array.from({length: count}, (_, index): DaemonMessage => ({type: 'part', id, text: text.slice(index * partLength, (index + 1) * partLength)}));
  return Buffer.concat([...parts, {type: 'answer', id}].map((message) => encodeMessage(message)));
}

function refusalOf({protocol}: Extract<ClientMessage, {type: 'hello'}>): DaemonMessage | undefined {
  if (protocol.max >= daemonProtocol.min && protocol.min <= daemonProtocol.max) return undefined;
  return {type: 'error', code: 'version', have: daemonProtocol, text: 'client and daemon are of different versions; `orchestra daemon restart` keeps every session'};
}

/** A server that is not listening yet. */
export function makeServer(): Server {
  return createServer({allowHalfOpen: false});
}

import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {
  createFrameReader,
  daemonProtocol,
  encodeMessage,
  type ClientMessage,
  type DaemonMessage,
  type Question,
} from '../protocol/index.ts';
import {encodeForClient, type Abilities} from './encode-for-client.ts';
import {createOutbox, type Outbox} from './create-outbox.ts';
import {checkQuestion, readClientMessage} from './read-client-message.ts';
import {Refusal} from './refusal.ts';
import type {Client, Guest, Service} from './service.ts';

/** What the server knows of one connection. */
export type Conversation = {
  /** An event, or news of the journal, in the frames that all followers get. */
  readonly tell: (frames: readonly Buffer[]) => void;
  /** Questions that are not answered yet. */
  readonly isBusy: () => boolean;
  readonly end: (message: DaemonMessage) => void;
};

export type ConverseOptions = {
  readonly service: Service;
  readonly name: string;
  readonly fd: () => number | undefined;
  /** Who brings this token, or what is said to somebody who may not stay. */
  readonly admit: (token: string) => Guest | DaemonMessage;
  /** Throws when there is no room for another follower. */
  readonly onFollow: () => void;
  readonly onQuestion: () => void;
};

/**
 * `questions` are under way at once for one connection, and no more are read while `unsentBytes` of answers lie there: whoever
 * asks without reading waits for itself. Events that a slow follower has not taken are held up to `newsBytes`.
 */
const limits = {
  questions: 32,
  unsentBytes: 4 * 1024 * 1024,
  newsBytes: 64 * 1024 * 1024,
  stallMs: 10_000,
  goodbyeMs: 2000,
};

/** One connection, from hello to its end. */
export function converse(socket: Socket, options: ConverseOptions): Conversation {
  const {service} = options;
  const reader = createFrameReader();
  const unread: ClientMessage[] = [];
  let client: Client | undefined;
  let abilities: Abilities = {parts: false, factParts: false};
  let underWay = 0;
  let hasLeft = false;

  const outbox: Outbox = createOutbox(socket, {
    maxUnsentBytes: limits.unsentBytes,
    stallMs: limits.stallMs,
    onRoom: () => {
      goOn();
    },
    tooLong: () =>
      encodeMessage({
        type: 'error',
        code: 'version',
        have: daemonProtocol,
        text: 'an event is too long for this client, which is of an earlier version than the daemon; use the new one, which asks for it in parts',
      }),
  });
  const say = (message: DaemonMessage): void => {
    outbox.send(encodeForClient(message, abilities) ?? [], 'answer');
  };
  const leave = (message: DaemonMessage): void => {
    if (hasLeft) return;
    hasLeft = true;
    outbox.end(encodeMessage(message));
    // Whoever does not hang up then is hung up on.
    const stays = setTimeout(() => socket.destroy(), limits.goodbyeMs);
    socket.once('close', () => {
      clearTimeout(stays);
    });
  };

  const greet = (message: Extract<ClientMessage, {type: 'hello'}>): void => {
    const guest =
      refusalOf(message) ??
      (client === undefined
        ? options.admit(message.token)
        : {type: 'error', code: 'malformed', text: 'expected hello once'});
    if ('type' in guest) {
      leave(guest);
      return;
    }

    abilities = {parts: message.parts === true, factParts: message.factParts === true};
    client = {
      name: options.name,
      fd: options.fd,
      code: message.code,
      isTyped: message.typed,
      ...guest,
      follow: (past) => {
        options.onFollow();
        for (const fact of past) outbox.sendLater(() => encodeForClient(fact, abilities));
      },
    };
    say({
      type: 'welcome',
      protocol: daemonProtocol.max,
      build: service.build,
      pid: process.pid,
      seq: service.seq(),
    });
  };

  const answer = async (id: number, question: Question, asker: Client): Promise<unknown> => {
    const refused = service.refusalOf?.(question.about);
    if (refused !== undefined) throw new Error(refused);
    return service.answer(checkQuestion(question, service.build), asker, (progress) => {
      say({type: 'progress', id, ...progress});
    });
  };

  const hear = (message: ClientMessage): void => {
    if (message.type === 'hello') {
      greet(message);
      return;
    }

    if (client === undefined) {
      leave({type: 'error', code: 'malformed', text: 'expected hello first'});
      return;
    }

    const {id} = message;
    underWay += 1;
    options.onQuestion();
    void answer(id, message.question, client)
      .then(
        (value) => {
          say({type: 'answer', id, value});
        },
        (error: unknown) => {
          say({
            type: 'refusal',
            id,
            text: error instanceof Error ? error.message : String(error),
            ...(error instanceof Refusal && error.reason),
          });
        },
      )
      .finally(() => {
        underWay -= 1;
        goOn();
      });
  };

  /** Takes what was read, as far as there is room for its answers; the kernel holds the rest. */
  const goOn = (): void => {
    while (
      !hasLeft &&
      socket.writable &&
      underWay < limits.questions &&
      outbox.unsent() <= limits.unsentBytes
    ) {
      const message = unread.shift();
      if (message === undefined) break;
      hear(message);
    }

    // What somebody says who is told to go is taken and thrown away: as long as that lies there, the connection never ends.
    if (hasLeft || !socket.writable) unread.length = 0;
    if (unread.length > 0) socket.pause();
    else socket.resume();
  };

  socket.on('data', (chunk: Buffer) => {
    if (hasLeft) return;
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      const message = frame.kind === 'control' ? readClientMessage(frame.value) : undefined;
      if (message === undefined) {
        leave({
          type: 'error',
          code: 'malformed',
          text: 'expected a message of the client protocol',
        });
        return;
      }

      unread.push(message);
    }

    goOn();
    if (violation !== undefined) socket.destroy();
  });

  return {
    tell: (frames) => {
      // It is so far behind that it is quicker to begin anew, from the state as it is.
      if (outbox.unsentNews() > limits.newsBytes) socket.destroy();
      else if (frames.length > 1 && !abilities.factParts) outbox.sendLater(() => undefined);
      else outbox.send(frames, 'news');
    },
    isBusy: () => underWay > 0 || unread.length > 0,
    end: leave,
  };
}

function refusalOf({protocol}: Extract<ClientMessage, {type: 'hello'}>): DaemonMessage | undefined {
  if (protocol.max >= daemonProtocol.min && protocol.min <= daemonProtocol.max) return undefined;
  return {
    type: 'error',
    code: 'version',
    have: daemonProtocol,
    text: 'client and daemon are of different versions; `orchestra daemon restart` keeps every session',
  };
}

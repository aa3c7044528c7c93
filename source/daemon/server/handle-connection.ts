import {errorText} from '../../shared/index.ts';
import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {
  type ClientMessage,
  createFrameReader,
  type DaemonMessage,
  daemonProtocol,
  encodeMessage,
  type Question,
} from '../../protocol/index.ts';
import {type Abilities, createOutbox, encodeForClient, type Outbox} from './outbox.ts';
import {checkQuestion, parseClientMessage} from './schemas/client-messages.ts';
import {type Client, type Principal, RejectRequestError, type SocketService} from './service.ts';

/** One connection, as the server sees it. */
export type Conversation = {
  /** Sends frames that all followers get: an event, or the journal's status. */
  readonly notify: (frames: readonly Buffer[]) => void;
  /** Whether a question is not answered yet. */
  readonly isBusy: () => boolean;
  readonly end: (message: DaemonMessage) => void;
};

type HandlerOptions = {
  readonly service: SocketService;
  readonly name: string;
  readonly fd: () => number | undefined;
  /** The principal of a token, or the message before the connection is closed. */
  readonly authenticate: (token: string) => Principal | DaemonMessage;
  /** Throws if there are too many followers. */
  readonly onFollow: () => void;
  readonly onQuestion: () => void;
};

/**
 * At most `questions` of one connection are handled at once, and none is read while `unsentBytes`
 * of answers wait to be sent: a client that does not read blocks only itself. At most `newsBytes`
 * of events wait for a slow follower.
 */
const limits = {
  questions: 32,
  unsentBytes: 4 * 1024 * 1024,
  newsBytes: 64 * 1024 * 1024,
  stallMs: 10_000,
  goodbyeMs: 2000,
};

/** Handles one connection from hello to its end. */
export function handleConnection(socket: Socket, options: HandlerOptions): Conversation {
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
    onDrain: () => {
      handleUnread();
    },
    tooLong: () =>
      encodeMessage({
        type: 'error',
        code: 'version',
        have: daemonProtocol,
        text: 'an event is too long for this client, which is older than the daemon; use a client of the same version',
      }),
  });
  const send = (message: DaemonMessage): void => {
    if (socket.writable) outbox.send(encodeForClient(message, abilities) ?? [], 'answer');
  };
  const leave = (message: DaemonMessage): void => {
    if (hasLeft) return;
    hasLeft = true;
    outbox.end(encodeMessage(message));
    // A client that does not hang up is disconnected.
    const timeout = setTimeout(() => socket.destroy(), limits.goodbyeMs);
    socket.once('close', () => {
      clearTimeout(timeout);
    });
  };

  const greet = (message: Extract<ClientMessage, {type: 'hello'}>): void => {
    const principal =
      refuseProtocol(message) ??
      (client === undefined
        ? options.authenticate(message.token)
        : {type: 'error', code: 'malformed', text: 'expected hello once'});
    if ('type' in principal) {
      leave(principal);
      return;
    }

    abilities = {parts: message.parts === true, factParts: message.factParts === true};
    client = {
      name: options.name,
      fd: options.fd,
      code: message.code,
      isTyped: message.typed,
      ...principal,
      follow: (past) => {
        if (!socket.writable) throw new Error('the connection is closed');
        options.onFollow();
        for (const fact of past) outbox.sendLater(() => encodeForClient(fact, abilities));
      },
    };
    send({
      type: 'welcome',
      protocol: daemonProtocol.max,
      build: service.build,
      pid: process.pid,
      seq: service.seq(),
    });
  };

  const answer = async (id: number, question: Question, asker: Client): Promise<unknown> => {
    const rejected = service.refusalOf?.(question.about);
    if (rejected !== undefined) throw new Error(rejected);
    return service.answer(checkQuestion(question, service.build), asker, (progress) => {
      send({type: 'progress', id, ...progress});
    });
  };

  const onMessage = (message: ClientMessage): void => {
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
          send({type: 'answer', id, value});
        },
        (error: unknown) => {
          send({
            type: 'refusal',
            id,
            text: errorText(error),
            ...(error instanceof RejectRequestError && error.reason),
          });
        },
      )
      .finally(() => {
        underWay -= 1;
        handleUnread();
      });
  };

  /**
   * Handles messages while there is room for their answers; the kernel buffers the rest. A client
   * that has disconnected gets no answer, but what it asked for is judged: leaving before the daemon
   * reads must not keep a rejected request out of the journal.
   */
  const handleUnread = (): void => {
    while (
      !hasLeft &&
      underWay < limits.questions &&
      (!socket.writable || outbox.unsent() <= limits.unsentBytes)
    ) {
      const message = unread.shift();
      if (message === undefined) break;
      onMessage(message);
    }

    // What a dismissed client still sends is read and discarded: unread data would keep the
    // connection open.
    if (hasLeft) unread.length = 0;
    if (unread.length > 0) socket.pause();
    else socket.resume();
  };

  socket.on('data', (chunk: Buffer) => {
    if (hasLeft) return;
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      const message = frame.kind === 'control' ? parseClientMessage(frame.value) : undefined;
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

    handleUnread();
    if (violation !== undefined) socket.destroy();
  });

  return {
    notify: (frames) => {
      // So far behind, reconnecting and reading the current state is faster.
      if (outbox.unsentNews() > limits.newsBytes) socket.destroy();
      else if (frames.length > 1 && !abilities.factParts) outbox.sendLater(() => undefined);
      else outbox.send(frames, 'news');
    },
    isBusy: () => underWay > 0 || unread.length > 0,
    end: leave,
  };
}

function refuseProtocol({
  protocol,
}: Extract<ClientMessage, {type: 'hello'}>): DaemonMessage | undefined {
  if (protocol.max >= daemonProtocol.min && protocol.min <= daemonProtocol.max) return undefined;
  return {
    type: 'error',
    code: 'version',
    have: daemonProtocol,
    text:
      'client and daemon have different versions. Update the daemon, which keeps every ' +
      'session: orchestra daemon restart',
  };
}

import {connect, type Socket} from 'node:net';
import type {Event} from '../domain/index.ts';
import {
  type ClientMessage,
  createFrameReader,
  type DaemonMessage,
  daemonProtocol,
  type DoubtReport,
  encodeMessage,
  type JournalNews,
  maxFrameBytes,
  parseDaemonMessage,
  type Progress,
  type Question,
  type RefusalCode,
} from '../protocol/index.ts';

/**
 * The connection ended before the answer came. The daemon may have carried out the request: ask
 * again for its result.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor() {
    super('the connection to the daemon ended');
  }
}

export type DaemonConnection = {
  readonly welcome: Extract<DaemonMessage, {readonly type: 'welcome'}>;
  /**
   * Resolves with the answer. Rejects with a `RequestRejectedError` when the daemon refuses, and
   * with a `ConnectionLostError` when the connection ends first. `onProgress` is called for
   * questions that ask for progress.
   */
  readonly ask: (question: Question, onProgress?: (progress: Progress) => void) => Promise<unknown>;
  readonly close: () => void;
  readonly ended: Promise<void>;
};

export type DaemonAddress = {
  readonly socket: string;
  readonly token: string | (() => string);
  readonly build: string;
  /** A one-time code that authorises the request. */
  readonly code?: string | undefined;
  /** The request was typed by a person in a terminal. */
  readonly isTyped?: boolean | undefined;
};

/** The daemon understood the request and refused it; the message says why. */
export class RequestRejectedError extends Error {
  override readonly name = 'RequestRejectedError';
  /** The reason in machine-readable form, where the daemon gives one. */
  readonly reason: {
    readonly code?: RefusalCode | undefined;
    readonly doubt?: DoubtReport | undefined;
  };

  constructor(
    text: string,
    {code, doubt, ...options}: ErrorOptions & RequestRejectedError['reason'] = {},
  ) {
    super(text, options);
    this.reason = {code, doubt};
  }
}

type ConnectOptions = {
  readonly facts?: (message: Extract<DaemonMessage, {type: 'fact'}>) => void;
  /** Called when the journal stops taking records, and when it takes them again. */
  readonly journal?: (news: JournalNews) => void;
  readonly timeoutMs?: number;
};

const retryMs = 20;

/**
 * Rejects at once when nothing listens on the socket, and after `timeoutMs` when the daemon does
 * not answer.
 */
export async function connectDaemon(
  {socket: path, token, build, code, isTyped}: DaemonAddress,
  {facts, journal, timeoutMs = 5000}: ConnectOptions = {},
): Promise<DaemonConnection> {
  const socket = await openSocket(path, timeoutMs).catch((error: unknown) => {
    // It was killed after the kernel had taken the connection.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw createNotRunningError();
    throw error;
  });
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  const progresses = new Map<number, (progress: Progress) => void>();
  const parts = createPartBuffer();
  const factParts = createPartBuffer();
  const welcome = Promise.withResolvers<Extract<DaemonMessage, {readonly type: 'welcome'}>>();
  const ended = Promise.withResolvers<undefined>();
  let asked = 0;

  const onMessage = (message: DaemonMessage): void => {
    if (message.type === 'welcome') welcome.resolve(message);
    if (message.type === 'error') welcome.reject(new RequestRejectedError(message.text));
    if (message.type === 'fact') facts?.(message);
    if (message.type === 'journal') journal?.(message);
    if (message.type === 'fact-part') {
      factParts.add(message.seq, message.text);
      if (message.last === true)
        facts?.({type: 'fact', seq: message.seq, event: factParts.take(message.seq) as Event});
    }

    if (message.type === 'progress') progresses.get(message.id)?.(message);
    if (message.type === 'part') parts.add(message.id, message.text);
    if (message.type === 'answer')
      answers
        .get(message.id)
        ?.resolve(parts.has(message.id) ? parts.take(message.id) : message.value);
    if (message.type === 'refusal')
      answers
        .get(message.id)
        ?.reject(
          new RequestRejectedError(message.text, {code: message.code, doubt: message.doubt}),
        );
  };

  listen(socket, onMessage);
  const handshakeTimeout = setTimeout(() => {
    welcome.reject(
      new Error(`the daemon does not answer (${path}); see \`orchestra daemon status\``),
    );
    socket.destroy();
  }, timeoutMs);
  socket.once('error', (error: NodeJS.ErrnoException) => {
    welcome.reject(
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? createNotRunningError() : error,
    );
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearTimeout(handshakeTimeout);
    const gone = new ConnectionLostError();
    welcome.reject(createNotRunningError());
    for (const answer of answers.values()) answer.reject(gone);
    ended.resolve(undefined);
  });
  // The daemon writes its token before it listens, so the token is read only after connecting.
  socket.write(
    encodeMessage({
      type: 'hello',
      protocol: daemonProtocol,
      build,
      token: typeof token === 'string' ? token : token(),
      parts: true,
      factParts: true,
      ...(code !== undefined && {code}),
      ...(isTyped === true && {typed: true}),
    }),
  );
  const greeting = await welcome.promise.finally(() => {
    clearTimeout(handshakeTimeout);
  });
  return {
    welcome: greeting,
    ask: async (question, onProgress) => {
      if (socket.destroyed) throw new ConnectionLostError();
      const id = ++asked;
      const frame = encodeQuestion({type: 'ask', id, question});
      const answer = Promise.withResolvers<unknown>();
      answers.set(id, answer);
      if (onProgress !== undefined) progresses.set(id, onProgress);
      socket.write(frame);
      return answer.promise.finally(() => {
        answers.delete(id);
        progresses.delete(id);
      });
    },
    close: () => socket.destroy(),
    ended: ended.promise,
  };
}

/**
 * The kernel's backlog of waiting connections is full (EAGAIN). The daemon accepts them in a
 * moment, so connecting is retried.
 */
async function openSocket(path: string, timeoutMs: number): Promise<Socket> {
  for (const end = performance.now() + timeoutMs; ;) {
    const socket = connect(path);
    const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('connect', () => {
        resolve(undefined);
      });
      socket.once('error', resolve);
    });
    if (failure === undefined) return socket;
    if (failure.code !== 'EAGAIN' || performance.now() > end) throw failure;
    await new Promise((resolve) => {
      setTimeout(resolve, retryMs);
    });
  }
}

/**
 * A daemon that is shutting down accepted the connection and closed it. Callers treat it like a
 * daemon that does not run.
 */
function createNotRunningError(): Error {
  return Object.assign(new Error('the daemon is shutting down'), {code: 'ECONNREFUSED'});
}

/** A question is one frame. A question that is too long rejects, and the connection stays open. */
function encodeQuestion(message: ClientMessage): Buffer {
  try {
    return encodeMessage(message);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RequestRejectedError(
      `expected at most ${maxFrameBytes} bytes to send to the daemon, got more; shorten ` +
        `the text or the environment (\`env | wc -c\`)`,
      {cause: error},
    );
  }
}

type PartBuffer = {
  readonly add: (key: number, text: string) => void;
  readonly has: (key: number) => boolean;
  /** Parses the joined parts as JSON and forgets them. */
  readonly take: (key: number) => unknown;
};

function createPartBuffer(): PartBuffer {
  const pieces = new Map<number, string[]>();
  return {
    add: (key, text) => {
      const before = pieces.get(key);
      if (before === undefined) pieces.set(key, [text]);
      else before.push(text);
    },
    has: (key) => pieces.has(key),
    take: (key) => {
      const text = pieces.get(key)?.join('') ?? '';
      pieces.delete(key);
      return JSON.parse(text) as unknown;
    },
  };
}

function listen(socket: Socket, onMessage: (message: DaemonMessage) => void): void {
  const reader = createFrameReader();
  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      const message = frame.kind === 'control' ? parseDaemonMessage(frame.value) : undefined;
      if (message === undefined) continue;
      try {
        onMessage(message);
      } catch (error) {
        // A message that is not valid JSON makes the rest of the stream unreliable.
        if (!(error instanceof SyntaxError)) throw error;
        socket.destroy();
        return;
      }
    }

    if (violation !== undefined) socket.destroy();
  });
}

import {connect, type Socket} from 'node:net';
import type {Event} from '../domain/index.ts';
import {
  createFrameReader,
  daemonProtocol,
  encodeMessage,
  longestFrame,
  readDaemonMessage,
  type ClientMessage,
  type DaemonMessage,
  type DoubtReport,
  type JournalNews,
  type Progress,
  type Question,
  type RefusalCode,
} from '../protocol/index.ts';
import {Lost} from './lost.ts';

export type DaemonConnection = {
  readonly welcome: Extract<DaemonMessage, {readonly type: 'welcome'}>;
  /** The answer; a refusal is thrown as `Refused`, the end of the connection as `Lost`. */
  /** `onProgress` is told how far it is, for questions that ask for that. */
  readonly ask: (question: Question, onProgress?: (progress: Progress) => void) => Promise<unknown>;
  readonly close: () => void;
  readonly ended: Promise<void>;
};

export type DaemonAddress = {
  readonly socket: string;
  readonly token: string | (() => string);
  readonly build: string;
  /** A one-time code, for what is asked. */ readonly code?: string | undefined;
  /** A person types it, in a terminal. */ readonly isTyped?: boolean | undefined;
};

/** The daemon understood and said no, with a sentence. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** For a program: why, where the daemon says so. */
  readonly reason: {
    readonly code?: RefusalCode | undefined;
    readonly doubt?: DoubtReport | undefined;
  };

  constructor(text: string, {code, doubt, ...options}: ErrorOptions & Refused['reason'] = {}) {
    super(text, options);
    this.reason = {code, doubt};
  }
}

export type Hearing = {
  readonly facts?: (message: Extract<DaemonMessage, {type: 'fact'}>) => void;
  /** Told when the journal stops taking records, and when it takes them again. */
  readonly journal?: (news: JournalNews) => void;
  readonly timeoutMs?: number;
};

const retryMs = 20;

/** Rejects at once when nobody listens, and after `timeoutMs` when somebody listens and says nothing. */
export async function connectDaemon(
  {socket: path, token, build, code, isTyped}: DaemonAddress,
  {facts, journal, timeoutMs = 5000}: Hearing = {},
): Promise<DaemonConnection> {
  const socket = await openSocket(path, timeoutMs);
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  const progresses = new Map<number, (progress: Progress) => void>();
  const parts = createPieces();
  const factParts = createPieces();
  const welcome = Promise.withResolvers<Extract<DaemonMessage, {readonly type: 'welcome'}>>();
  const ended = Promise.withResolvers<undefined>();
  let asked = 0;

  const hear = (message: DaemonMessage): void => {
    if (message.type === 'welcome') welcome.resolve(message);
    if (message.type === 'error') welcome.reject(new Refused(message.text));
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
        ?.reject(new Refused(message.text, {code: message.code, doubt: message.doubt}));
  };

  listen(socket, hear);
  const mute = setTimeout(() => {
    welcome.reject(
      new Error(`the daemon does not answer (${path}); see \`orchestra daemon status\``),
    );
    socket.destroy();
  }, timeoutMs);
  socket.once('error', (error: NodeJS.ErrnoException) => {
    welcome.reject(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? absent() : error);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearTimeout(mute);
    const gone = new Lost();
    welcome.reject(absent());
    for (const answer of answers.values()) answer.reject(gone);
    ended.resolve(undefined);
  });
  // Whoever listens has written its token before: it is read only now.
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
    clearTimeout(mute);
  });
  return {
    welcome: greeting,
    ask: async (question, onProgress) => {
      if (socket.destroyed) throw new Lost();
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

/** More wait to be let in than the kernel holds: those are taken in a moment, so it is tried again. */
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

/** One that is just ending took the connection and says no word any more: nobody is there. */
function absent(): Error {
  return Object.assign(new Error('the daemon is just ending'), {code: 'ECONNREFUSED'});
}

/** A question is one frame: what does not fit is said to whoever asks, and the connection stays. */
function encodeQuestion(message: ClientMessage): Buffer {
  try {
    return encodeMessage(message);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refused(
      `expected at most ${longestFrame} bytes to send to the daemon, got more; shorten the text or the environment (\`env | wc -c\`)`,
      {cause: error},
    );
  }
}

type Pieces = {
  readonly add: (key: number, text: string) => void;
  readonly has: (key: number) => boolean;
  /** The value whose JSON the pieces are. */
  readonly take: (key: number) => unknown;
};

function createPieces(): Pieces {
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

function listen(socket: Socket, hear: (message: DaemonMessage) => void): void {
  const reader = createFrameReader();
  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      const message = frame.kind === 'control' ? readDaemonMessage(frame.value) : undefined;
      if (message === undefined) continue;
      try {
        hear(message);
      } catch (error) {
        // Pieces that are no JSON: nothing after them can be believed.
        if (!(error instanceof SyntaxError)) throw error;
        socket.destroy();
        return;
      }
    }

    if (violation !== undefined) socket.destroy();
  });
}

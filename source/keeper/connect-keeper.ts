import {connect, type Socket} from 'node:net';
import {errorCode} from '../shared/index.ts';
import {
  createFrameReader,
  encodeMessage,
  encodeNumbered,
  keeperProtocol,
  type KeeperReply,
  type KeeperRequest,
  type KeeperStatus,
  parseKeeperReply,
  parseNumbered,
} from '../protocol/index.ts';

/** A connection to one keeper. */
export type KeeperLink = {
  readonly welcome: KeeperStatus;
  /** Resolves with the answer to a request; throws an error of the keeper. */
  readonly ask: <T extends Asked>(
    request: Extract<KeeperRequest, {readonly type: T}>,
  ) => Promise<Extract<KeeperReply, {readonly type: Answers[T]}>>;
  /** Types the bytes at most once, however often they are sent under this number. */
  readonly type: (input: number, bytes: Uint8Array) => Promise<void>;
  /** Sends key presses, without a number and without acknowledgement. */
  readonly press: (bytes: Uint8Array) => void;
  /** The keeper sends `resized` once the program knows the size. */
  readonly resize: (columns: number, rows: number) => void;
  readonly close: () => void;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;
};

export type KeeperListeners = {
  readonly output?: (offset: number, bytes: Buffer) => void;
  /** Messages without a request: `exit`, `gap`, `resized`. */
  readonly news?: (reply: KeeperReply) => void;
};

type Answers = {
  readonly go: 'going';
  readonly attach: 'attached';
  readonly detach: 'detached';
  readonly signal: 'signalled';
  readonly status: 'status';
  readonly release: 'released';
};

type Asked = keyof Answers;

const answers: Readonly<Record<Asked, Answers[Asked]>> = {
  go: 'going',
  attach: 'attached',
  detach: 'detached',
  signal: 'signalled',
  status: 'status',
  release: 'released',
};

/** A live keeper answers within milliseconds, on a busy machine within hundreds of them. */
const handshakeTimeoutMs = 5000;

export class KeeperError extends Error {
  override readonly name = 'KeeperError';
  readonly code: string;

  constructor(code: string, about: string) {
    super(`the keeper refused ${about}: ${code}`);
    this.code = code;
  }
}

/** Whether the keeper has ended: nothing listens any more, or it hung up. */
export function isKeeperGone(error: unknown): boolean {
  return goneCodes.has(errorCode(error) ?? '');
}

const goneCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'gone',
]);

export type KeeperAddress = {readonly socket: string; readonly token: string};

/**
 * Rejects at once when nothing listens (ENOENT, ECONNREFUSED): the keeper is gone. A stopped keeper
 * accepts the connection but never answers: code `mute`.
 */
export async function connectKeeper(
  {socket: path, token}: KeeperAddress,
  listeners: KeeperListeners = {},
  timeoutMs = handshakeTimeoutMs,
): Promise<KeeperLink> {
  const socket = connect(path);
  const waiting = new Map<string, PromiseWithResolvers<KeeperReply>[]>();
  const ended = Promise.withResolvers<undefined>();

  let hasEnded = false;
  const gone = (): KeeperError => new KeeperError('gone', 'to go on: the connection is closed');
  const expect = (key: string): Promise<KeeperReply> => {
    if (hasEnded) return Promise.reject(gone());
    const answer = Promise.withResolvers<KeeperReply>();
    waiting.set(key, [...(waiting.get(key) ?? []), answer]);
    return answer.promise;
  };

  const settle = (key: string): PromiseWithResolvers<KeeperReply> | undefined => {
    const [first, ...rest] = waiting.get(key) ?? [];
    waiting.set(key, rest);
    return first;
  };

  const onMessage = (reply: KeeperReply): void => {
    if (reply.type === 'error') {
      const key = reply.id === undefined ? answerTo(reply.verb ?? 'hello') : `typed ${reply.id}`;
      settle(key)?.reject(new KeeperError(reply.code, reply.verb ?? key));
      return;
    }

    if (reply.type === 'unsupported') {
      settle(answerTo(reply.verb))?.reject(new KeeperError('unsupported', reply.verb));
      return;
    }

    const awaited = settle(reply.type === 'typed' ? `typed ${reply.id}` : reply.type);
    if (awaited === undefined) listeners.news?.(reply);
    else awaited.resolve(reply);
  };

  listen(socket, onMessage, listeners.output);
  socket.on('close', () => {
    hasEnded = true;
    for (const answer of [...waiting.values()].flat()) answer.reject(gone());
    ended.resolve(undefined);
  });
  const clock = setTimeout(() => {
    settle('welcome')?.reject(new KeeperError('mute', 'to say anything; was its process stopped?'));
    socket.destroy();
  }, timeoutMs);
  const welcomed = expect('welcome');
  socket.once('close', () => {
    clearTimeout(clock);
  });
  // `opened` rejects if the connection fails. It never settles if the timeout comes first.
  await Promise.race([opened(socket), welcomed]);
  socket.write(
    encodeMessage({type: 'hello', protocol: {min: keeperProtocol, max: keeperProtocol}, token}),
  );
  const welcome = (await welcomed) as Extract<KeeperReply, {readonly type: 'welcome'}>;
  clearTimeout(clock);
  return {
    welcome,
    ask: (request) => {
      const answer = expect(answers[(request as {readonly type: Asked}).type]);
      socket.write(encodeMessage(request));
      return answer as never;
    },
    type: async (input, bytes) => {
      const typed = expect(`typed ${input}`);
      socket.write(encodeNumbered('input', input, bytes));
      await typed;
    },
    press: (bytes) => void socket.write(encodeNumbered('input', 0, bytes)),
    resize: (columns, rows) => void socket.write(encodeMessage({type: 'resize', columns, rows})),
    close: () => socket.destroy(),
    ended: ended.promise,
  };
}

function answerTo(verb: string): string {
  return verb === 'hello'
    ? 'welcome'
    : ((answers as Readonly<Record<string, string>>)[verb] ?? verb);
}

function listen(
  socket: Socket,
  onMessage: (reply: KeeperReply) => void,
  output: KeeperListeners['output'],
): void {
  const reader = createFrameReader();
  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      if (frame.kind === 'control') {
        const reply = parseKeeperReply(frame.value);
        if (reply !== undefined) onMessage(reply);
      } else {
        const numbered = parseNumbered(frame.payload);
        if (numbered !== undefined) output?.(numbered.number, numbered.bytes);
      }
    }

    if (violation !== undefined) socket.destroy();
  });
}

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      // From here on a broken connection is its end, not a separate error.
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve();
    });
    socket.once('error', reject);
  });
}

import {connect, type Socket} from 'node:net';
import {createFrameReader, daemonProtocol, encodeMessage, readDaemonMessage, type DaemonMessage, type JournalNews, type Question} from '../protocol/index.ts';
import {Lost} from './lost.ts';

export type DaemonConnection = {
  readonly welcome: Extract<DaemonMessage, {readonly type: 'welcome'}>;
  /** The answer; a refusal is thrown as `Refused`, the end of the connection as `Lost`. */
  readonly ask: (question: Question) => Promise<unknown>;
  readonly close: () => void;
  readonly ended: Promise<void>;
};

export type DaemonAddress = {readonly socket: string; readonly token: string | (() => string); readonly build: string};

/** The daemon understood and said no, with a sentence. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

export type Hearing = {
  readonly facts?: (message: Extract<DaemonMessage, {type: 'fact'}>) => void;
  /** Told when the journal stops taking records, and when it takes them again. */
  readonly journal?: (news: JournalNews) => void;
  readonly timeoutMs?: number;
};

/** Rejects at once when nobody listens, and after `timeoutMs` when somebody listens and says nothing. */
export async function connectDaemon({socket: path, token, build}: DaemonAddress, {facts, journal, timeoutMs = 5000}: Hearing = {}): Promise<DaemonConnection> {
  const socket = connect(path);
  const answers = new Map<number, PromiseWithResolvers<unknown>>();
  const parts = new Map<number, string[]>();
  const welcome = Promise.withResolvers<Extract<DaemonMessage, {readonly type: 'welcome'}>>();
  const ended = Promise.withResolvers<undefined>();
  let asked = 0;

  const hear = (message: DaemonMessage): void => {
    if (message.type === 'welcome') welcome.resolve(message);
    if (message.type === 'error') welcome.reject(new Refused(message.text));
    if (message.type === 'fact') facts?.(message);
    if (message.type === 'journal') journal?.(message);
    if (message.type === 'part') parts.set(message.id, [...(parts.get(message.id) ?? []), message.text]);
    if (message.type === 'answer') answers.get(message.id)?.resolve(parts.has(message.id) ? whole(message.id) : message.value);
    if (message.type === 'refusal') answers.get(message.id)?.reject(new Refused(message.text));
  };

  const whole = (id: number): unknown => {
    const text = parts.get(id)?.join('') ?? '';
    parts.delete(id);
    return JSON.parse(text) as unknown;
  };

  listen(socket, hear);
  const mute = setTimeout(() => {
    welcome.reject(new Error(`the daemon does not answer (${path}); see \`orchestra daemon status\``));
    socket.destroy();
  }, timeoutMs);
  socket.once('error', (error: NodeJS.ErrnoException) => { welcome.reject(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? absent() : error); });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearTimeout(mute);
    const gone = new Lost();
    welcome.reject(absent());
    for (const answer of answers.values()) answer.reject(gone);
    ended.resolve(undefined);
  });
  // Whoever listens has written its token before: it is read only now.
  socket.once('connect', () => {
    socket.write(encodeMessage({type: 'hello', protocol: daemonProtocol, build, token: typeof token === 'string' ? token : token(), parts: true}));
  });
  const greeting = await welcome.promise.finally(() => { clearTimeout(mute); });
  return {
    welcome: greeting,
    ask: async (question) => {
      if (socket.destroyed) throw new Lost();
      const id = ++asked;
      const answer = Promise.withResolvers<unknown>();
      answers.set(id, answer);
      socket.write(encodeMessage({type: 'ask', id, question}));
      return answer.promise.finally(() => answers.delete(id));
    },
    close: () => socket.destroy(),
    ended: ended.promise,
  };
}

/** One that is just ending took the connection and says no word any more: nobody is there. */
function absent(): Error {
  return Object.assign(new Error('the daemon is just ending'), {code: 'ECONNREFUSED'});
}

function listen(socket: Socket, hear: (message: DaemonMessage) => void): void {
  const reader = createFrameReader();
  socket.on('data', (chunk: Buffer) => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      const message = frame.kind === 'control' ? readDaemonMessage(frame.value) : undefined;
      if (message !== undefined) hear(message);
    }

    if (violation !== undefined) socket.destroy();
  });
}

import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {
  type Frame,
  type KeeperErrorCode,
  type KeeperReply,
  type KeeperRequestReading,
  createFrameReader,
  encodeMessage,
  encodeNumbered,
  keeperProtocol,
  readKeeperRequest,
  readNumbered,
} from '../protocol/index.ts';
import type {Session} from './create-session.ts';

export type Connection = {
  /** Says it, if the other side has been welcomed. */
  readonly tell: (message: KeeperReply) => void;
  /** There may be output to send. */
  readonly pump: () => void;
  /** The program has ended: that is said after its last output, or at once to those who don't want output. */
  readonly tellExit: () => void;
  readonly close: () => void;
};

export type ConnectionOptions = {
  readonly socket: Socket;
  readonly session: Session;
  readonly token: string;
  /** How long to wait for a hello, in milliseconds. */
  readonly patience: number;
  /** Somebody types here. */
  readonly onTyped: () => void;
  readonly onRelease: () => void;
};

/** Output waits in the log and not in memory when this much is unsent. */
const mostUnsent = 1024 * 1024;
const pieceSize = 64 * 1024;

/**
 * One client. Output is sent from the log alone, by offset: whether it is old or came just now, whether the client keeps
 * up or not, there is one way for it, without gaps and repetitions.
 */
export function createConnection({
  socket,
  session,
  token,
  patience,
  onTyped,
  onRelease,
}: ConnectionOptions): Connection {
  const {log} = session;
  const reader = createFrameReader();
  let isWelcome = false;
  /** The offset of the next byte to send, if output is wanted. */
  let cursor: number | undefined;
  let isExitDue = false;

  const tell = (message: KeeperReply | undefined): void => {
    if (message === undefined || !isWelcome) return;
    // Who asks without end and never listens is dropped.
    if (socket.writableLength > 2 * mostUnsent) socket.destroy();
    else socket.write(encodeMessage(message));
  };

  const pump = (): void => {
    while (cursor !== undefined && cursor < log.end() && socket.writableLength < mostUnsent) {
      const kept = log.nextKept(cursor);
      if (kept > cursor) tell({type: 'gap', from: cursor, to: kept});
      const bytes = log.read(kept, pieceSize);
      socket.write(encodeNumbered('output', kept, bytes));
      cursor = kept + bytes.length;
    }

    const exit = session.exit();
    if (!isExitDue || exit === undefined || (cursor ?? exit.bytes) < exit.bytes) return;
    isExitDue = false;
    tell({type: 'exit', ...exit});
  };

  const greet = (request: KeeperRequestReading): void => {
    if (request.type !== 'hello') {
      socket.destroy();
      return;
    }

    const {
      protocol: {min, max},
      token: given,
    } = request;
    const code = min > keeperProtocol || max < keeperProtocol ? 'version' : 'token';
    if (code === 'token' && given === token) {
      clearTimeout(clock);
      isWelcome = true;
      tell({type: 'welcome', protocol: keeperProtocol, ...session.status()});
      return;
    }

    // The clock goes on: who does not take this is cut off.
    socket.end(
      encodeMessage({
        type: 'error',
        code,
        have: {min: keeperProtocol, max: keeperProtocol},
      } satisfies KeeperReply),
    );
  };

  const answer = (request: KeeperRequestReading): KeeperReply | undefined => {
    switch (request.type) {
      case 'hello':
        return {type: 'welcome', protocol: keeperProtocol, ...session.status()};
      case 'go':
        return errorOf(session.go(), {verb: 'go'}) ?? {type: 'going', ...session.pid()};
      case 'attach':
        if (request.from > log.end()) return errorOf('offset', {verb: 'attach'});
        cursor = request.from;
        isExitDue = true;
        return {type: 'attached', from: cursor};
      case 'detach':
        cursor = undefined;
        return {type: 'detached'};
      case 'resize':
        session.resize({columns: request.columns, rows: request.rows});
        return undefined;
      case 'signal':
        return (
          errorOf(session.signal(request.name), {verb: 'signal'}) ?? {
            type: 'signalled',
            name: request.name,
          }
        );
      case 'status':
        return {type: 'status', ...session.status()};
      case 'release':
        return session.status().phase === 'running'
          ? errorOf('running', {verb: 'release'})
          : {type: 'released'};
      case 'malformed':
        return errorOf('malformed', {verb: request.verb});
      case 'unsupported':
        return request;
    }
  };

  const type = (payload: Buffer): void => {
    const input = isWelcome ? readNumbered(payload) : undefined;
    if (input === undefined) {
      socket.destroy();
      return;
    }

    onTyped();
    const {number: id, bytes} = input;
    const typed = (): void => {
      if (id !== 0) tell({type: 'typed', id});
    };
    tell(errorOf(session.type(id, bytes, typed), {id}));
  };

  const converse = (request: KeeperRequestReading): void => {
    const reply = answer(request);
    tell(reply);
    pump();
    if (reply?.type === 'released') onRelease();
  };

  const handle = (frame: Frame): void => {
    if (frame.kind === 'control') (isWelcome ? converse : greet)(readKeeperRequest(frame.value));
    else if (frame.kind === 'input') type(frame.payload);
    else socket.destroy();
  };

  const receive = (chunk: Buffer): void => {
    const {frames, violation} = reader.read(chunk);
    for (const frame of frames) {
      if (!socket.destroyed) handle(frame);
    }

    if (violation !== undefined) socket.destroy();
  };

  /** What goes wrong in serving one client ends that client, and never the session. */
  const guarded =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      try {
        act(...given);
      } catch (error) {
        console.error(error);
        socket.destroy();
      }
    };

  const clock = setTimeout(() => socket.destroy(), patience);
  const pumpOutput = guarded(pump);
  socket.on('data', guarded(receive));
  socket.on('drain', pumpOutput);
  // An error is followed by `close`, and that is all there is to know.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(clock);
  });
  return {
    tell,
    pump: pumpOutput,
    tellExit: () => {
      isExitDue = true;
      pumpOutput();
    },
    close: () => {
      socket.destroy();
    },
  };
}

function errorOf(
  code: KeeperErrorCode | undefined,
  about: {readonly verb?: string; readonly id?: number},
): KeeperReply | undefined {
  return code === undefined ? undefined : {type: 'error', code, ...about};
}

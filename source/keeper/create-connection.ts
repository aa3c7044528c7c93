import type {Buffer} from 'node:buffer';
import type {Socket} from 'node:net';
import {
  createFrameReader,
  encodeMessage,
  encodeNumbered,
  type Frame,
  type KeeperErrorCode,
  keeperProtocol,
  type KeeperReply,
  type KeeperRequestParseResult,
  parseKeeperRequest,
  parseNumbered,
} from '../protocol/index.ts';
import type {ScreenSize} from './create-log.ts';
import type {Session} from './create-session.ts';

export type Connection = {
  /** Sends a message, if the client has been welcomed. */
  readonly notify: (message: KeeperReply) => void;
  /** Called when there may be output to send. */
  readonly pump: () => void;
  /**
   * The program has ended: `exit` is sent after its last output, or at once to clients without
   * output.
   */
  readonly notifyExit: () => void;
  readonly close: () => void;
};

export type ConnectionOptions = {
  readonly socket: Socket;
  readonly session: Session;
  readonly token: string;
  readonly helloTimeoutMs: number;
  /** The client typed. */
  readonly onTyped: () => void;
  /** The client shows the terminal in this size. */
  readonly onResize: (size: ScreenSize) => void;
  readonly onRelease: () => void;
};

/** With this much unsent, output waits in the log and not in memory. */
const maxUnsentBytes = 1024 * 1024;
const pieceSize = 64 * 1024;

/**
 * One client. All output, old or new, is sent from the log by offset, so a client that falls behind
 * sees neither gaps nor repetitions.
 */
export function createConnection({
  socket,
  session,
  token,
  helloTimeoutMs,
  onTyped,
  onResize,
  onRelease,
}: ConnectionOptions): Connection {
  const {log} = session;
  const reader = createFrameReader();
  let isWelcome = false;
  /** The offset of the next byte to send, if output is wanted. */
  let cursor: number | undefined;
  let isExitDue = false;

  const notify = (message: KeeperReply | undefined): void => {
    if (message === undefined || !isWelcome) return;
    // Drops a client that sends requests and never reads the answers.
    if (socket.writableLength > 2 * maxUnsentBytes) socket.destroy();
    else socket.write(encodeMessage(message));
  };

  const pump = (): void => {
    while (cursor !== undefined && cursor < log.end() && socket.writableLength < maxUnsentBytes) {
      const start = log.nextRetained(cursor);
      if (start > cursor) notify({type: 'gap', from: cursor, to: start});
      const bytes = log.read(start, pieceSize);
      socket.write(encodeNumbered('output', start, bytes));
      cursor = start + bytes.length;
    }

    const exit = session.exit();
    if (!isExitDue || exit === undefined || (cursor ?? exit.bytes) < exit.bytes) return;
    isExitDue = false;
    notify({type: 'exit', ...exit});
  };

  const handleHello = (request: KeeperRequestParseResult): void => {
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
      clearTimeout(timer);
      isWelcome = true;
      notify({type: 'welcome', protocol: keeperProtocol, ...session.status()});
      return;
    }

    // The timer keeps running: a client that does not read this is cut off.
    socket.end(
      encodeMessage({
        type: 'error',
        code,
        have: {min: keeperProtocol, max: keeperProtocol},
      } satisfies KeeperReply),
    );
  };

  const answer = (request: KeeperRequestParseResult): KeeperReply | undefined => {
    switch (request.type) {
      case 'hello':
        return {type: 'welcome', protocol: keeperProtocol, ...session.status()};
      case 'go':
        return errorReply(session.go(), {verb: 'go'}) ?? {type: 'going', ...session.pid()};
      case 'attach':
        if (request.from > log.end()) return errorReply('offset', {verb: 'attach'});
        cursor = request.from;
        isExitDue = true;
        return {type: 'attached', from: cursor};
      case 'detach':
        cursor = undefined;
        return {type: 'detached'};
      case 'resize':
        onResize({columns: request.columns, rows: request.rows});
        return undefined;
      case 'signal':
        return (
          errorReply(session.signal(request.name), {verb: 'signal'}) ?? {
            type: 'signalled',
            name: request.name,
          }
        );
      case 'status':
        return {type: 'status', ...session.status()};
      case 'release':
        return session.status().phase === 'running'
          ? errorReply('running', {verb: 'release'})
          : {type: 'released'};
      case 'malformed':
        return errorReply('malformed', {verb: request.verb});
      case 'unsupported':
        return request;
    }
  };

  const type = (payload: Buffer): void => {
    const input = isWelcome ? parseNumbered(payload) : undefined;
    if (input === undefined) {
      socket.destroy();
      return;
    }

    onTyped();
    const {number: id, bytes} = input;
    const typed = (): void => {
      if (id !== 0) notify({type: 'typed', id});
    };
    notify(errorReply(session.type(id, bytes, typed), {id}));
  };

  const handleRequest = (request: KeeperRequestParseResult): void => {
    const reply = answer(request);
    notify(reply);
    pump();
    if (reply?.type === 'released') onRelease();
  };

  const handle = (frame: Frame): void => {
    if (frame.kind === 'control')
      (isWelcome ? handleRequest : handleHello)(parseKeeperRequest(frame.value));
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

  /** An error while serving a client ends that client, never the session. */
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

  const timer = setTimeout(() => socket.destroy(), helloTimeoutMs);
  const pumpOutput = guarded(pump);
  socket.on('data', guarded(receive));
  socket.on('drain', pumpOutput);
  // `close` follows every error and is handled.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(timer);
  });
  return {
    notify,
    pump: pumpOutput,
    notifyExit: () => {
      isExitDue = true;
      pumpOutput();
    },
    close: () => {
      socket.destroy();
    },
  };
}

function errorReply(
  code: KeeperErrorCode | undefined,
  about: {readonly verb?: string; readonly id?: number},
): KeeperReply | undefined {
  return code === undefined ? undefined : {type: 'error', code, ...about};
}

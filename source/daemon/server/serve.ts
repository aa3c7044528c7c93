import {createServer, type Server, type Socket} from 'node:net';
import {getSocketFd} from '../../system/index.ts';
import type {DaemonMessage} from '../../protocol/index.ts';
import {type Conversation, handleConnection} from './handle-connection.ts';
import {encodeForClient} from './outbox.ts';
import type {Principal, SocketService} from './service.ts';

/**
 * `unauthenticated`: has not sent its token. `asking`: has sent it. `arriving`: has followed the
 * events for a moment, as many short commands do. `following`: has followed them for longer.
 */
export type Standing = 'unauthenticated' | 'asking' | 'arriving' | 'following';

/** Limits the connections of one socket by their standing. */
export type Seats<Connection> = {
  /**
   * Moves a connection to a standing. If that is full, the longest idle connection is dismissed;
   * false if none is idle.
   */
  readonly move: (connection: Connection, to: Standing) => boolean;
  /** Marks a connection as the most recently used. */
  readonly use: (connection: Connection) => void;
  readonly leave: (connection: Connection) => void;
  readonly count: (standing: Standing) => number;
  readonly in: (standing: Standing) => readonly Connection[];
};

export type SeatsOptions<Connection> = {
  /** Whether a question of it is not answered yet. */
  readonly isBusy: (connection: Connection) => boolean;
  /** Closes a connection that made room for another one. */
  readonly dismiss: (connection: Connection, from: Standing) => void;
  readonly limits?: Readonly<Record<Standing, number>>;
};

/**
 * More unauthenticated clients than the kernel's accept queue holds (Node asks for 511): all can be
 * accepted before one is read.
 */
const seatLimits: Readonly<Record<Standing, number>> = {
  unauthenticated: 600,
  asking: 64,
  arriving: 64,
  following: 64,
};

/**
 * Each standing has its own limit: unauthenticated clients never take the place of others, and
 * followers never keep out a short command, nor are they dismissed for one. Idle connections never
 * keep out a person's command.
 */
export function createSeats<Connection>({
  isBusy,
  dismiss,
  limits = seatLimits,
}: SeatsOptions<Connection>): Seats<Connection> {
  // A set keeps insertion order, so a used connection moves to the end.
  const seats: Readonly<Record<Standing, Set<Connection>>> = {
    unauthenticated: new Set(),
    asking: new Set(),
    arriving: new Set(),
    following: new Set(),
  };
  const leave = (connection: Connection): void => {
    for (const seat of Object.values(seats)) seat.delete(connection);
  };

  return {
    move: (connection, to) => {
      if (seats[to].has(connection)) return true;
      if (seats[to].size >= limits[to]) {
        const idle = [...seats[to]].find((other) => to === 'unauthenticated' || !isBusy(other));
        if (idle === undefined) return false;
        leave(idle);
        dismiss(idle, to);
      }

      leave(connection);
      seats[to].add(connection);
      return true;
    },
    use: (connection) => {
      for (const seat of Object.values(seats)) {
        if (seat.delete(connection)) seat.add(connection);
      }
    },
    leave,
    count: (standing) => seats[standing].size,
    in: (standing) => [...seats[standing]],
  };
}

export type Serving = {
  /** Connections that have sent the token. */
  readonly clients: () => number;
  /** Connections that follow the events. */
  readonly followers: () => number;
  readonly count: (standing: Standing) => number;
  /** Sends a message to all followers. */
  readonly notify: (seq: number, message: DaemonMessage) => void;
  /** Says good-bye and closes. A client that does not read is disconnected after a while. */
  readonly close: (after: number) => Promise<void>;
};

/** A client that follows the events for longer than `settleMs` is not a short command. */
const usualLimits = {helloMs: 2000, goodbyeMs: 2000, settleMs: 10_000};

/**
 * Handles the connections of a server. A client that is malformed, mute, without the token or not
 * reading loses its own connection only.
 */
export async function serve(
  server: Server,
  service: SocketService,
  limits = usualLimits,
): Promise<Serving> {
  const followers = new Set<Socket>();
  const conversations = new Map<Socket, Conversation>();
  const principals = new Map<Socket, Principal>();
  const seats = createSeats<Socket>({
    isBusy: (socket) => conversations.get(socket)?.isBusy() ?? false,
    // An unauthenticated client gets no message: a flood of them must cost nothing.
    dismiss: (socket, from) => {
      if (from === 'unauthenticated') socket.destroy();
      else
        conversations.get(socket)?.end({
          type: 'error',
          code: 'busy',
          text:
            'the daemon closed this connection for a newer one: it has too many clients, ' +
            'and this one was idle for longest',
        });
    },
  });
  let count = 0;

  const authenticate = (socket: Socket, token: string): Principal | DaemonMessage => {
    const principal = service.authenticate(token);
    if (principal === undefined) return {type: 'error', code: 'token', text: 'the token is wrong'};
    const before = [...principals.values()].filter(
      ({session}) => session !== undefined && session === principal.session,
    ).length;
    if (before >= (service.maxPerPrincipal ?? Number.POSITIVE_INFINITY))
      return {
        type: 'error',
        code: 'busy',
        text: `${principal.session ?? 'your program'} already has ${before} connections`,
      };
    if (!seats.move(socket, 'asking'))
      return {
        type: 'error',
        code: 'busy',
        text:
          `${seats.count('asking')} clients are already waiting for an answer, and none of ` +
          'them is idle; try again in a moment',
      };
    principals.set(socket, principal);
    return principal;
  };

  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    count += 1;
    seats.move(socket, 'unauthenticated');
    let settling: NodeJS.Timeout | undefined;
    const handshakeTimeout = setTimeout(() => socket.destroy(), limits.helloMs);
    socket.on('close', () => {
      clearTimeout(handshakeTimeout);
      clearTimeout(settling);
      seats.leave(socket);
      followers.delete(socket);
      principals.delete(socket);
      conversations.delete(socket);
    });
    conversations.set(
      socket,
      handleConnection(socket, {
        service,
        name: `client-${count}`,
        fd: () => getSocketFd(socket),
        authenticate: (token) => {
          const principal = authenticate(socket, token);
          if (!('type' in principal)) clearTimeout(handshakeTimeout);
          return principal;
        },
        onQuestion: () => {
          seats.use(socket);
        },
        onFollow: () => {
          if (followers.has(socket)) return;
          if (!seats.move(socket, 'arriving'))
            throw new Error(
              `${seats.count('arriving')} programs have just started to follow the ` +
                'events, and none of them is idle; try again in a moment',
            );
          followers.add(socket);
          // If all followers are busy, it stays `arriving`.
          settling = setTimeout(() => {
            seats.move(socket, 'following');
          }, limits.settleMs);
        },
      }),
    );
  });
  await Promise.resolve();

  return {
    clients: () => seats.count('asking') + seats.count('arriving') + seats.count('following'),
    followers: () => followers.size,
    count: seats.count,
    notify: (_seq, message) => {
      const frames =
        followers.size === 0
          ? []
          : (encodeForClient(message, {parts: true, factParts: true}) ?? []);
      for (const socket of followers) conversations.get(socket)?.notify(frames);
    },
    close: (after) =>
      new Promise((resolve) => {
        const force = setTimeout(() => {
          for (const socket of conversations.keys()) socket.destroy();
        }, limits.goodbyeMs);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        for (const conversation of conversations.values()) conversation.end({type: 'bye', after});
      }),
  };
}

/** A server that is not listening yet. */
export function makeServer(): Server {
  return createServer({allowHalfOpen: false});
}

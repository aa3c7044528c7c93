import {createServer, type Server, type Socket} from 'node:net';
import {fdOf} from '../machine/index.ts';
import type {DaemonMessage} from '../protocol/index.ts';
import {converse, type Conversation} from './converse.ts';
import {encodeForClient} from './encode-for-client.ts';
import type {Guest, Service} from './service.ts';
import {createSeats, type Standing} from './seats.ts';

export type {Client, Guest, Service} from './service.ts';

export type Serving = {
  /** How many have shown a token. */
  readonly clients: () => number;
  /** How many follow what happens. */
  readonly followers: () => number;
  readonly count: (standing: Standing) => number;
  /** Sends to everybody who follows the events. */
  readonly tell: (seq: number, message: DaemonMessage) => void;
  /** Says good-bye and closes; a client that does not listen holds nobody up. */
  readonly close: (after: number) => Promise<void>;
};

/** Whoever follows the events for longer than `settleMs` is no short command. */
const usualLimits = {helloMs: 2000, goodbyeMs: 2000, settleMs: 10_000};

/** Listens for clients. Whoever is malformed, mute, without the token or reads nothing loses its connection, and nobody else notices. */
export async function serve(
  server: Server,
  service: Service,
  limits = usualLimits,
): Promise<Serving> {
  const followers = new Set<Socket>();
  const conversations = new Map<Socket, Conversation>();
  const guests = new Map<Socket, Guest>();
  const seats = createSeats<Socket>({
    isBusy: (socket) => conversations.get(socket)?.isBusy() ?? false,
    // Of a stranger nothing is known, and a flood of them is not answered.
    dismiss: (socket, from) => {
      if (from === 'stranger') socket.destroy();
      else
        conversations
          .get(socket)
          ?.end({
            type: 'error',
            code: 'busy',
            text: 'this connection made room for a newer one: too many programs talk to the daemon, and this one had been idle for longest',
          });
    },
  });
  let count = 0;

  const admit = (socket: Socket, token: string): Guest | DaemonMessage => {
    const guest = service.admit(token);
    if (guest === undefined) return {type: 'error', code: 'token', text: 'the token is wrong'};
    const before = [...guests.values()].filter(
      ({session}) => session !== undefined && session === guest.session,
    ).length;
    if (before >= (service.mostEach ?? Number.POSITIVE_INFINITY))
      return {
        type: 'error',
        code: 'busy',
        text: `there are ${before} conversations of ${guest.session ?? 'yours'} already`,
      };
    if (!seats.move(socket, 'asking'))
      return {
        type: 'error',
        code: 'busy',
        text: `${seats.count('asking')} clients ask something already, and none of them is idle; try again in a moment`,
      };
    guests.set(socket, guest);
    return guest;
  };

  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    count += 1;
    seats.move(socket, 'stranger');
    let settling: NodeJS.Timeout | undefined;
    const mute = setTimeout(() => socket.destroy(), limits.helloMs);
    socket.on('close', () => {
      clearTimeout(mute);
      clearTimeout(settling);
      seats.leave(socket);
      followers.delete(socket);
      guests.delete(socket);
      conversations.delete(socket);
    });
    conversations.set(
      socket,
      converse(socket, {
        service,
        name: `client-${count}`,
        fd: () => fdOf(socket),
        admit: (token) => {
          const guest = admit(socket, token);
          if (!('type' in guest)) clearTimeout(mute);
          return guest;
        },
        onQuestion: () => {
          seats.use(socket);
        },
        onFollow: () => {
          if (followers.has(socket)) return;
          if (!seats.move(socket, 'arriving'))
            throw new Error(
              `${seats.count('arriving')} programs have just begun to follow the events, and none of them is idle; try again in a moment`,
            );
          followers.add(socket);
          // Where everybody is busy it stays where it is.
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
    tell: (_seq, message) => {
      const frames =
        followers.size === 0
          ? []
          : (encodeForClient(message, {parts: true, factParts: true}) ?? []);
      for (const socket of followers) conversations.get(socket)?.tell(frames);
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

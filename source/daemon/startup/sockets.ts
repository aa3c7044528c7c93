import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {chmodSync, rmSync} from 'node:fs';
import type {Server} from 'node:net';
import type {Event} from '../../domain/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import type {Journal} from '../../journal/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {parseToolWaitMs} from '../launch/exchange.ts';
import type {SessionRequests} from '../launch/describe-launch.ts';
import {createRequestHandler} from '../server/request-handler.ts';
import {makeServer, serve, type Serving} from '../server/serve.ts';
import {isSameToken} from '../server/service.ts';
import {createToolHandler} from '../tools/tool-handler.ts';
import type {DaemonContext} from '../daemon-context.ts';

/** Connections that the agent of one session may have at once to its tools. */
const maxPerSession = 8;

export type ServersOptions = {
  readonly context: DaemonContext;
  readonly conductor: Conductor;
  readonly journal: Journal;
  readonly build: string;
  /** The socket of people's clients. */
  readonly socket: string;
  readonly past: {readonly before: number; readonly events: readonly Event[]};
  readonly saveRequest: SessionRequests['request'];
  readonly stop: () => void;
  /** Ends when the daemon does. */
  readonly signal: AbortSignal;
};

export type Servers = {
  /** The people's clients. */
  readonly clients: Serving;
  /** Opens both sockets. From then on every question is answered at once. */
  readonly listen: () => Promise<void>;
  /** `after`: how long clients shall wait before they connect again, in milliseconds. */
  readonly close: (after: number) => Promise<void>;
};

/** Two servers: one for people's clients, one for the tools of agents. Neither listens yet. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const {context, conductor, journal, build, socket, past, saveRequest, stop, signal} = options;
  const {kernel, now} = context;
  const token = ensureToken(socket);
  const clientServer = makeServer();
  const clients: Serving = await serve(clientServer, {
    build,
    authenticate: (given) => (isSameToken(given, token) ? {} : undefined),
    seq: () => conductor.state().seq,
    answer: createRequestHandler({
      conductor,
      context,
      journal,
      kernel,
      build,
      now,
      past,
      startedAt: now(),
      request: saveRequest,
      clients: () => clients.clients(),
      stop,
    }),
  });
  const agentServer = makeServer();
  const agents = await serve(agentServer, {
    build,
    maxPerPrincipal: maxPerSession,
    seq: () => 0,
    ...createToolHandler({context, conductor, waitMs: parseToolWaitMs(context.env), signal}),
  });
  return {
    clients,
    listen: async () => {
      await listen(clientServer, socket);
      await listen(agentServer, context.agentsSocket);
    },
    close: async (after) => {
      await Promise.all([clients.close(after), agents.close(after)]);
    },
  };
}

/**
 * A socket file that is already there is stale: this daemon has the lock, and nobody answers at it.
 */
async function listen(server: Server, socket: string): Promise<void> {
  rmSync(socket, {force: true});
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
      server.listen(socket);
    });
  } finally {
    process.umask(mask);
  }

  chmodSync(socket, 0o600);
}

/**
 * In a directory of its own beside the clients' socket, so that a sandbox can show this directory
 * alone.
 */
export function toAgentsSocket(socket: string): string {
  return path.join(socket.replace(/\.sock$/, '.agents'), 'call');
}

/**
 * The token that a client must present. Only its owner can read the file, and every daemon of this
 * socket uses the same token.
 */
function ensureToken(socket: string): string {
  const file = socket.replace(/\.sock$/, '.token');
  const saved = (tryReadText(file, {maxBytes: 4096}) ?? '').trim();
  if (saved !== '') return saved;
  const token = randomBytes(24).toString('base64url');
  writeFileAtomic(file, token);
  return token;
}

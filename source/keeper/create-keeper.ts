import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type Server, createServer} from 'node:net';
import {join} from 'node:path';
import {
  keeperProtocol,
  type Launch,
  maxSocketPathBytes,
  parseLaunch,
  sessionFiles,
} from '../protocol/index.ts';
import {type Connection, createConnection} from './create-connection.ts';
import {createClientSizes} from './client-sizes.ts';
import {createSession} from './create-session.ts';

export type Keeper = {
  /** Resolves when the keeper has ended and its socket is gone. */
  readonly ended: Promise<void>;
  /**
   * Ends the keeper as soon as the session does not need it: at once, or when the exit is recorded.
   */
  readonly leave: () => void;
};

/** In milliseconds. */
export type KeeperTimeouts = {
  /** For a hello on a new connection. */
  readonly hello: number;
  /** For `go`, while no client is connected. */
  readonly go: number;
  /** For `release`, after the exit. */
  readonly release: number;
};

const usualTimeouts: KeeperTimeouts = {hello: 2000, go: 60_000, release: 24 * 60 * 60 * 1000};
const maxConnections = 64;
/** How many connections may wait to be accepted; Node's default. */
const backlog = 511;

/**
 * Resolves when the keeper listens and `meta.json` says so; the program does not run yet. `onQuiet`
 * is called when it is a good time to free memory.
 */
export async function createKeeper(
  directory: string,
  timeouts: KeeperTimeouts = usualTimeouts,
  onQuiet: () => void = () => undefined,
): Promise<Keeper> {
  const launch = readLaunch(directory);
  /** The client that typed last comes first: it waits for the echo. */
  let connections: readonly Connection[] = [];
  let isLeaving = false;
  let releaseTimer: NodeJS.Timeout | undefined;

  const session = createSession({
    directory,
    launch,
    onQuiet,
    onOutput: () => {
      for (const connection of connections) connection.pump();
    },
    onResize: (size) => {
      for (const connection of connections)
        connection.notify({type: 'resized', ...size, offset: session.log.end()});
    },
    onExit: () => {
      for (const connection of connections) connection.notifyExit();
      releaseTimer = setTimeout(end, timeouts.release);
      if (isLeaving) end();
    },
  });

  const sizes = createClientSizes<Connection>({
    first: {columns: launch.columns, rows: launch.rows},
    apply: session.resize,
  });

  const server = createServer((socket) => {
    const others = (): readonly Connection[] => connections.filter((one) => one !== connection);
    const onTyped = (): void => {
      if (connections[0] !== connection) connections = [connection, ...others()];
    };
    const connection: Connection = createConnection({
      socket,
      session,
      token: launch.token,
      helloTimeoutMs: timeouts.hello,
      onTyped,
      onResize: (size) => {
        sizes.resize(connection, size);
      },
      onRelease: end,
    });
    connections = [...connections, connection];
    socket.on('close', () => {
      connections = others();
      sizes.leave(connection);
      if (server.listening) goTimer.refresh();
    });
  });
  server.maxConnections = maxConnections;

  const goTimer = setTimeout(() => {
    if (session.status().phase === 'ready' && connections.length === 0) end();
  }, timeouts.go);

  const end = (): void => {
    clearTimeout(goTimer);
    clearTimeout(releaseTimer);
    // This also removes the socket's file.
    server.close();
    sizes.close();
    for (const connection of connections) connection.close();
  };

  await listen(server, launch.socket);
  const ended = once(server, 'close').then(() => {
    // Connections that have ended since may wait to hand their size back.
    sizes.close();
    session.close();
  });
  try {
    session.writeMeta();
  } catch (error) {
    end();
    throw error;
  }

  return {
    ended,
    leave: () => {
      isLeaving = true;
      if (session.status().phase !== 'running') end();
    },
  };
}

/** Only this user may connect. The mask is restored at once, because the program inherits it. */
async function listen(server: Server, socket: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    // This loads `node:cluster`: 0.3 MB of 10. Only the private `server._listen2` would not.
    server.listen({path: socket, backlog});
  } finally {
    process.umask(mask);
  }

  await once(server, 'listening');
}

function readLaunch(directory: string): Launch {
  const file = join(directory, sessionFiles.launch);
  const reading = parseLaunch(JSON.parse(readFileSync(file, 'utf8')));
  if ('wrong' in reading)
    throw new Error(`${file}: ${reading.wrong} is not as keeper protocol ${keeperProtocol} has it`);
  const {protocol, socket} = reading.fields;
  if (protocol !== keeperProtocol)
    throw new Error(`${file}: expected protocol ${keeperProtocol}, got ${protocol}`);
  if (Buffer.byteLength(socket) > maxSocketPathBytes)
    throw new Error(`${socket}: expected a path of at most ${maxSocketPathBytes} bytes`);
  return reading.fields;
}

/**
 * Runs a keeper's process. Only SIGKILL can take the terminal from a running program. SIGTERM is
 * remembered and ends the keeper once the exit is recorded, so that a shutdown does not wait for
 * it.
 */
export async function runKeeper(directory: string): Promise<void> {
  // Protects it from `pkill node`, which agents do run.
  process.title = 'orchestra-keeper';
  // Without a handler, SIGUSR1 would open a debugger.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(signal, () => undefined);
  // `gc` exists if Node was started with --expose-gc.
  const keeper = await createKeeper(directory, undefined, () =>
    globalThis.gc?.({type: 'major', execution: 'sync', flavor: 'last-resort'}),
  );
  process.on('SIGTERM', keeper.leave);
  process.on('uncaughtException', (error) => {
    console.error(error);
  });
  await keeper.ended;
}

import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type Server, createServer} from 'node:net';
import {join} from 'node:path';
import {
  type Launch,
  keeperProtocol,
  longestSocketPath,
  readLaunch,
  sessionFiles,
} from '../protocol/index.ts';
import {type Connection, createConnection} from './create-connection.ts';
import {createSession} from './create-session.ts';

export type Keeper = {
  /** Settles when the keeper has ended and its socket is gone. */
  readonly ended: Promise<void>;
  /** Ends as soon as the session does not need it: at once, or when the exit is on the disk. */
  readonly leave: () => void;
};

/** In milliseconds. */
export type Patience = {
  /** With a connection that does not say hello. */
  readonly hello: number;
  /** With nobody there before `go`. */
  readonly go: number;
  /** After the exit, for `release`. */
  readonly release: number;
};

const usualPatience: Patience = {hello: 2000, go: 60_000, release: 24 * 60 * 60 * 1000};
const mostConnections = 64;
/** How many may wait to be let in; Node's own number. */
const backlog = 511;

/** When this settles, the keeper listens and `meta.json` says so; nothing of the program runs yet. `onQuiet` is a time to tidy up in. */
export async function createKeeper(
  directory: string,
  patience: Patience = usualPatience,
  onQuiet: () => void = () => undefined,
): Promise<Keeper> {
  const launch = launchIn(directory);
  /** Whoever typed last comes first: it is they who wait for what the program says to it. */
  let connections: readonly Connection[] = [];
  let isLeaving = false;
  let lastClock: NodeJS.Timeout | undefined;

  const session = createSession({
    directory,
    launch,
    onQuiet,
    onOutput: () => {
      for (const connection of connections) connection.pump();
    },
    onResize: (size) => {
      for (const connection of connections)
        connection.tell({type: 'resized', ...size, offset: session.log.end()});
    },
    onExit: () => {
      for (const connection of connections) connection.tellExit();
      lastClock = setTimeout(end, patience.release);
      if (isLeaving) end();
    },
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
      patience: patience.hello,
      onTyped,
      onRelease: end,
    });
    connections = [...connections, connection];
    socket.on('close', () => {
      connections = others();
      if (server.listening) firstClock.refresh();
    });
  });
  server.maxConnections = mostConnections;

  const firstClock = setTimeout(() => {
    if (session.status().phase === 'ready' && connections.length === 0) end();
  }, patience.go);

  const end = (): void => {
    clearTimeout(firstClock);
    clearTimeout(lastClock);
    // This removes the socket's file too.
    server.close();
    for (const connection of connections) connection.close();
  };

  await listen(server, launch.socket);
  const ended = once(server, 'close').then(session.close);
  try {
    session.introduce();
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

/** Only this user may connect. The mask is set back at once: the program inherits it. */
async function listen(server: Server, socket: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    listenAlone(server, socket);
  } finally {
    process.umask(mask);
  }

  await once(server, 'listening');
}

/** As `server.listen(socket)`, which first loads all that makes clusters of processes: 0.3 MB for nothing. The method is an old name that Node keeps. */
function listenAlone(
  server: Server & {
    readonly _listen2?: (path: string, port: -1, type: -1, backlog: number) => void;
  },
  socket: string,
): void {
  if (server._listen2 === undefined) server.listen(socket);
  else server._listen2(socket, -1, -1, backlog);
}

function launchIn(directory: string): Launch {
  const file = join(directory, sessionFiles.launch);
  const reading = readLaunch(JSON.parse(readFileSync(file, 'utf8')));
  if ('wrong' in reading)
    throw new Error(`${file}: ${reading.wrong} is not as keeper protocol ${keeperProtocol} has it`);
  const {protocol, socket} = reading.fields;
  if (protocol !== keeperProtocol)
    throw new Error(`${file}: expected protocol ${keeperProtocol}, got ${protocol}`);
  if (Buffer.byteLength(socket) > longestSocketPath)
    throw new Error(`${socket}: expected a path of at most ${longestSocketPath} bytes`);
  return reading.fields;
}

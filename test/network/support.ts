import {createServer as createHttpServer, type IncomingMessage} from 'node:http';
import {connect, createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import type {TestContext} from 'node:test';
import {parseNetworkEntries} from '../../source/shared/index.ts';
import {createProxy, type Proxy, type ProxyOptions} from '../../source/network/index.ts';
import {eventually} from '../support/eventually.ts';

export function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export async function listen(
  t: TestContext,
  server: Server,
  host = '127.0.0.1',
  port = 0,
): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return getPort(server);
}

/** A server that says what it was asked, and keeps it. */
export async function webServer(
  t: TestContext,
  name: string,
  host = '127.0.0.1',
): Promise<{readonly port: number; readonly asked: string[]}> {
  const asked: string[] = [];
  const server = createHttpServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      asked.push(
        `${request.method ?? ''} ${request.url ?? ''} ${request.headers.host ?? ''} ${body}`.trim(),
      );
      response.end(`${name} says ${request.url ?? ''} ${request.headers.host ?? ''} ${body}\n`);
    });
  });
  return {port: await listen(t, server, host), asked};
}

export type Front = {readonly port: number; readonly proxy: Proxy; readonly rejected: string[]};

/** A proxy with real sockets and names that mean what the test says. */
export async function openFront(
  t: TestContext,
  allow: readonly string[],
  options: {
    readonly names?: Readonly<Record<string, readonly string[]>>;
    readonly limits?: ProxyOptions['limits'];
    readonly resolve?: (name: string) => Promise<readonly string[]>;
  } = {},
): Promise<Front> {
  const rejected: string[] = [];
  const proxy = createProxy({
    entries: parseNetworkEntries(allow),
    outside: {
      resolve: options.resolve ?? ((name) => Promise.resolve(options.names?.[name] ?? [])),
      isOwn: () => false,
    },
    onBlocked: ({host, port}, why) => {
      rejected.push(`${host}:${port} ${why}`);
    },
    ...(options.limits && {limits: options.limits}),
  });
  const server = createServer();
  proxy.serve(server);
  const port = await listen(t, server);
  t.after(() => {
    proxy.close();
  });
  return {port, proxy, rejected};
}

export type Talk = {
  readonly socket: Socket;
  readonly text: () => string;
  readonly write: (text: string | Buffer) => void;
  readonly until: (pattern: RegExp) => Promise<string>;
  readonly ended: () => Promise<string>;
};

/** A conversation with raw bytes. */
export function talk(t: TestContext, port: number): Talk {
  const socket = connect({port, host: '127.0.0.1', allowHalfOpen: true});
  let [text, isOver] = ['', false];
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  for (const event of ['end', 'close', 'error'])
    socket.on(event, () => {
      isOver = true;
    });
  t.after(() => {
    socket.destroy();
  });
  return {
    socket,
    text: () => text,
    write: (bytes) => {
      socket.write(bytes);
    },
    until: async (pattern) => {
      await eventually(
        `${String(pattern)} is said`,
        () => pattern.test(text) || (isOver && pattern.test(text)),
      );
      return text;
    },
    ended: async () => {
      await eventually('it is over', () => isOver);
      return text;
    },
  };
}

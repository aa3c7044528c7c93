import {createServer, type IncomingMessage, type Server as HttpServer} from 'node:http';
import type {Server, Socket} from 'node:net';
import type {NetworkEntry} from '../shared/index.ts';
import type {NetworkRefusal} from '../domain/index.ts';
import {
  endSoon,
  joinSockets,
  type Opened,
  openTarget,
  type AddressLookup,
  parseAuthority,
  type NetworkTarget,
} from './open-target.ts';
import {forwardRequest, limitRequests} from './forward-request.ts';
import {formatRefusal} from './refusals.ts';
import {serveSocks, socksVersion} from './socks.ts';

export type ProxyOptions = {
  readonly entries: readonly NetworkEntry[];
  readonly outside: AddressLookup;
  readonly onBlocked: (target: NetworkTarget, why: NetworkRefusal) => void;
  readonly limits?: Partial<ProxyLimits>;
};

/** Exceeding a limit ends the connection; nothing is queued. */
export type ProxyLimits = {
  /** Concurrent connections of the whole session. */
  readonly connections: number;
  /** Until the first byte, and until a request is complete. */
  readonly requestMs: number;
  readonly headerBytes: number;
};

const usualLimits: ProxyLimits = {connections: 256, requestMs: 30_000, headerBytes: 16 * 1024};

export type Proxy = {
  /** Serves HTTP or SOCKS 5 to clients of this server. */
  readonly serve: (server: Server) => void;
  /** Connects clients of this server to one target, without a protocol. */
  readonly forward: (server: Server, target: NetworkTarget) => void;
  readonly connections: () => number;
  readonly close: () => void;
};

export function createProxy({entries, outside, onBlocked, limits: given}: ProxyOptions): Proxy {
  const limits = {...usualLimits, ...given};
  const open = new Set<Socket>();
  const openFor = async (target: NetworkTarget): Promise<Opened> => {
    const opened = await openTarget(entries, target, outside);
    if ('blocked' in opened) onBlocked(target, opened.blocked);
    return opened;
  };

  const http = createHttp(openFor, limits);
  const take = (server: Server, handle: (socket: Socket) => void): void => {
    server.on('connection', (socket) => {
      socket.on('error', () => {
        socket.destroy();
      });
      if (open.size >= limits.connections) {
        socket.resetAndDestroy();
        return;
      }

      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
      });
      handle(socket);
    });
    // Programs may close their sending half and still wait for the answer.
    (server as Server & {allowHalfOpen: boolean}).allowHalfOpen = true;
  };

  return {
    serve: (server) => {
      take(server, (socket) => {
        detectProtocol(socket, http, openFor, limits);
      });
    },
    forward: (server, target) => {
      take(server, (socket) => {
        socket.pause();
        void openFor(target).then((opened) => {
          if ('socket' in opened) joinSockets(socket, opened.socket);
          else socket.resetAndDestroy();
        });
      });
    },
    connections: () => open.size,
    close: () => {
      http.closeAllConnections();
      http.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The first byte shows which of the two protocols it is. */
function detectProtocol(
  socket: Socket,
  http: HttpServer,
  openFor: (target: NetworkTarget) => Promise<Opened>,
  {requestMs}: ProxyLimits,
): void {
  const timer = setTimeout(() => {
    socket.destroy();
  }, requestMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.once('data', (first) => {
    clearTimeout(timer);
    socket.pause();
    if (first[0] === socksVersion) {
      serveSocks(socket, first, openFor, requestMs);
      return;
    }

    socket.unshift(first);
    http.emit('connection', socket);
    socket.resume();
  });
}

function createHttp(
  openFor: (target: NetworkTarget) => Promise<Opened>,
  {requestMs, headerBytes}: ProxyLimits,
): HttpServer {
  // The request line and headers have a time limit, the body has none.
  const http = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: requestMs,
  });
  limitRequests(http, requestMs);
  http.maxRequestsPerSocket = 1000;
  http.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void tunnel(request, socket, head, openFor);
  });
  http.on('request', (request, response) => {
    void forwardRequest(request, response, openFor);
  });
  // A request to switch protocols is answered like any other, or not at all.
  http.on('clientError', (_error, socket) => {
    if (socket.writable)
      endSoon(socket as Socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return http;
}

async function tunnel(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  openFor: (target: NetworkTarget) => Promise<Opened>,
): Promise<void> {
  socket.on('error', () => {
    socket.destroy();
  });
  const target = parseAuthority(request.url ?? '');
  if (target === undefined) {
    endSoon(
      socket,
      formatPlainResponse('400 Bad Request', 'orchestra: expected CONNECT host:port.'),
    );
    return;
  }

  const opened = await openFor(target);
  if ('socket' in opened) {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) opened.socket.write(head);
    joinSockets(socket, opened.socket);
  } else if ('blocked' in opened) {
    endSoon(socket, formatPlainResponse('403 Forbidden', formatRefusal(target, opened.blocked)));
  } else {
    endSoon(socket, formatPlainResponse('502 Bad Gateway', `orchestra: ${opened.failed}`));
  }
}

function formatPlainResponse(status: string, text: string): string {
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Proxy-Error: ` +
    `${status.startsWith('403') ? 'blocked-by-allowlist' : 'failed'}\r\nConnection: ` +
    `close\r\nContent-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`
  );
}

import {createServer, type IncomingMessage, type Server as HttpServer} from 'node:http';
import type {Server, Socket} from 'node:net';
import type {NetworkEntry} from '../base/index.ts';
import type {RefusalReason} from './allow-list.ts';
import {endSoon} from './end-soon.ts';
import {forwardRequest} from './forward-request.ts';
import {joinSockets} from './join-sockets.ts';
import {limitRequests} from './limit-requests.ts';
import {openTarget, type Opened, type Outside} from './open-target.ts';
import {refusalText} from './refusal-text.ts';
import {socksVersion} from './parse-socks.ts';
import {parseAuthority, type Target} from './parse-target.ts';
import {serveSocks} from './serve-socks.ts';

export type ProxyOptions = {
  readonly entries: readonly NetworkEntry[];
  readonly outside: Outside;
  readonly onRefused: (target: Target, why: RefusalReason) => void;
  readonly limits?: Partial<ProxyLimits>;
};

/** Every one of them is met by ending the connection; nothing waits for room. */
export type ProxyLimits = {
  /** At the same time, over all that a session has open. */
  readonly connections: number;
  /** Until the first byte, and until a request is whole. */
  readonly requestMs: number;
  readonly headerBytes: number;
};

const usualLimits: ProxyLimits = {connections: 256, requestMs: 30_000, headerBytes: 16 * 1024};

export type Proxy = {
  /** Speaks HTTP or SOCKS 5 with whoever connects. */
  readonly serve: (server: Server) => void;
  /** Joins whoever connects to one place, without a word. */
  readonly forward: (server: Server, target: Target) => void;
  readonly connections: () => number;
  readonly close: () => void;
};

export function createProxy({entries, outside, onRefused, limits: given}: ProxyOptions): Proxy {
  const limits = {...usualLimits, ...given};
  const open = new Set<Socket>();
  const openFor = async (target: Target): Promise<Opened> => {
    const opened = await openTarget(entries, target, outside);
    if ('refused' in opened) onRefused(target, opened.refused);
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
    // Programs may end their half and still wait for the answer.
    (server as Server & {allowHalfOpen: boolean}).allowHalfOpen = true;
  };

  return {
    serve: (server) => {
      take(server, (socket) => {
        greet(socket, http, openFor, limits);
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

/** The first byte tells which of the two is spoken. */
function greet(
  socket: Socket,
  http: HttpServer,
  openFor: (target: Target) => Promise<Opened>,
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
  openFor: (target: Target) => Promise<Opened>,
  {requestMs, headerBytes}: ProxyLimits,
): HttpServer {
  // The body of a request may take as long as it takes; what stands before it may not.
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
  // What would have to be switched to another protocol is answered like any other request, or not at all.
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
  openFor: (target: Target) => Promise<Opened>,
): Promise<void> {
  socket.on('error', () => {
    socket.destroy();
  });
  const target = parseAuthority(request.url ?? '');
  if (target === undefined) {
    endSoon(socket, plainAnswer('400 Bad Request', 'orchestra: expected CONNECT host:port.'));
    return;
  }

  const opened = await openFor(target);
  if ('socket' in opened) {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) opened.socket.write(head);
    joinSockets(socket, opened.socket);
  } else if ('refused' in opened) {
    endSoon(socket, plainAnswer('403 Forbidden', refusalText(target, opened.refused)));
  } else {
    endSoon(socket, plainAnswer('502 Bad Gateway', `orchestra: ${opened.failed}`));
  }
}

function plainAnswer(status: string, text: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Proxy-Error: ${status.startsWith('403') ? 'blocked-by-allowlist' : 'failed'}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}\n`;
}

import {
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
  type Server as HttpServer,
} from 'node:http';
import type {Socket} from 'node:net';
import {type Opened, parseAbsoluteUrl, type NetworkTarget} from './open-target.ts';
import {formatRefusal} from './refusals.ts';

/** Headers for the next hop only (RFC 9110, 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Forwards a plain HTTP request. Each request is checked separately, whatever used the same
 * connection before, and gets its own connection to the outside. Its `Host` is the checked host.
 */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  openFor: (target: NetworkTarget) => Promise<Opened>,
): Promise<void> {
  request.on('error', () => {
    response.destroy();
  });
  const url = parseAbsoluteUrl(request.url ?? '');
  if (url === undefined) {
    refuse(
      response,
      400,
      'orchestra: this is a proxy; expected a whole address such as http://host/path, or CONNECT host:port.',
    );
    return;
  }

  if (!hasOneHost(request, url.authority)) {
    refuse(
      response,
      400,
      'orchestra: expected one Host header that names the host of the address.',
    );
    return;
  }

  const opened = await openFor(url);
  if ('blocked' in opened) {
    refuse(response, 403, formatRefusal(url, opened.blocked));
    return;
  }

  if ('failed' in opened) {
    refuse(response, 502, `orchestra: ${opened.failed}`);
    return;
  }

  const {socket} = opened;
  socket.on('error', () => {
    socket.destroy();
  });
  // An agent would open a connection of its own.
  const onward = sendRequest({
    createConnection: () => socket,
    method: request.method ?? 'GET',
    path: url.path,
    headers: [...passedOn(request.rawHeaders), 'Host', url.authority, 'Connection', 'close'],
    setHost: false,
  });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders));
    answer.once('error', () => {
      response.destroy();
    });
    answer.pipe(response);
  });
  onward.once('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, 'orchestra: the connection closed before there was an answer.');
  });
  response.once('close', () => {
    socket.destroy();
  });
  request.pipe(onward);
}

/** A server may serve several hosts and choose by this header alone. */
function hasOneHost({rawHeaders}: IncomingMessage, authority: string): boolean {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  return (
    hosts.length <= 1 &&
    hosts.every((host) => withoutUsualPort(host) === withoutUsualPort(authority))
  );
}

function withoutUsualPort(authority: string): string {
  return authority.trim().toLowerCase().replace(/:80$/, '');
}

function passedOn(raw: readonly string[]): string[] {
  const named = raw.flatMap((value, index) =>
    index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'connection'
      ? value.toLowerCase().split(/[\s,]+/)
      : [],
  );
  return raw.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const key = name.toLowerCase();
    return key === 'host' || hopByHop.has(key) || named.includes(key)
      ? []
      : [name, raw[index + 1] ?? ''];
  });
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
    ...(status === 403 && {'X-Proxy-Error': 'blocked-by-allowlist'}),
  });
  response.end(`${text}\n`);
}

/**
 * Ends connections on which no complete request arrives in time, for the first and each later
 * request. Node's own header timeout works only for servers that listen themselves.
 */
export function limitRequests(http: HttpServer, withinMs: number): void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>();
  const underWay = new WeakMap<Socket, number>();
  const stopWaiting = (socket: Socket): void => {
    clearTimeout(waiting.get(socket));
  };
  const wait = (socket: Socket): void => {
    stopWaiting(socket);
    waiting.set(
      socket,
      setTimeout(() => {
        socket.destroy();
      }, withinMs),
    );
  };

  http.on('connection', (socket: Socket) => {
    wait(socket);
    socket.once('close', () => {
      stopWaiting(socket);
    });
  });
  http.on('connect', (_request, socket) => {
    stopWaiting(socket as Socket);
  });
  http.on('request', ({socket}, response: ServerResponse) => {
    stopWaiting(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) wait(socket);
    });
  });
}

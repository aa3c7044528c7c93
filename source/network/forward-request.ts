import {request as sendRequest, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Opened} from './open-target.ts';
import {parseAbsoluteUrl, type Target} from './parse-target.ts';
import {refusalText} from './refusal-text.ts';

/** What is said to the next one on the way only (RFC 9110, 7.6.1). */
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
 * A request for a page in plain HTTP. Each is judged by itself, whatever went over the same connection before, and has a
 * connection of its own outside. Its `Host` is the host that was judged.
 */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  openFor: (target: Target) => Promise<Opened>,
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
  if ('refused' in opened) {
    refuse(response, 403, refusalText(url, opened.refused));
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
  // Without an agent: one would make a connection of its own.
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
    else refuse(response, 502, 'orchestra: the connection broke before there was an answer.');
  });
  response.once('close', () => {
    socket.destroy();
  });
  request.pipe(onward);
}

/** A server behind may serve several hosts, and goes by this header alone. */
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

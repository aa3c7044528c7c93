import type net from 'node:net';
import {printable} from '../printable.ts';
import {openConnection} from './open-connection.ts';
import type {TcpTarget} from './probe-tcp.ts';

export type HttpProbe =
  | {readonly at: 'answered'; readonly status: number}
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'}
  /** It closed the connection, or said something else: the beginning of it, safe to print. */
  | {readonly at: 'not-http'; readonly said: string};

/** No status line is longer. */
const mostCharacters = 1024;

/** One GET, with one limit for the whole of it. Only the status line is read. */
export async function probeHttp({
  host,
  port,
  timeoutMs,
  path,
}: TcpTarget & {readonly path: string}): Promise<HttpProbe> {
  if (!/^\/[\u0021-\u007E]*$/.test(path))
    throw new TypeError(`expected a path like /health, got ${printable(path)}`);
  const limit = AbortSignal.timeout(timeoutMs);
  const opened = await openConnection(host, port, limit);
  if (opened.at !== 'connected') return opened;
  opened.socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
  );
  const said = await firstLineOf(opened.socket);
  return limit.aborted ? {at: 'timed-out'} : statusIn(said);
}

function firstLineOf(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      if (said.includes('\n') || said.length > mostCharacters) socket.destroy();
    });
    socket.once('close', () => {
      resolve(said);
    });
  });
}

function statusIn(said: string): HttpProbe {
  const status = /^HTTP\/\d(?:\.\d)? (?<status>\d{3})\b/.exec(said)?.groups?.['status'];
  return status === undefined
    ? {at: 'not-http', said: printable(said, 80)}
    : {at: 'answered', status: Number(status)};
}

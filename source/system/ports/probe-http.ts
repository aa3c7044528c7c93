import type net from 'node:net';
import {printable} from '../kernel.ts';
import {openConnection, type TcpTarget} from './probe-port.ts';

export type HttpProbe =
  | {readonly at: 'answered'; readonly status: number}
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'}
  /**
   * It closed the connection or sent something else; `said` is the beginning of it, safe to print.
   */
  | {readonly at: 'not-http'; readonly said: string};

/** Status lines are shorter. */
const maxStatusLineLength = 1024;

/** Sends one GET with one timeout for everything, and reads the status line only. */
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
  const output = await readFirstLine(opened.socket);
  return limit.aborted ? {at: 'timed-out'} : parseStatusLine(output);
}

function readFirstLine(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    socket.on('data', (chunk) => {
      output += chunk.toString('latin1');
      if (output.includes('\n') || output.length > maxStatusLineLength) socket.destroy();
    });
    socket.once('close', () => {
      resolve(output);
    });
  });
}

function parseStatusLine(output: string): HttpProbe {
  const status = /^HTTP\/\d(?:\.\d)? (?<status>\d{3})\b/.exec(output)?.groups?.['status'];
  return status === undefined
    ? {at: 'not-http', said: printable(output, 80)}
    : {at: 'answered', status: Number(status)};
}

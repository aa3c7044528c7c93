import net from 'node:net';
import {codeOf} from '../code-of.ts';

export type Loopback = '::1' | `127.${string}`;

export type Opened =
  | {readonly at: 'connected'; readonly socket: net.Socket}
  /** Nobody listens there; also when the machine has no such address (`::1` without IPv6). */
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'};

/**
 * To loopback only: nothing here ever talks to another machine. The caller destroys the socket; if it does not, the
 * limit will, however far the conversation is.
 */
export function openConnection(host: Loopback, port: number, limit: AbortSignal): Promise<Opened> {
  return new Promise((resolve) => {
    const socket = net.connect({host, port, signal: limit});
    // Stays for good: a peer may break the connection at any time.
    socket.on('error', (error) => {
      resolve(limit.aborted ? {at: 'timed-out'} : {at: 'refused', code: codeOf(error)});
    });
    socket.once('connect', () => {
      resolve({at: 'connected', socket});
    });
  });
}

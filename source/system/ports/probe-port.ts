import net from 'node:net';
import {getErrorCode, type Kernel} from '../kernel.ts';
import {parseSocketTable, readNet} from './listeners.ts';

export type AcceptProbe =
  /** The process accepted our connection. */
  | 'taken'
  /**
   * The kernel queued the connection, because the process does not accept it: it hangs, or is
   * stopped.
   */
  | 'queued'
  /** The connection succeeded; the kernel does not tell whether it was accepted (macOS). */
  | 'connected'
  /** No connection: the queue is full. */
  | 'timed-out'
  | 'refused'
  /** The other side closed the connection before its state could be read. */
  | 'broken';

/** Connections to a dual-stack socket are in `tcp6`. */
export type AcceptTarget = TcpTarget & {readonly table: 'tcp' | 'tcp6'};

/**
 * ESTABLISHED, SYN_RECV, CLOSE_WAIT: without an inode, a connection in any other state was accepted
 * and then closed by the process.
 */
const unclosed: ReadonlySet<number> = new Set([1, 3, 8]);

/**
 * Tells a process that accepts connections from one that only listens. The kernel completes
 * connections by itself, but its table has no inode for the other end until the process calls
 * accept.
 */
export async function probeAccept(
  {host, port, timeoutMs, table}: AcceptTarget,
  kernel: Kernel,
): Promise<AcceptProbe> {
  const limit = AbortSignal.timeout(timeoutMs);
  const opened = await openConnection(host, port, limit);
  if (opened.at !== 'connected') return opened.at;
  const {socket} = opened;
  const ownPort = socket.localPort;
  if (kernel.platform !== 'linux' || ownPort === undefined) {
    socket.destroy();
    return 'connected';
  }

  const otherEnd = async (): Promise<'taken' | 'queued' | 'broken'> => {
    const [other] = parseSocketTable(
      (await readNet(table, kernel)) ?? '',
      (row) => row.port === port && row.remotePort === ownPort,
    );
    if (other === undefined) return 'broken';
    return other.inode === 0 && unclosed.has(other.state) ? 'queued' : 'taken';
  };

  const isOver = (): boolean => limit.aborted;
  let fate = await otherEnd();
  for (let pauseMs = 1; fate === 'queued' && !isOver(); pauseMs = Math.min(20, pauseMs * 2)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const next = await otherEnd();
    // After the timeout closed our end, the other end is gone as well.
    if (next !== 'broken' || !isOver()) fate = next;
  }

  socket.destroy();
  return fate;
}

export type Loopback = '::1' | `127.${string}`;

export type OpenedConnection =
  | {readonly at: 'connected'; readonly socket: net.Socket}
  /** No listener; also when the machine has no such address (`::1` without IPv6). */
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'};

/**
 * Connects to loopback only: this module never talks to another machine. The caller destroys the
 * socket; otherwise the timeout does.
 */
export function openConnection(
  host: Loopback,
  port: number,
  limit: AbortSignal,
): Promise<OpenedConnection> {
  return new Promise((resolve) => {
    const socket = net.connect({host, port, signal: limit});
    // Not removed: the peer can break the connection at any time.
    socket.on('error', (error) => {
      resolve(limit.aborted ? {at: 'timed-out'} : {at: 'refused', code: getErrorCode(error)});
    });
    socket.once('connect', () => {
      resolve({at: 'connected', socket});
    });
  });
}

export type TcpProbe =
  /**
   * The kernel completed the connection; whether the process accepts it is another question
   * (`explainPort`).
   */
  | {readonly at: 'connected'}
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'};

export type TcpTarget = {
  readonly host: Loopback;
  readonly port: number;
  readonly timeoutMs: number;
};

/** Whether a connection to the port succeeds. */
export async function probeTcp({host, port, timeoutMs}: TcpTarget): Promise<TcpProbe> {
  const opened = await openConnection(host, port, AbortSignal.timeout(timeoutMs));
  if (opened.at !== 'connected') return opened;
  opened.socket.destroy();
  return {at: 'connected'};
}

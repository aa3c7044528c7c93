import type {Kernel} from '../kernel.ts';
import {openConnection} from './open-connection.ts';
import type {TcpTarget} from './probe-tcp.ts';
import {readNet} from './read-net.ts';
import {readSocketTable} from './read-socket-table.ts';

export type AcceptProbe =
  /** The process took our connection. */
  | 'taken'
  /** The kernel made the connection and keeps it, because the process does not take it: it hangs, or is stopped. */
  | 'queued'
  /** The kernel made the connection; it does not tell who has it (macOS). */
  | 'connected'
  /** Not even that: the queue is full. */
  | 'timed-out'
  | 'refused'
  /** Made, and broken by the other side before it could be seen whether it was taken. */
  | 'broken';

/** Connections to a socket for both protocols stand in `tcp6`. */
export type AcceptTarget = TcpTarget & {readonly table: 'tcp' | 'tcp6'};

/** Established, still being made, closed by us: without an inode, a connection in any other state was taken and then closed by the process. */
const unclosed: ReadonlySet<number> = new Set([1, 3, 8]);

/**
 * Tells a process that serves from one that merely listens. A listening socket completes connections whatever its
 * process does. But until the process has called accept, the kernel's table has no inode for the other end.
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
    const [other] = readSocketTable(
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
    // When the limit has cut our end off, the other end is gone as well.
    if (next !== 'broken' || !isOver()) fate = next;
  }

  socket.destroy();
  return fate;
}

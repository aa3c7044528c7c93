import type {Kernel} from '../kernel.ts';
import type {HeldPort} from '../port/ports-of.ts';
import {readListeners, readUnixListeners} from '../port/read-listeners.ts';

/** `unknown`: the tables could no longer be read. */
export type FreedPort = {
  readonly where: HeldPort['where'];
  readonly isFree: boolean | 'unknown';
};

/** Which of the sockets are no longer there. One at the same port that somebody else has opened since is another socket. */
export async function readFreed(held: readonly HeldPort[], kernel: Kernel): Promise<FreedPort[]> {
  const [tcp, unix] = await Promise.all([readListeners(kernel), readUnixListeners(kernel)]);
  return held.map(({where, inode}) => {
    const table = 'port' in where ? tcp : unix;
    if ('unknown' in table) return {where, isFree: 'unknown'};
    const isThere = table.value.some((socket) =>
      inode === undefined
        ? 'port' in where &&
          'port' in socket &&
          socket.port === where.port &&
          socket.address === where.address
        : socket.inode === inode,
    );
    return {where, isFree: !isThere};
  });
}

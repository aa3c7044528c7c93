import {readdirSync, readlinkSync} from 'node:fs';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {fromAnyThread} from '../process/from-any-thread.ts';
import {isDead, type Process} from '../process/process.ts';

export type Holders = {
  /** inode → the first of the processes that holds it: who forks hands its sockets on, and the eldest stands first. */
  readonly of: ReadonlyMap<number, Process>;
  /** Those whose open files we may not see. */
  readonly hidden: readonly Process[];
};

/** Which of the processes hold the sockets, by `/proc/<pid>/fd`. Looks no further when it has them all. */
export async function findHolders(inodes: ReadonlySet<number>, processes: readonly Process[], kernel: Kernel): Promise<Holders> {
  const of = new Map<number, Process>();
  const hidden = await inSlices(
    processes,
    (process) => {
      const sockets = (isDead(process) ? undefined : fromAnyThread(process.identity.pid, kernel, readSockets)) ?? [];
      if (sockets === 'hidden') return process;
      for (const inode of sockets) if (inodes.has(inode) && !of.has(inode)) of.set(inode, process);
      return undefined;
    },
    () => of.size === inodes.size,
  );
  return {of, hidden};
}

/** Nothing when there are no open files at all. */
function readSockets(directory: string): readonly number[] | 'hidden' | undefined {
  const files = lookAt(() => readdirSync(`${directory}/fd`));
  if ('missing' in files) return files.missing === 'denied' ? 'hidden' : undefined;
  if (files.value.length === 0) return undefined;
  return files.value.flatMap((file) => {
    const link = valueOf(lookAt(() => readlinkSync(`${directory}/fd/${file}`)));
    return link?.startsWith('socket:[') === true ? Number.parseInt(link.slice(8), 10) : [];
  });
}

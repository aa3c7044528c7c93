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
export async function findHolders(
  inodes: ReadonlySet<number>,
  processes: readonly Process[],
  kernel: Kernel,
): Promise<Holders> {
  const of = new Map<number, Process>();
  const hidden = await inSlices(
    processes,
    (process) => {
      if (isDead(process)) return undefined;
      const sockets = socketsOf(process, kernel);
      if (sockets === 'hidden') return process;
      for (const inode of sockets) if (inodes.has(inode) && !of.has(inode)) of.set(inode, process);
      return undefined;
    },
    () => of.size === inodes.size,
  );
  return {of, hidden};
}

function socketsOf({identity: {pid}, uid}: Process, kernel: Kernel): readonly number[] | 'hidden' {
  if (kernel.uid !== 0 && kernel.uid !== uid) return 'hidden';
  const sockets = fromAnyThread(pid, kernel, readSockets);
  if (sockets !== undefined) return sockets;
  const files = lookAt(() => readdirSync(`${kernel.proc}/${pid}/fd`));
  return 'missing' in files && files.missing === 'denied' ? 'hidden' : [];
}

/** Nothing when there are no open files at all, or they cannot be read. */
function readSockets(directory: string): readonly number[] | undefined {
  const files = valueOf(lookAt(() => readdirSync(`${directory}/fd`)));
  if (files === undefined || files.length === 0) return undefined;
  return files.flatMap((file) => {
    const link = valueOf(lookAt(() => readlinkSync(`${directory}/fd/${file}`)));
    return link?.startsWith('socket:[') === true ? Number.parseInt(link.slice(8), 10) : [];
  });
}

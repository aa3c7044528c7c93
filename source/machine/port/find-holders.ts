import {readdirSync, readlinkSync} from 'node:fs';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
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
      const sockets = isDead(process) ? [] : socketsOf(process, kernel);
      if (sockets === 'hidden') return process;
      for (const inode of sockets) if (inodes.has(inode) && !of.has(inode)) of.set(inode, process);
      return undefined;
    },
    () => of.size === inodes.size,
  );
  return {of, hidden};
}

function socketsOf({identity}: Process, kernel: Kernel): readonly number[] | 'hidden' {
  const directory = `${kernel.proc}/${identity.pid}/fd`;
  const files = lookAt(() => readdirSync(directory));
  if ('missing' in files) return files.missing === 'denied' ? 'hidden' : [];
  return files.value.flatMap((file) => {
    const link = valueOf(lookAt(() => readlinkSync(`${directory}/${file}`)));
    return link?.startsWith('socket:[') === true ? Number.parseInt(link.slice(8), 10) : [];
  });
}

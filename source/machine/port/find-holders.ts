import {readdirSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {isDead, type Process} from '../process/process.ts';

/** `hidden`: those whose open files we may not see. */
export type Holders = {
  readonly of: ReadonlyMap<number, readonly Process[]>;
  readonly hidden: readonly Process[];
};

/** Which of the processes hold which of the sockets, by `/proc/<pid>/fd`. */
export async function findHolders(inodes: ReadonlySet<number>, processes: readonly Process[], kernel: Kernel): Promise<Holders> {
  const found = await inSlices(processes, (process) => {
    if (isDead(process)) return undefined;
    const held = socketsOf(process, inodes, kernel);
    return held === 'hidden' || held.length > 0 ? {process, held} : undefined;
  });
  const of = new Map<number, Process[]>();
  for (const {process, held} of found) {
    for (const inode of held === 'hidden' ? [] : held) of.set(inode, [...(of.get(inode) ?? []), process]);
  }

  return {of, hidden: found.filter(({held}) => held === 'hidden').map(({process}) => process)};
}

function socketsOf({identity}: Process, inodes: ReadonlySet<number>, kernel: Kernel): readonly number[] | 'hidden' {
  const directory = path.join(kernel.proc, String(identity.pid), 'fd');
  const files = lookAt(() => readdirSync(directory));
  if ('missing' in files) return files.missing === 'denied' ? 'hidden' : [];
  const held = files.value.map((file) => inodeOf(valueOf(lookAt(() => readlinkSync(`${directory}/${file}`)))));
  return [...new Set(held.filter((inode) => inode !== undefined && inodes.has(inode)))] as number[];
}

function inodeOf(link: string | undefined): number | undefined {
  return link?.startsWith('socket:[') === true ? Number.parseInt(link.slice(8), 10) : undefined;
}

import type {Kernel} from '../kernel.ts';
import type {Process} from '../process/process.ts';
import {readProcesses} from '../process/read-processes.ts';
import {findHolders} from './find-holders.ts';
import {readNet} from './read-net.ts';

/** Who has a name of Linux's abstract socket namespace, which any local user can take. */
export type NameHolder =
  | {readonly at: 'nobody'}
  /** A process of this user. */
  | {readonly at: 'own'; readonly process: Process}
  /** None of this user's processes. Which one it is only root may see. */
  | {readonly at: 'other'; readonly process?: Process}
  | {readonly at: 'unknown'; readonly why: string};

/** `name` begins with the NUL that makes it abstract. Asks the kernel; nobody is connected to. */
export async function findNameHolder(name: string, kernel: Kernel): Promise<NameHolder> {
  const table = await readNet('unix', kernel);
  if (table === undefined)
    return {at: 'unknown', why: `${kernel.proc}/net/unix cannot be read on ${kernel.platform}`};
  const inodes = inodesOf(table, name);
  if (inodes.size === 0) return {at: 'nobody'};
  const all = await readProcesses(kernel);
  if ('unknown' in all) return {at: 'unknown', why: all.unknown};
  const {of, hidden} = await findHolders(inodes, all.value, kernel);
  const holders = [...of.values()];
  const own = holders.find(({uid}) => uid === kernel.uid);
  if (own !== undefined) return {at: 'own', process: own};
  const hiding = hidden.find(({uid}) => uid === kernel.uid);
  if (holders[0] === undefined && hiding !== undefined)
    return {
      at: 'unknown',
      why: `the open files of process ${hiding.identity.pid}, one of your own, cannot be seen`,
    };
  return {at: 'other', ...(holders[0] === undefined ? {} : {process: holders[0]})};
}

/** Also of a socket that does not listen: it has the name all the same. The kernel shows a NUL as `@`. */
function inodesOf(table: string, name: string): ReadonlySet<number> {
  const shown = name.replaceAll('\0', '@');
  return new Set(
    table.split('\n').flatMap((line) => {
      const {inode, path} =
        /^[\da-f]+: [\dA-F]{8} [\dA-F]{8} [\dA-F]{8} [\dA-F]{4} [\dA-F]{2} +(?<inode>\d+) (?<path>.+)$/.exec(
          line,
        )?.groups ?? {};
      return path === shown && inode !== undefined ? [Number(inode)] : [];
    }),
  );
}

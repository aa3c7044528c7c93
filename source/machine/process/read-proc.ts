import {readdirSync, readFileSync, statSync} from 'node:fs';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import type {Process} from './process.ts';
import type {Boot} from './read-boot.ts';
import {readStat} from './read-stat.ts';

/** Nothing when it has gone. The owner of the directory is the process's user, whoever may read the files in it. */
export function readFromProc(pid: number, boot: Boot, kernel: Kernel): Process | undefined {
  const directory = `${kernel.proc}/${pid}`;
  const uid = statSync(directory, {throwIfNoEntry: false})?.uid;
  const text = valueOf(lookAt(() => readFileSync(`${directory}/stat`, 'utf8')));
  if (uid === undefined || text === undefined) return undefined;
  const stat = readStat(text, boot);
  return stat === undefined ? undefined : {...stat, uid};
}

/** One pass; a process that ends midway is left out. */
export function readAllFromProc(boot: Boot, kernel: Kernel): Promise<Process[]> {
  const pids = readdirSync(kernel.proc)
    .map(Number)
    .filter((pid) => Number.isInteger(pid));
  return inSlices(pids, (pid) => readFromProc(pid, boot, kernel));
}

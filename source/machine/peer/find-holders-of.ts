import {readdirSync, readlinkSync} from 'node:fs';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {fromAnyThread} from '../process/from-any-thread.ts';
import {isDead, type Process} from '../process/process.ts';

/** Everybody who has the socket open: who forks hands it on, and each of them can write to it. */
export function findHoldersOf(
  inode: number,
  processes: readonly Process[],
  kernel: Kernel,
): Promise<Process[]> {
  const wanted = `socket:[${inode}]`;
  const holds = (directory: string): boolean | undefined => {
    const files = valueOf(lookAt(() => readdirSync(`${directory}/fd`)));
    if (files === undefined || files.length === 0) return undefined;
    return files.some(
      (file) => valueOf(lookAt(() => readlinkSync(`${directory}/fd/${file}`))) === wanted,
    );
  };

  return inSlices(processes, (process) =>
    !isDead(process) && fromAnyThread(process.identity.pid, kernel, holds) === true
      ? process
      : undefined,
  );
}

import {readdirSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';

/**
 * Reads something of a process in `/proc/<pid>`, which shows its first thread. When that thread has ended before the
 * others (by itself, or for a moment when the process is killed) there is nothing in it, and another one is asked.
 */
export function fromAnyThread<T>(
  pid: number,
  kernel: Kernel,
  read: (directory: string) => T | undefined,
): T | undefined {
  const directory = `${kernel.proc}/${pid}`;
  const first = read(directory);
  if (first !== undefined) return first;
  for (const thread of valueOf(lookAt(() => readdirSync(`${directory}/task`))) ?? []) {
    const found = Number(thread) === pid ? undefined : read(`${directory}/task/${thread}`);
    if (found !== undefined) return found;
  }

  return undefined;
}

import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';

/** Read off the event loop's thread: the kernel walks its whole table of connections, some milliseconds on a large machine. */
export async function readNet(
  name: 'tcp' | 'tcp6' | 'unix',
  kernel: Kernel,
): Promise<string | undefined> {
  try {
    return await readFile(path.join(kernel.proc, 'net', name), 'utf8');
  } catch {
    return undefined;
  }
}

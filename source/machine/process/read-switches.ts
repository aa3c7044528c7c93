import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';

/** How often a process has gone to sleep by itself. As long as it sleeps this stays; nothing where the kernel does not tell. */
export function readSwitches(pid: number, {proc}: Kernel): number | undefined {
  try {
    const count = /^voluntary_ctxt_switches:\s*(?<count>\d+)$/m.exec(
      readFileSync(path.join(proc, String(pid), 'status'), 'utf8'),
    )?.groups?.['count'];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}

import {readFileSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';

const [hangup, terminate, stop] = [1, 15, 20];

/**
 * Whether it is a shell that somebody types into: such a one ignores SIGTERM and the stop key, and ends when its
 * terminal hangs up. Whoever ignores SIGTERM for another reason, or the hangup too, has one and is left his time.
 */
export function endsByHangup(pid: number, kernel: Kernel): boolean {
  const status = valueOf(lookAt(() => readFileSync(`${kernel.proc}/${pid}/status`, 'utf8')));
  const mask = /^SigIgn:\s*(?<mask>[\da-f]+)$/m.exec(status ?? '')?.groups?.['mask'];
  if (mask === undefined) return false;
  // Signal n is bit n - 1; all three are among the lowest 32.
  const ignored = Number.parseInt(mask.slice(-8), 16);
  const ignores = (signal: number): boolean => ((ignored >>> (signal - 1)) & 1) === 1;
  return ignores(terminate) && ignores(stop) && !ignores(hangup);
}

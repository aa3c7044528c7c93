import {readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {isDead, type Process, type ProcessIdentity} from './process.ts';
import type {Cookies} from './read-cookies.ts';
import type {Linked} from './tree-of.ts';

/** Why it may belong to the session: it holds the session's terminal open, or works in the session's directory without a terminal of its own. */
export type Suspicion = {readonly process: Process; readonly because: 'terminal' | 'directory'};

type Scene = {
  readonly root?: ProcessIdentity | undefined;
  readonly members: readonly Linked[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  readonly directory?: string | undefined;
};

/**
 * Processes that cleared their environment and cut every link (`env -i setsid`, forked twice) cannot be proven to be
 * the session's, because a person's own program can look just so. They are named, and never touched.
 */
export function findUnproven(
  {root, members, processes, cookies, directory}: Scene,
  kernel: Kernel,
): Suspicion[] {
  if (kernel.platform !== 'linux' || members.length === 0) return [];
  const known = new Set(members.map(({process}) => process.identity.pid));
  const terminals = new Set(members.flatMap(({process: {terminal}}) => terminal ?? []));
  const begun =
    root?.startTime ?? Math.min(...members.map(({process}) => process.identity.startTime));
  const link = (pid: number, name: string): string =>
    valueOf(lookAt(() => readlinkSync(path.join(kernel.proc, String(pid), name)))) ?? '';
  return processes.flatMap((process): Suspicion[] => {
    const {
      identity: {pid, startTime},
    } = process;
    if (
      known.has(pid) ||
      cookies.has(pid) ||
      isDead(process) ||
      process.uid !== kernel.uid ||
      startTime < begun
    )
      return [];
    if (['0', '1', '2'].some((fd) => terminals.has(link(pid, `fd/${fd}`))))
      return [{process, because: 'terminal'}];
    const works =
      directory !== undefined &&
      process.terminal === undefined &&
      `${link(pid, 'cwd')}/`.startsWith(`${directory}/`);
    return works ? [{process, because: 'directory'}] : [];
  });
}

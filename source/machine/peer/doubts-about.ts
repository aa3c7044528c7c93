import {readFileSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt} from '../look-at.ts';
import {findUnproven} from '../process/find-unproven.ts';
import type {Process} from '../process/process.ts';
import type {Cookies} from '../process/read-cookies.ts';
import {treeOf} from '../process/tree-of.ts';
import type {PeerSession} from './peer-session.ts';

/**
 * `orphan`: its origin is lost: it, or one of its ancestors, began after a living session and has init for a parent, as who
 * forks twice gets. `terminal`: it has the terminal of a session open. `directory`: it works in the directory of a session
 * and has no terminal. `hidden`: what it was started with may not be read.
 */
export type Doubt = 'orphan' | 'terminal' | 'directory' | 'hidden';

type Scene = {
  readonly process: Process;
  readonly ancestors: readonly Process[];
  readonly sessions: readonly PeerSession[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
};

export function doubtsAbout({process, ancestors, sessions, processes, cookies}: Scene, kernel: Kernel): Doubt[] {
  const doubts = new Set<Doubt>();
  const line = [process, ...ancestors];
  const begun = Math.min(...sessions.flatMap(({root}) => root?.startTime ?? []));
  if (line.some((one, index) => one.identity.startTime >= begun && isReaper(line[index + 1]))) doubts.add('orphan');
  for (const session of sessions) {
    const members = treeOf(session, processes, cookies);
    const suspicions = findUnproven({...session, members, processes, cookies}, kernel);
    for (const {because, process: suspect} of suspicions) if (line.includes(suspect)) doubts.add(because);
  }

  if (!('value' in lookAt(() => readFileSync(`${kernel.proc}/${process.identity.pid}/environ`)))) doubts.add('hidden');
  return [...doubts];
}

/** Adopts those whose parents have ended: the first process, and the manager of a user's services. The kernel does not tell of others. */
function isReaper(process: Process | undefined): boolean {
  return process !== undefined && (process.identity.pid === 1 || (process.parent === 1 && process.name === 'systemd'));
}

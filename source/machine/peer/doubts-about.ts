import {readFileSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt} from '../look-at.ts';
import {isAdopted} from '../process/is-adopted.ts';
import {findUnproven} from '../process/find-unproven.ts';
import type {Process} from '../process/process.ts';
import type {Cookies} from '../process/read-cookies.ts';
import {readProgram} from '../process/read-command.ts';
import {treeOf} from '../process/tree-of.ts';
import type {PeerSession} from './peer-session.ts';

/**
 * `orphan`: its origin is lost: it, or one of its ancestors, began after a session and has init for a parent, as who
 * forks twice gets. `terminal`: it has the terminal of a session open. `directory`: it works in the directory of a session
 * and has no terminal. `hidden`: what it was started with may not be read. `relay`: it is no client of ours, but passes on
 * what somebody else says, or holds a connection that was handed to it. `user`: it is another user's.
 */
export type Doubt = 'orphan' | 'terminal' | 'directory' | 'hidden' | 'relay' | 'user';

type Scene = {
  readonly process: Process;
  readonly ancestors: readonly Process[];
  readonly sessions: readonly PeerSession[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  /** When the first of the sessions began that have ended; what they left may still be there. */
  readonly since?: number | undefined;
  /** Whether a program of this name is a client of ours. */
  readonly isClient?: ((program: string) => boolean) | undefined;
};

export function doubtsAbout({process, ancestors, sessions, processes, cookies, since, isClient}: Scene, kernel: Kernel): Doubt[] {
  const doubts = new Set<Doubt>();
  const line = [process, ...ancestors];
  const harmful = sessions.filter(({isHarmless}) => isHarmless !== true);
  const begun = Math.min(since ?? Infinity, ...harmful.flatMap(({root}) => root?.startTime ?? []));
  if (line.some((one, index) => one.identity.startTime >= begun && isAdopted(one, line[index + 1]))) doubts.add('orphan');
  for (const session of harmful) {
    const members = treeOf(session, processes, cookies);
    const suspicions = findUnproven({...session, members, processes, cookies}, kernel);
    for (const {because, process: suspect} of suspicions) if (line.includes(suspect)) doubts.add(because);
  }

  if (!('value' in lookAt(() => readFileSync(`${kernel.proc}/${process.identity.pid}/environ`)))) doubts.add('hidden');
  if (isClient !== undefined && !isClient(readProgram(process, kernel))) doubts.add('relay');
  if (process.uid !== kernel.uid) doubts.add('user');
  return [...doubts];
}

import {readFileSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt} from '../look-at.ts';
import {ancestorsOf} from '../process/ancestors-of.ts';
import {findUnproven} from '../process/find-unproven.ts';
import {isSameProcess, type Process, type ProcessIdentity} from '../process/process.ts';
import type {Cookies} from '../process/read-cookies.ts';
import {readCredentials} from '../process/read-credentials.ts';
import {readProgram} from '../process/read-command.ts';
import {treeOf} from '../process/tree-of.ts';
import {originOf, type Origin} from './origin-of.ts';
import type {PeerSession} from './peer-session.ts';

/**
 * `orphan`: nothing proves that it does not descend from a session: on the way up stands a process that began after a session
 * and may have been adopted, as who forks twice is. `directory`: such a one also works in the directory of a session and has no
 * terminal. `terminal`: it has the terminal of a session open. `hidden`: what it was started with may not be read. `relay`: it is
 * no client of ours, but passes on what somebody else says, or holds a connection that was handed to it. `user`: it is another user's.
 */
export type Doubt = 'orphan' | 'terminal' | 'directory' | 'hidden' | 'relay' | 'user';

/** What is known about who could have adopted a process, and where sessions come from. */
export type Ancestry = {
  /** When the first of the sessions began that have ended, in the kernel's unit; what they left may still be there. */
  readonly since?: number | undefined;
  /** Who adopts what our sessions leave, and those above it: `findAdopter`. */
  readonly adopters?: readonly ProcessIdentity[] | undefined;
  /** The logins that our sessions came from; nothing for one that has none. */
  readonly logins?: readonly (number | undefined)[] | undefined;
};

type Scene = Ancestry & {
  readonly process: Process;
  readonly ancestors: readonly Process[];
  readonly sessions: readonly PeerSession[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  /** Whether a program of this name is a client of ours. */
  readonly isClient?: ((program: string) => boolean) | undefined;
};

export function doubtsAbout(
  scene: Scene,
  kernel: Kernel,
): {readonly doubts: readonly Doubt[]; readonly origin: Origin} {
  const {process, ancestors, sessions, processes, cookies, isClient} = scene;
  const doubts = new Set<Doubt>();
  const line = [process, ...ancestors];
  const harmful = sessions.filter(({isHarmless}) => isHarmless !== true);
  const origin = originIn(scene, harmful, kernel);
  if (!origin.isProved) doubts.add('orphan');
  for (const session of harmful) {
    const members = treeOf(session, processes, cookies);
    const suspicions = findUnproven({...session, members, processes, cookies}, kernel);
    // Where somebody works says nothing against whoever is proved to come from elsewhere: a script, an editor, a job work there as well.
    for (const {because, process: suspect} of suspicions)
      if (line.includes(suspect) && (because === 'terminal' || !origin.isProved))
        doubts.add(because);
  }

  if (!('value' in lookAt(() => readFileSync(`${kernel.proc}/${process.identity.pid}/environ`))))
    doubts.add('hidden');
  if (isClient !== undefined && !isClient(readProgram(process, kernel))) doubts.add('relay');
  if (process.uid !== kernel.uid) doubts.add('user');
  return {doubts: [...doubts], origin};
}

function originIn(
  {process: peer, ancestors, processes, sessions, since, adopters = [], logins = []}: Scene,
  harmful: readonly PeerSession[],
  kernel: Kernel,
): Origin {
  const keepers = sessions.flatMap(({keeper}) =>
    processes.filter(({identity}) => keeper !== undefined && isSameProcess(keeper, identity)),
  );
  const own = processes.filter(({identity}) => identity.pid === process.pid);
  // What we and the keepers have started without a session of its own is nobody's proof.
  const ours = new Set([...own, ...keepers].map(({session}) => session));
  return originOf({
    line: [peer, ...ancestors],
    processes: processes.filter(({session}) => !ours.has(session)),
    begun: Math.min(since ?? Infinity, ...harmful.flatMap(({root}) => root?.startTime ?? [])),
    // A keeper whose daemon has gone was adopted itself, and its session's orphans go the same way.
    adopters: [
      ...adopters,
      ...keepers.flatMap((keeper) =>
        keeper.parent === process.pid
          ? []
          : ancestorsOf(keeper, processes).map(({identity}) => identity),
      ),
    ],
    logins,
    credentialsOf: ({identity}) => readCredentials(identity.pid, kernel),
    uid: kernel.uid,
  });
}

import {readFileSync} from 'node:fs';
import {type Kernel, tryRead} from '../kernel.ts';
import {
  getAncestors,
  isSameProcessKey,
  type Process,
  type ProcessKey,
} from '../processes/process.ts';
import {findTreeMembers, findUnproven, type TreeRoot} from '../processes/process-tree.ts';
import {type Cookies, type Credentials, readCredentials, readProgram} from '../processes/proc.ts';

/**
 * `orphan`: it may descend from a session, because an ancestor started after a session and may have
 * been adopted (double fork). `directory`: such a process also works in a session's directory and
 * has no terminal. `terminal`: it has a session's terminal open. `hidden`: its environment cannot
 * be read. `relay`: it is not our client, so it forwards messages of others or inherited the
 * connection. `user`: it belongs to another user.
 */
export type Doubt = 'orphan' | 'terminal' | 'directory' | 'hidden' | 'relay' | 'user';

/** Facts about possible adopters of processes, and about the logins of sessions. */
export type Ancestry = {
  /** Start of the earliest ended session, in the kernel's unit; its processes may still run. */
  readonly since?: number | undefined;
  /** The adopter of our sessions' orphans (`findAdopter`) and its ancestors. */
  readonly adopters?: readonly ProcessKey[] | undefined;
  /** The logins of our sessions; undefined for a session without one. */
  readonly logins?: readonly (number | undefined)[] | undefined;
};

type DoubtQuestion = Ancestry & {
  readonly process: Process;
  readonly ancestors: readonly Process[];
  readonly sessions: readonly PeerSession[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  /** Whether a program name is one of our clients. */
  readonly isClient?: ((program: string) => boolean) | undefined;
};

export function findDoubts(
  snapshot: DoubtQuestion,
  kernel: Kernel,
): {readonly doubts: readonly Doubt[]; readonly origin: Origin} {
  const {process, ancestors, sessions, processes, cookies, isClient} = snapshot;
  const doubts = new Set<Doubt>();
  const line = [process, ...ancestors];
  const harmful = sessions.filter(({isHarmless}) => isHarmless !== true);
  const origin = findPeerOrigin(snapshot, harmful, kernel);
  if (!origin.isProved) doubts.add('orphan');
  for (const session of harmful) {
    const members = findTreeMembers(session, processes, cookies);
    const suspicions = findUnproven({...session, members, processes, cookies}, kernel);
    // With a proven origin the directory is no doubt: scripts, editors and jobs of the person work
    // there as well.
    for (const {because, process: suspect} of suspicions)
      if (line.includes(suspect) && (because === 'terminal' || !origin.isProved))
        doubts.add(because);
  }

  if (!('value' in tryRead(() => readFileSync(`${kernel.proc}/${process.identity.pid}/environ`))))
    doubts.add('hidden');
  if (isClient !== undefined && !isClient(readProgram(process, kernel))) doubts.add('relay');
  if (process.uid !== kernel.uid) doubts.add('user');
  return {doubts: [...doubts], origin};
}

function findPeerOrigin(
  {process: peer, ancestors, processes, sessions, since, adopters = [], logins = []}: DoubtQuestion,
  harmful: readonly PeerSession[],
  kernel: Kernel,
): Origin {
  const keepers = sessions.flatMap(({keeper}) =>
    processes.filter(({identity}) => keeper !== undefined && isSameProcessKey(keeper, identity)),
  );
  const own = processes.filter(({identity}) => identity.pid === process.pid);
  // Processes in our own kernel session, or in a keeper's, prove nothing.
  const ours = new Set([...own, ...keepers].map(({session}) => session));
  return findOrigin({
    line: [peer, ...ancestors],
    processes: processes.filter(({session}) => !ours.has(session)),
    begun: Math.min(since ?? Infinity, ...harmful.flatMap(({root}) => root?.startTime ?? [])),
    // A keeper whose daemon is gone was adopted itself, and its session's orphans get the same
    // adopters.
    adopters: [
      ...adopters,
      ...keepers.flatMap((keeper) =>
        keeper.parent === process.pid
          ? []
          : getAncestors(keeper, processes).map(({identity}) => identity),
      ),
    ],
    logins,
    credentialsOf: ({identity}) => readCredentials(identity.pid, kernel),
    uid: kernel.uid,
  });
}

/**
 * `older`: it started before any session. `session`: its kernel session is older. `login`: it came
 * from another login. `user`: it belongs to another user. `outside`: it was put into this pid
 * namespace from outside.
 */
export type OriginProof = 'older' | 'session' | 'login' | 'user' | 'outside';

/**
 * The origin of a process, as far as it can be traced. `parent` is the current parent, which may
 * have adopted it.
 */
export type Origin =
  | {readonly isProved: true; readonly by: OriginProof; readonly process: Process}
  | {
      readonly isProved: false;
      readonly why: 'adopted' | 'unseen';
      readonly process: Process;
      readonly parent: number;
    };

export type OriginQuestion = {
  /** The peer and its ancestors, nearest first. */
  readonly line: readonly Process[];
  readonly processes: readonly Process[];
  /** Start of the earliest session that a process can have left. */
  readonly begun: number;
  /** Possible adopters of a session's orphans, including ended processes. */
  readonly adopters: readonly ProcessKey[];
  /** The logins of the sessions; undefined for a session whose processes can still set one. */
  readonly logins: readonly (number | undefined)[];
  readonly credentialsOf: (process: Process) => Credentials;
  readonly uid: number;
};

/**
 * Whether a process provably descends from no session. Each step up is certain: a parent either
 * started its child or adopted it, and only `adopters` adopt a session's orphans. The walk succeeds
 * at the first ancestor that no session can have started, and fails at a child of an adopter: it
 * may be the adopter's own child, or an orphan of a session.
 */
export function findOrigin(question: OriginQuestion): Origin {
  const {line, adopters} = question;
  for (const [index, process] of line.entries()) {
    const by = proveOrigin(process, question);
    if (by !== undefined) return {isProved: true, by, process};
    const parent = line[index + 1];
    const {parent: number} = process;
    const isAdopter =
      number === 1 ||
      adopters.some((one) =>
        parent === undefined ? one.pid === number : isSameProcessKey(one, parent.identity),
      );
    if (isAdopter || parent === undefined)
      return {isProved: false, why: isAdopter ? 'adopted' : 'unseen', process, parent: number};
  }

  throw new Error('expected at least whoever asks');
}

function proveOrigin(
  process: Process,
  {begun, processes, logins, credentialsOf, uid}: OriginQuestion,
): OriginProof | undefined {
  const {identity, session, parent} = process;
  if (identity.startTime < begun) return 'older';
  // No process can join a kernel session: its members descend from its leader. When the leader is
  // gone, an older member proves the same.
  if (processes.some((other) => other.session === session && other.identity.startTime < begun))
    return 'session';
  const {audit, uids} = credentialsOf(process);
  if (logins.length > 0 && logins.every((login) => login !== undefined && login !== audit))
    return 'login';
  // All uids must differ: a setuid program keeps the real uid of its caller.
  if (uid !== 0 && uids.length > 0 && uids.every((one) => one !== uid)) return 'user';
  return parent === 0 && identity.pid !== 1 ? 'outside' : undefined;
}

/** A running session, for the check of a peer. */
export type PeerSession = TreeRoot & {
  readonly keeper?: ProcessKey | undefined;
  /** Working directory of its program. */
  readonly directory?: string | undefined;
  /** Its processes cannot reach us, or may ask for the same as a person, so they raise no doubt. */
  readonly isHarmless?: boolean | undefined;
};

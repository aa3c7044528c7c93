import {readdirSync} from 'node:fs';
import {getValue, type Kernel, tryRead} from '../kernel.ts';
import {getAncestors, isSameProcessKey, type Process} from '../processes/process.ts';
import {type Cookies, readCookies} from '../processes/proc.ts';
import {readProcess, readProcesses} from '../processes/process-table.ts';
import {findTreeMembers, type TreeLink} from '../processes/process-tree.ts';
import {
  type Ancestry,
  type Doubt,
  findDoubts,
  type Origin,
  type PeerSession,
} from './peer-origin.ts';
import {findConnectionHolders, findOtherEnd, type UnknownPeer} from './peer-socket.ts';

export type PeerQuestion = Ancestry & {
  /** File descriptor of the accepted socket in this process (`getSocketFd`). */
  readonly fd: number;
  /** The running sessions. Cookies of other sessions are recognised as well. */
  readonly sessions: readonly PeerSession[];
  /** Whether a program name is one of our clients. Any other program only forwards messages. */
  readonly isClient?: (program: string) => boolean;
};

export type Peer = {
  /** The peer process. When several have the connection open, one that belongs to a session. */
  readonly pid: number;
  readonly process: Process;
  /** Its ancestors, nearest first. */
  readonly ancestors: readonly Process[];
  /** The cookie of the session that it belongs to, and the proof. */
  readonly session?: string;
  readonly found?: TreeLink | 'keeper';
  /**
   * Only a cookie names the session, which a process can set itself: it does not descend from that
   * session.
   */
  readonly isClaimed?: true;
  /**
   * Signs that the peer is not a person's process, when no session is proven by descent. An empty
   * list proves nothing, but nothing was hidden.
   */
  readonly doubts: readonly Doubt[];
  /**
   * The proof that it descends from no session, or where the trace ends. Absent for a process of a
   * session.
   */
  readonly origin?: Origin;
};

type Belonging = Pick<Peer, 'session' | 'found' | 'isClaimed'>;

/**
 * Finds the process at the other end of a connection while it waits for our answer. Unknown when it
 * does not wait.
 */
export async function findPeer(
  question: PeerQuestion,
  kernel: Kernel,
): Promise<Peer | UnknownPeer> {
  if (kernel.platform !== 'linux')
    return {
      unknown: `who is connected can be asked on Linux only, not on ${kernel.platform}`,
      isBlind: true,
    };
  const inode = await findOtherEnd(question.fd, kernel);
  if (typeof inode !== 'number') return inode;
  const all = await readProcesses(kernel);
  if ('unknown' in all) return {unknown: all.unknown, isBlind: true};
  const first = await findConnectionHolders(inode, all.value, kernel);
  // A process that forks and exits during the search would be missing from the first list.
  const late = await readLatecomers(all.value, kernel);
  const processes = [...all.value, ...late];
  const holders = [...first, ...(await findConnectionHolders(inode, late, kernel))];
  const cookies = await readCookies(processes, kernel);
  const {sessions} = question;
  const belongingOf = createBelongingLookup(sessions, processes, cookies);
  const peers = holders.map((process): Peer => {
    const ancestors = getAncestors(process, processes);
    const belonging = belongingOf([process, ...ancestors]);
    const isProven = belonging.session !== undefined && belonging.isClaimed !== true;
    const found = isProven
      ? {doubts: []}
      : findDoubts({...question, process, ancestors, processes, cookies}, kernel);
    return {pid: process.identity.pid, process, ancestors, ...belonging, ...found};
  });
  const peer =
    peers.find(({session, isClaimed}) => session !== undefined && isClaimed !== true) ??
    peers.find(({session}) => session !== undefined) ??
    peers.find(({doubts}) => doubts.length > 0) ??
    peers[0];
  if (peer === undefined)
    return {unknown: 'no visible process has the connection open', hasLeft: true};
  // The answer is about processes that still have the connection open; check again.
  return peer.session !== undefined ||
    (await findConnectionHolders(inode, holders, kernel)).length > 0
    ? peer
    : {unknown: 'the other end has already gone', hasLeft: true};
}

/** Processes that started after the others were read. */
async function readLatecomers(known: readonly Process[], kernel: Kernel): Promise<Process[]> {
  const pids = new Set(known.map(({identity}) => identity.pid));
  const fresh = (getValue(tryRead(() => readdirSync(kernel.proc))) ?? [])
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && !pids.has(pid));
  const found = await Promise.all(fresh.map((pid) => readProcess(pid, kernel)));
  return found.flatMap((fact) => ('value' in fact && fact.value !== undefined ? [fact.value] : []));
}

/**
 * Assigns a process to a session, from itself and its ancestors. Descent counts more than a cookie:
 * a process can choose its cookie, but not its parent.
 */
function createBelongingLookup(
  sessions: readonly PeerSession[],
  processes: readonly Process[],
  cookies: Cookies,
): (line: readonly Process[]) => Belonging {
  const membersBy = (
    known: Cookies,
  ): Map<number, {readonly session: string; readonly found: TreeLink}> =>
    new Map(
      sessions.flatMap((root) =>
        findTreeMembers(root, processes, known).map(
          ({process, found}) => [process.identity.pid, {session: root.cookie, found}] as const,
        ),
      ),
    );
  const [descended, linked] = [membersBy(new Map()), membersBy(cookies)];
  const heldBy = (process: Process): string | undefined =>
    sessions.find(({keeper}) => keeper !== undefined && isSameProcessKey(keeper, process.identity))
      ?.cookie;
  const getProven = (process: Process): Belonging | undefined => {
    const member = descended.get(process.identity.pid);
    if (member !== undefined)
      return {
        ...member,
        ...(cookies.get(process.identity.pid) === member.session && {found: 'cookie'}),
      };
    const session = heldBy(process);
    return session === undefined ? undefined : {session, found: 'keeper'};
  };

  const getClaim = (process: Process): Belonging | undefined => {
    const cookie = cookies.get(process.identity.pid);
    if (cookie !== undefined) return {session: cookie, found: 'cookie', isClaimed: true};
    const member = linked.get(process.identity.pid);
    return member === undefined ? undefined : {...member, isClaimed: true};
  };

  const inherited = (
    line: readonly Process[],
    read: (process: Process) => Belonging | undefined,
  ): Belonging | undefined => {
    const own = line[0] && read(line[0]);
    if (own !== undefined) return own;
    const nearest = line
      .slice(1)
      .map(read)
      .find((belonging) => belonging !== undefined);
    return nearest && {...nearest, found: nearest.found === 'keeper' ? 'keeper' : 'descendant'};
  };

  return (line) => inherited(line, getProven) ?? inherited(line, getClaim) ?? {};
}

import {readdirSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {ancestorsOf} from '../process/ancestors-of.ts';
import {isSameProcess, type Process} from '../process/process.ts';
import {type Cookies, readCookies} from '../process/read-cookies.ts';
import {readProcess, readProcesses} from '../process/read-processes.ts';
import {type Link, treeOf} from '../process/tree-of.ts';
import {type Ancestry, type Doubt, doubtsAbout} from './doubts-about.ts';
import {findHoldersOf} from './find-holders-of.ts';
import {findOtherEnd, type UnknownPeer} from './find-other-end.ts';
import type {Origin} from './origin-of.ts';
import type {PeerSession} from './peer-session.ts';

export type PeerQuestion = Ancestry & {
  /** Of the accepted socket in this process; `fdOf` tells it. */
  readonly fd: number;
  /** The living sessions. Cookies of others are seen as well. */
  readonly sessions: readonly PeerSession[];
  /** Whether a program of this name is a client of ours. Any other only passes on what somebody says. */
  readonly isClient?: (program: string) => boolean;
};

export type Peer = {
  /** Who speaks. Of several who have the connection open, one that is a session's. */
  readonly pid: number;
  readonly process: Process;
  /** Nearest first. */
  readonly ancestors: readonly Process[];
  /** The cookie of the session that it speaks from, and by what that is known. */
  readonly session?: string;
  readonly found?: Link | 'keeper';
  /** Nothing but a cookie says so, which a process can give itself: it does not descend from that session. */
  readonly isClaimed?: true;
  /** Where the session is not proven by descent: what speaks against its being a person's. Where there is none nothing is proven either, but nothing was hidden. */
  readonly doubts: readonly Doubt[];
  /** By what it is proved to descend from no session, or where that ends; not looked for where it speaks from one. */
  readonly origin?: Origin;
};

type Belonging = Pick<Peer, 'session' | 'found' | 'isClaimed'>;

/** Who is at the other end of a connection, asked of the kernel while it waits for our answer. Who does not wait remains unknown. */
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
  const first = await findHoldersOf(inode, all.value, kernel);
  // Who forks and ends while it is looked for would not be among the first.
  const late = await readLatecomers(all.value, kernel);
  const processes = [...all.value, ...late];
  const holders = [...first, ...(await findHoldersOf(inode, late, kernel))];
  const cookies = await readCookies(processes, kernel);
  const {sessions} = question;
  const belongingOf = createBelonging(sessions, processes, cookies);
  const peers = holders.map((process): Peer => {
    const ancestors = ancestorsOf(process, processes);
    const belonging = belongingOf([process, ...ancestors]);
    const isProven = belonging.session !== undefined && belonging.isClaimed !== true;
    const found = isProven
      ? {doubts: []}
      : doubtsAbout({...question, process, ancestors, processes, cookies}, kernel);
    return {pid: process.identity.pid, process, ancestors, ...belonging, ...found};
  });
  const peer =
    peers.find(({session, isClaimed}) => session !== undefined && isClaimed !== true) ??
    peers.find(({session}) => session !== undefined) ??
    peers.find(({doubts}) => doubts.length > 0) ??
    peers[0];
  if (peer === undefined)
    return {unknown: 'nobody that can be looked at has the connection open', hasLeft: true};
  // What was found out is about those who wait for the answer; one that has left meanwhile gets none.
  return peer.session !== undefined || (await findHoldersOf(inode, holders, kernel)).length > 0
    ? peer
    : {unknown: 'the other end has already gone', hasLeft: true};
}

/** Processes that have begun since the others were read. */
async function readLatecomers(known: readonly Process[], kernel: Kernel): Promise<Process[]> {
  const pids = new Set(known.map(({identity}) => identity.pid));
  const fresh = (valueOf(lookAt(() => readdirSync(kernel.proc))) ?? [])
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && !pids.has(pid));
  const found = await Promise.all(fresh.map((pid) => readProcess(pid, kernel)));
  return found.flatMap((fact) => ('value' in fact && fact.value !== undefined ? [fact.value] : []));
}

/** Whose a process is, from itself and its ancestors, nearest first. Descent comes before any cookie: that is chosen, a parent is not. */
function createBelonging(
  sessions: readonly PeerSession[],
  processes: readonly Process[],
  cookies: Cookies,
): (line: readonly Process[]) => Belonging {
  const membersBy = (
    known: Cookies,
  ): Map<number, {readonly session: string; readonly found: Link}> =>
    new Map(
      sessions.flatMap((root) =>
        treeOf(root, processes, known).map(
          ({process, found}) => [process.identity.pid, {session: root.cookie, found}] as const,
        ),
      ),
    );
  const [descended, linked] = [membersBy(new Map()), membersBy(cookies)];
  const keptBy = (process: Process): string | undefined =>
    sessions.find(({keeper}) => keeper !== undefined && isSameProcess(keeper, process.identity))
      ?.cookie;
  const provenOf = (process: Process): Belonging | undefined => {
    const member = descended.get(process.identity.pid);
    if (member !== undefined)
      return {
        ...member,
        ...(cookies.get(process.identity.pid) === member.session && {found: 'cookie'}),
      };
    const kept = keptBy(process);
    return kept === undefined ? undefined : {session: kept, found: 'keeper'};
  };

  const claimOf = (process: Process): Belonging | undefined => {
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

  return (line) => inherited(line, provenOf) ?? inherited(line, claimOf) ?? {};
}

import type {Kernel} from '../kernel.ts';
import {isSameProcess, type Process} from '../process/process.ts';
import {readCookies} from '../process/read-cookies.ts';
import {readProcesses} from '../process/read-processes.ts';
import {type Link, treeOf} from '../process/tree-of.ts';
import {ancestorsOf} from './ancestors-of.ts';
import {type Doubt, doubtsAbout} from './doubts-about.ts';
import {findHoldersOf} from './find-holders-of.ts';
import {findOtherEnd} from './find-other-end.ts';
import type {PeerSession} from './peer-session.ts';

export type PeerQuestion = {
  /** Of the accepted socket in this process; `fdOf` tells it. */
  readonly fd: number;
  /** The living sessions. Cookies of others are seen as well. */
  readonly sessions: readonly PeerSession[];
};

export type Peer = {
  /** Who speaks. Of several who have the connection open, one that is a session's. */
  readonly pid: number;
  readonly process: Process;
  /** Nearest first. */
  readonly ancestors: readonly Process[];
  /** The cookie of the session that it provably speaks from, and by what that is known. */
  readonly session?: string;
  readonly found?: Link | 'keeper';
  /** Without a session: what speaks against its being a person's. Where there is none nothing is proven either, but nothing was hidden. */
  readonly doubts: readonly Doubt[];
};

/** Who is at the other end of a connection, asked of the kernel while it waits for our answer. Who does not wait remains unknown. */
export async function findPeer({fd, sessions}: PeerQuestion, kernel: Kernel): Promise<Peer | {readonly unknown: string}> {
  if (kernel.platform !== 'linux') return {unknown: `who is connected can be asked on Linux only, not on ${kernel.platform}`};
  const inode = await findOtherEnd(fd, kernel);
  if (typeof inode !== 'number') return inode;
  const all = await readProcesses(kernel);
  if ('unknown' in all) return all;
  const holders = await findHoldersOf(inode, all.value, kernel);
  const cookies = await readCookies(all.value, kernel);
  const members = new Map(sessions.flatMap((root) => treeOf(root, all.value, cookies).map(({process, found}) => [process.identity.pid, {session: root.cookie, found}] as const)));
  const belongingOf = (process: Process): Pick<Peer, 'session' | 'found'> => {
    const member = members.get(process.identity.pid);
    if (member !== undefined) return member;
    const cookie = cookies.get(process.identity.pid);
    if (cookie !== undefined) return {session: cookie, found: 'cookie'};
    const kept = sessions.find(({keeper}) => keeper !== undefined && isSameProcess(keeper, process.identity));
    return kept === undefined ? {} : {session: kept.cookie, found: 'keeper'};
  };

  const peers = holders.map((process): Peer => {
    const ancestors = ancestorsOf(process, all.value);
    const own = belongingOf(process);
    const inherited = ancestors.map(belongingOf).find(({session}) => session !== undefined);
    const belonging = own.session === undefined && inherited !== undefined ? {...inherited, found: inherited.found === 'keeper' ? inherited.found : ('descendant' as const)} : own;
    const doubts = belonging.session === undefined ? doubtsAbout({process, ancestors, sessions, processes: all.value, cookies}, kernel) : [];
    return {pid: process.identity.pid, process, ancestors, ...belonging, doubts};
  });
  return peers.find(({session}) => session !== undefined) ?? peers.find(({doubts}) => doubts.length > 0) ?? peers[0] ?? {unknown: 'nobody that can be looked at has the connection open'};
}

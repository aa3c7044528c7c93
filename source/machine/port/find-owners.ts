import type {Kernel} from '../kernel.ts';
import type {Process} from '../process/process.ts';
import {findHolders} from './find-holders.ts';
import type {Listener} from './read-listeners.ts';
import type {Survey} from './survey-sessions.ts';

export type Owned = {
  readonly listener: Listener;
  /** Every process that holds the socket, the oldest first. A session's own processes hide others that hold it with them. */
  readonly holders: readonly Process[];
};

export type Owners = {
  readonly owned: readonly Owned[];
  /** Looked at in vain, because their open files are not shown to us. */
  readonly hidden: readonly Process[];
};

/** Who holds the sockets. The sessions' own processes are looked at first, the others only for what is left. */
export async function findOwners(listeners: readonly Listener[], survey: Survey, kernel: Kernel): Promise<Owners> {
  const isOurs = ({identity}: Process): boolean => survey.owners.has(identity.pid);
  const wanted = new Set(listeners.flatMap(({inode}) => inode ?? []));
  const ours = await findHolders(wanted, survey.processes.filter(isOurs), kernel);
  const left = new Set([...wanted].filter((inode) => !ours.of.has(inode)));
  const others = left.size === 0 ? undefined : await findHolders(left, survey.processes.filter((process) => !isOurs(process)), kernel);
  const holdersOf = ({inode, holder}: Listener): readonly Process[] => {
    if (inode === undefined) return survey.processes.filter(({identity}) => identity.pid === holder);
    return ours.of.get(inode) ?? others?.of.get(inode) ?? [];
  };

  const owned = listeners.map((listener) => ({
    listener,
    holders: holdersOf(listener).toSorted((a, b) => a.identity.startTime - b.identity.startTime),
  }));
  return {owned, hidden: [...ours.hidden, ...(others?.hidden ?? [])]};
}

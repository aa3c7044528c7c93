import type {Kernel} from '../kernel.ts';
import type {Process} from '../process/process.ts';
import {findHolders} from './find-holders.ts';
import type {Listener} from './listener.ts';
import type {Survey} from './survey-sessions.ts';

export type Owned = {readonly listener: Listener; readonly holder?: Process | undefined};

export type Owners = {
  readonly owned: readonly Owned[];
  /** Looked at in vain, because their open files are not shown to us. */
  readonly hidden: readonly Process[];
};

/** Who holds the sockets. The sessions' own processes are looked at first, the others only for what is left. */
export async function findOwners(
  listeners: readonly Listener[],
  survey: Survey,
  kernel: Kernel,
): Promise<Owners> {
  const isOurs = ({identity}: Process): boolean => survey.owners.has(identity.pid);
  const wanted = new Set(listeners.flatMap(({inode}) => inode ?? []));
  const ours = await findHolders(wanted, survey.processes.filter(isOurs), kernel);
  const left = new Set([...wanted].filter((inode) => !ours.of.has(inode)));
  const others = await findHolders(
    left,
    survey.processes.filter((process) => !isOurs(process)),
    kernel,
  );
  const owned = listeners.map((listener): Owned => {
    const {inode, holder} = listener;
    if (inode === undefined)
      return {listener, holder: survey.processes.find(({identity}) => identity.pid === holder)};
    return {listener, holder: ours.of.get(inode) ?? others.of.get(inode)};
  });
  return {owned, hidden: [...ours.hidden, ...others.hidden]};
}

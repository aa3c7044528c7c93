import type {SessionId} from '../../domain/index.ts';
import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import type {Process} from '../process/process.ts';
import {findHolders} from './find-holders.ts';
import {readListeners, readUnixListeners} from './read-listeners.ts';
import {type SessionRoot, surveySessions} from './survey-sessions.ts';

export type HeldPort = {
  readonly session: SessionId;
  readonly owner: Process;
  readonly where: {readonly address: string; readonly port: number} | {readonly path: string};
  /** The socket's number, which no other will have; not on macOS. */
  readonly inode?: number;
};

/** Everything at which the sessions' processes listen. Nobody is connected to, so it says nothing of who answers. */
export async function portsOf(
  sessions: readonly SessionRoot[],
  kernel: Kernel,
): Promise<Fact<readonly HeldPort[]>> {
  const [tcp, unix, survey] = await Promise.all([
    readListeners(kernel),
    readUnixListeners(kernel),
    surveySessions(sessions, kernel),
  ]);
  if ('unknown' in tcp) return tcp;
  if ('unknown' in survey) return survey;
  const {owners, processes} = survey.value;
  const members = processes.filter(({identity}) => owners.has(identity.pid));
  const sockets = [
    ...tcp.value.map(({address, port, inode, holder}) => ({where: {address, port}, inode, holder})),
    ...('value' in unix
      ? unix.value.map(({path, inode}) => ({where: {path}, inode, holder: undefined}))
      : []),
  ];
  const holders = await findHolders(
    new Set(sockets.flatMap(({inode}) => inode ?? [])),
    members,
    kernel,
  );
  const value = sockets.flatMap(({where, inode, holder}): HeldPort[] => {
    const owner =
      inode === undefined
        ? members.find(({identity}) => identity.pid === holder)
        : holders.of.get(inode);
    const whose = owner && owners.get(owner.identity.pid);
    return owner === undefined || whose === undefined
      ? []
      : [{session: whose.session, owner, where, ...(inode === undefined ? {} : {inode})}];
  });
  return {...tcp, value};
}

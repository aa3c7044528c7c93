import {readdirSync} from 'node:fs';
import {type KernelFact, type Kernel, mapInSlices, tryRead} from '../kernel.ts';
import {fromAnyThread, readSocketInodes} from '../processes/proc.ts';
import {isDead, type Process} from '../processes/process.ts';
import {type Listener, readListeners, readNet, readUnixListeners} from './listeners.ts';
import {
  inspectSessions,
  type SessionInspection,
  type SessionRoot,
} from '../processes/process-tree.ts';
import {readProcesses} from '../processes/process-table.ts';
import type {SessionId} from '../../domain/index.ts';

export type SocketHolders = {
  /**
   * inode → the first process that holds it. A fork inherits sockets, so the oldest process comes
   * first.
   */
  readonly of: ReadonlyMap<number, Process>;
  /** Processes whose open files we may not read. */
  readonly hidden: readonly Process[];
};

/** Finds the holder of each socket by `/proc/<pid>/fd`. Stops when all sockets are found. */
export async function findSocketHolders(
  inodes: ReadonlySet<number>,
  processes: readonly Process[],
  kernel: Kernel,
): Promise<SocketHolders> {
  const of = new Map<number, Process>();
  const hidden = await mapInSlices(
    processes,
    (process) => {
      if (isDead(process)) return undefined;
      const sockets = readSocketsOf(process, kernel);
      if (sockets === 'hidden') return process;
      for (const inode of sockets) if (inodes.has(inode) && !of.has(inode)) of.set(inode, process);
      return undefined;
    },
    () => of.size === inodes.size,
  );
  return {of, hidden};
}

function readSocketsOf(
  {identity: {pid}, uid}: Process,
  kernel: Kernel,
): readonly number[] | 'hidden' {
  if (kernel.uid !== 0 && kernel.uid !== uid) return 'hidden';
  const sockets = fromAnyThread(pid, kernel, readSocketInodes);
  if (sockets !== undefined) return sockets;
  const files = tryRead(() => readdirSync(`${kernel.proc}/${pid}/fd`));
  return 'missing' in files && files.missing === 'denied' ? 'hidden' : [];
}

export type OwnedListener = {readonly listener: Listener; readonly holder?: Process | undefined};

export type Owners = {
  readonly owned: readonly OwnedListener[];
  /** Processes whose open files we may not read. */
  readonly hidden: readonly Process[];
};

/**
 * Finds the holder of each listener. Processes of sessions are searched first, the others only for
 * the rest.
 */
export async function findOwners(
  listeners: readonly Listener[],
  inspection: SessionInspection,
  kernel: Kernel,
): Promise<Owners> {
  const isOurs = ({identity}: Process): boolean => inspection.owners.has(identity.pid);
  const wanted = new Set(listeners.flatMap(({inode}) => inode ?? []));
  const ours = await findSocketHolders(wanted, inspection.processes.filter(isOurs), kernel);
  const left = new Set([...wanted].filter((inode) => !ours.of.has(inode)));
  const others = await findSocketHolders(
    left,
    inspection.processes.filter((process) => !isOurs(process)),
    kernel,
  );
  const owned = listeners.map((listener): OwnedListener => {
    const {inode, holder} = listener;
    if (inode === undefined)
      return {listener, holder: inspection.processes.find(({identity}) => identity.pid === holder)};
    return {listener, holder: ours.of.get(inode) ?? others.of.get(inode)};
  });
  return {owned, hidden: [...ours.hidden, ...others.hidden]};
}

/** The holder of a name in Linux's abstract socket namespace, which any local user can take. */
export type NameHolder =
  | {readonly at: 'nobody'}
  /** A process of this user. */
  | {readonly at: 'own'; readonly process: Process}
  /** A process of another user. Only root can see which. */
  | {readonly at: 'other'; readonly process?: Process}
  | {readonly at: 'unknown'; readonly why: string};

/**
 * `name` begins with the NUL that makes it abstract. Reads the kernel's tables and opens no
 * connection.
 */
export async function findNameHolder(name: string, kernel: Kernel): Promise<NameHolder> {
  const table = await readNet('unix', kernel);
  if (table === undefined)
    return {at: 'unknown', why: `${kernel.proc}/net/unix cannot be read on ${kernel.platform}`};
  const inodes = parseInodes(table, name);
  if (inodes.size === 0) return {at: 'nobody'};
  const all = await readProcesses(kernel);
  if ('unknown' in all) return {at: 'unknown', why: all.unknown};
  const {of, hidden} = await findSocketHolders(inodes, all.value, kernel);
  const holders = [...of.values()];
  const own = holders.find(({uid}) => uid === kernel.uid);
  if (own !== undefined) return {at: 'own', process: own};
  const hiding = hidden.find(({uid}) => uid === kernel.uid);
  if (holders[0] === undefined && hiding !== undefined)
    return {
      at: 'unknown',
      why: `the open files of process ${hiding.identity.pid}, one of your own, cannot be seen`,
    };
  return {at: 'other', ...(holders[0] === undefined ? {} : {process: holders[0]})};
}

/**
 * Includes sockets that do not listen: they have the name as well. The kernel prints NUL as `@`.
 */
function parseInodes(table: string, name: string): ReadonlySet<number> {
  const shown = name.replaceAll('\0', '@');
  return new Set(
    table.split('\n').flatMap((line) => {
      const {inode, path} =
        /^[\da-f]+: [\dA-F]{8} [\dA-F]{8} [\dA-F]{8} [\dA-F]{4} [\dA-F]{2} +(?<inode>\d+) (?<path>.+)$/.exec(
          line,
        )?.groups ?? {};
      return path === shown && inode !== undefined ? [Number(inode)] : [];
    }),
  );
}

export type HeldPort = {
  readonly session: SessionId;
  readonly owner: Process;
  readonly where: {readonly address: string; readonly port: number} | {readonly path: string};
  /** The socket's inode, which is not reused; absent on macOS. */
  readonly inode?: number;
};

/**
 * All addresses on which processes of the sessions listen. Opens no connection, so it does not tell
 * whether they answer.
 */
export async function readHeldPorts(
  sessions: readonly SessionRoot[],
  kernel: Kernel,
): Promise<KernelFact<readonly HeldPort[]>> {
  const [tcp, unix, inspection] = await Promise.all([
    readListeners(kernel),
    readUnixListeners(kernel),
    inspectSessions(sessions, kernel),
  ]);
  if ('unknown' in tcp) return tcp;
  if ('unknown' in inspection) return inspection;
  const {owners, processes} = inspection.value;
  const members = processes.filter(({identity}) => owners.has(identity.pid));
  const sockets = [
    ...tcp.value.map(({address, port, inode, holder}) => ({where: {address, port}, inode, holder})),
    ...('value' in unix
      ? unix.value.map(({path, inode}) => ({where: {path}, inode, holder: undefined}))
      : []),
  ];
  const holders = await findSocketHolders(
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

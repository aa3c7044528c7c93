import path from 'node:path';
import {readlinkSync} from 'node:fs';
import {isDead, isSameProcessKey, type Process, type ProcessKey} from './process.ts';
import {type Cookies, readCommand, readCookies} from './proc.ts';
import {type KernelFact, getValue, type Kernel, tryRead} from '../kernel.ts';
import type {SessionId} from '../../domain/index.ts';
import {readProcesses} from './process-table.ts';

/** Known facts about a session, to find its processes. */
export type TreeRoot = {
  readonly cookie: string;
  /** The session's first process, which leads the kernel session of its terminal. */
  readonly root?: ProcessKey | undefined;
  /**
   * Members of an earlier answer. They stay members while they run, whatever they did to their
   * environment.
   */
  readonly earlier?: readonly ProcessKey[] | undefined;
  /** Roots and keepers of other sessions. They and their descendants are never members. */
  readonly apart?: readonly ProcessKey[] | undefined;
};

/**
 * `process-session`: in a kernel session of a member, which only descendants of its leader can be
 * in.
 */
export type TreeLink = 'cookie' | 'root' | 'earlier' | 'descendant' | 'process-session';

export type TreeMember = {readonly process: Process; readonly found: TreeLink};

/**
 * The running processes that provably belong to the session, each with the proof, also after setsid
 * or a double fork. Descent counts more than a cookie: a process can choose its environment, but
 * not its parent.
 */
export function findTreeMembers(
  start: TreeRoot,
  processes: readonly Process[],
  cookies: Cookies,
): TreeMember[] {
  const {cookie, root, earlier = [], apart = []} = start;
  const others = new Set(apart.map(({pid}) => pid));
  const isApart = ({identity}: Process): boolean =>
    others.has(identity.pid) && apart.some((other) => isSameProcessKey(other, identity));
  const candidates = processes.filter((process) => !isDead(process) && !isApart(process));
  const members = new Map<number, TreeMember>();
  const add = (process: Process, found: TreeLink): void => {
    if (!members.has(process.identity.pid)) members.set(process.identity.pid, {process, found});
  };

  for (const process of candidates) {
    if (cookies.get(process.identity.pid) === cookie) add(process, 'cookie');
    else if (root !== undefined && isSameProcessKey(process.identity, root)) add(process, 'root');
    else if (earlier.some((identity) => isSameProcessKey(process.identity, identity)))
      add(process, 'earlier');
  }

  const ledByRoot = root !== undefined && isSessionUnused(root, processes) ? root.pid : undefined;
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const process of candidates) {
      // Our own children do not belong to the session, even when we were started in it.
      if (process.parent !== ownPid && isChildOf(process, members.get(process.parent)?.process))
        add(process, 'descendant');
      else if (
        process.session === ledByRoot ||
        members.get(process.session)?.process.session === process.session
      )
        add(process, 'process-session');
    }
  }

  return [...members.values()];
}

const ownPid = process.pid;

/**
 * Within one boot, the kernel reuses a pid only when no process is left in the session of that
 * number.
 */
function isSessionUnused(root: ProcessKey, processes: readonly Process[]): boolean {
  return processes.every(
    ({identity}) =>
      identity.bootId === root.bootId &&
      (identity.pid !== root.pid || isSameProcessKey(identity, root)),
  );
}

/**
 * A child is never older than its parent; a pid that was reused meanwhile could make it look so.
 */
function isChildOf(process: Process, parent: Process | undefined): boolean {
  return parent !== undefined && process.identity.startTime >= parent.identity.startTime;
}

/**
 * A process that may belong to the session: it has the session's terminal open, or works in its
 * directory without a terminal.
 */
export type Suspicion = {readonly process: Process; readonly because: 'terminal' | 'directory'};

type UnprovenQuestion = {
  readonly root?: ProcessKey | undefined;
  readonly members: readonly TreeMember[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  readonly directory?: string | undefined;
};

/**
 * Processes that cleared their environment and cut every link (`env -i setsid`, double fork) cannot
 * be proven to belong to the session, because a person's own program can look the same. They are
 * reported and never signalled.
 */
export function findUnproven(
  {root, members, processes, cookies, directory}: UnprovenQuestion,
  kernel: Kernel,
): Suspicion[] {
  if (kernel.platform !== 'linux' || members.length === 0) return [];
  const known = new Set(members.map(({process}) => process.identity.pid));
  const terminals = new Set(members.flatMap(({process: {terminal}}) => terminal ?? []));
  const begun =
    root?.startTime ?? Math.min(...members.map(({process}) => process.identity.startTime));
  const link = (pid: number, name: string): string =>
    getValue(tryRead(() => readlinkSync(path.join(kernel.proc, String(pid), name)))) ?? '';
  return processes.flatMap((process): Suspicion[] => {
    const {
      identity: {pid, startTime},
    } = process;
    if (
      known.has(pid) ||
      cookies.has(pid) ||
      isDead(process) ||
      process.uid !== kernel.uid ||
      startTime < begun
    )
      return [];
    if (['0', '1', '2'].some((fd) => terminals.has(link(pid, `fd/${fd}`))))
      return [{process, because: 'terminal'}];
    const works =
      directory !== undefined &&
      process.terminal === undefined &&
      `${link(pid, 'cwd')}/`.startsWith(`${directory}/`);
    return works ? [{process, because: 'directory'}] : [];
  });
}

export type SessionRoot = TreeRoot & {readonly id: SessionId};

export type SessionInspection = {
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  /** pid → its session and the proof. */
  readonly owners: ReadonlyMap<number, {readonly session: SessionId; readonly found: TreeLink}>;
};

/** Reads all processes and assigns them to sessions. */
export async function inspectSessions(
  sessions: readonly SessionRoot[],
  kernel: Kernel,
): Promise<KernelFact<SessionInspection>> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) return all;
  const cookies = await readCookies(all.value, kernel);
  const owned = sessions.flatMap(({id, ...root}) =>
    findTreeMembers(root, all.value, cookies).map(
      ({process, found}) => [process.identity.pid, {session: id, found}] as const,
    ),
  );
  return {...all, value: {processes: all.value, cookies, owners: new Map(owned)}};
}

export type DescribedMember = Process & {
  readonly found: TreeLink;
  /** The command line, safe to print. */
  readonly command: string;
};

export type ProcessTree = {
  readonly members: readonly DescribedMember[];
  readonly unproven: readonly Suspicion[];
};

export type TreeQuestion = TreeRoot & {
  /** The session's directory, to report unproven processes that work in it. */
  readonly directory?: string | undefined;
};

/** All running processes of a session. */
export async function readProcessTree(
  question: TreeQuestion,
  kernel: Kernel,
): Promise<KernelFact<ProcessTree>> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) return all;
  const cookies = await readCookies(all.value, kernel);
  const linked = findTreeMembers(question, all.value, cookies);
  const members = linked.map(({process, found}) => ({
    ...process,
    found,
    command: readCommand(process, kernel),
  }));
  const unproven = findUnproven(
    {...question, members: linked, processes: all.value, cookies},
    kernel,
  );
  return {...all, value: {members, unproven}};
}

export type WorkQuestion = {
  readonly members: readonly Pick<
    DescribedMember,
    'identity' | 'parent' | 'cpuMs' | 'reapedMs' | 'command'
  >[];
  /** The session's first process. */
  readonly root: number;
  /** Whether a command only wraps the agent: a sandbox, or our own program. */
  readonly isWrapper: (command: string) => boolean;
  /** Whether a command is the agent's program, which a script of the same name may have started. */
  readonly isAgent: (command: string) => boolean;
};

/**
 * Processor time in milliseconds of the processes that an agent started, such as builds and tests,
 * including ended ones. The agent's own process does not count: it draws, waits and retries its
 * service.
 */
export function computeWorkMs({members, root, isWrapper, isAgent}: WorkQuestion): number {
  const own = new Set<number>([root]);
  for (let known = 0; known !== own.size;) {
    known = own.size;
    for (const {identity, parent, command} of members) {
      const above = members.find((other) => other.identity.pid === parent);
      if (above !== undefined && own.has(parent) && (isWrapper(above.command) || isAgent(command)))
        own.add(identity.pid);
    }
  }

  return members.reduce((sum, {identity: {pid}, cpuMs, reapedMs = 0, command}) => {
    if (!own.has(pid)) return sum + cpuMs + reapedMs;
    // A wrapper's reaped children are the agent itself.
    return isWrapper(command) ? sum : sum + reapedMs;
  }, 0);
}

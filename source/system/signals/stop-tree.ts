import {readFileSync} from 'node:fs';
import {type KernelFact, getValue, type Kernel, tryRead} from '../kernel.ts';
import {type HeldPort, readHeldPorts} from '../ports/socket-holders.ts';
import {
  findTreeMembers,
  findUnproven,
  type SessionRoot,
  type Suspicion,
  type TreeMember,
} from '../processes/process-tree.ts';
import {isDead, isSameProcessKey, type Process} from '../processes/process.ts';
import {type Cookies, readCookies} from '../processes/proc.ts';
import {readProcesses} from '../processes/process-table.ts';
import {
  ownProcessControl,
  type ProcessControl,
  type SentSignal,
  signalGroups,
  signalOne,
} from './signal-process.ts';
import {readListeners, readUnixListeners} from '../ports/listeners.ts';

const [hangup, terminate, stop] = [1, 15, 20];

/**
 * Whether a process is an interactive shell: it ignores SIGTERM and SIGTSTP, and exits on SIGHUP. A
 * process that ignores SIGTERM for another reason, or SIGHUP as well, gets its full time.
 */
export function endsByHangup(pid: number, kernel: Kernel): boolean {
  const status = getValue(tryRead(() => readFileSync(`${kernel.proc}/${pid}/status`, 'utf8')));
  const mask = /^SigIgn:\s*(?<mask>[\da-f]+)$/m.exec(status ?? '')?.groups?.['mask'];
  if (mask === undefined) return false;
  // Signal n is bit n - 1; all three are among the lowest 32.
  const ignored = Number.parseInt(mask.slice(-8), 16);
  const ignores = (signal: number): boolean => ((ignored >>> (signal - 1)) & 1) === 1;
  return ignores(terminate) && ignores(stop) && !ignores(hangup);
}

/** One step of a stop: its targets, the signal, and the time to exit. */
export type StopStep = {
  /** `terminal`: processes in the terminal's kernel session, in all its process groups. */
  readonly reach: 'terminal' | 'all';
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly forMs: number;
};

export const stopSteps: readonly StopStep[] = [
  {reach: 'terminal', signal: 'SIGTERM', forMs: 5000},
  {reach: 'terminal', signal: 'SIGKILL', forMs: 1000},
  {reach: 'all', signal: 'SIGTERM', forMs: 2000},
  {reach: 'all', signal: 'SIGKILL', forMs: 2000},
];

export type Stopped = {
  readonly signals: readonly SentSignal[];
  readonly survivors: readonly TreeMember[];
  /** Processes that may belong to the session; they were not signalled. */
  readonly unproven: readonly Suspicion[];
  /** Addresses on which the session listened when the stop began. */
  readonly ports: readonly FreedPort[];
};

export type StopOptions = {
  /** The session's directory, to report unproven processes that work in it. */
  readonly directory?: string;
  readonly steps?: readonly StopStep[];
  readonly control?: ProcessControl;
};

type TreeSnapshot = {
  readonly members: readonly TreeMember[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
};

const pollMs = 25;

/**
 * SIGHUP is repeated: a shell that gets it right before its blocking read sleeps until the next
 * one.
 */
const hangUpAgainMs = 500;

/**
 * Ends all processes that provably belong to the session, with SIGTERM first, and never this
 * process. Members stay known during the stop, so that a process that loses its parent meanwhile is
 * still found.
 */
export async function stopTree(
  session: SessionRoot,
  kernel: Kernel,
  {directory, steps = stopSteps, control = ownProcessControl}: StopOptions = {},
): Promise<KernelFact<Stopped>> {
  const held = await readHeldPorts([session], kernel);
  if ('unknown' in held) return held;
  const signals: SentSignal[] = [];
  const known = new Map((session.earlier ?? []).map((identity) => [identity.pid, identity]));
  const look = async (): Promise<TreeSnapshot | undefined> => {
    const all = await readProcesses(kernel);
    if ('unknown' in all) return undefined;
    const cookies = await readCookies(all.value, kernel);
    const members = findTreeMembers({...session, earlier: [...known.values()]}, all.value, cookies);
    for (const {
      process: {identity},
    } of members)
      known.set(identity.pid, identity);
    return {members, processes: all.value, cookies};
  };

  const first = await look();
  const suspects =
    first === undefined ? [] : findUnproven({...session, ...first, directory}, kernel);
  for (const {reach, signal, forMs} of steps) {
    const begun = control.now();
    let hungUpAt = begun;
    for (;;) {
      const snapshot = await look();
      const targets =
        snapshot?.members.filter(
          ({process: {identity, session: led}}) =>
            identity.pid !== process.pid && (reach === 'all' || led === session.root?.pid),
        ) ?? [];
      const isNew = ({process}: TreeMember): boolean =>
        !signals.some(
          (sent) => sent.signal === signal && isSameProcessKey(sent.identity, process.identity),
        );
      const fresh = targets.filter(isNew);
      signals.push(
        ...(await signalGroups(fresh, signal, snapshot?.processes ?? [], kernel, control)),
      );
      if (signal === 'SIGTERM')
        for (const shell of fresh.filter(({process: {identity}}) =>
          endsByHangup(identity.pid, kernel),
        ))
          signals.push(await signalOne(shell, 'SIGHUP', kernel, control));
      if (signal === 'SIGTERM' && control.now() - hungUpAt >= hangUpAgainMs) {
        hungUpAt = control.now();
        for (const shell of targets.filter(({process: {identity}}) =>
          endsByHangup(identity.pid, kernel),
        ))
          await signalOne(shell, 'SIGHUP', kernel, control);
      }

      if (targets.length === 0 || control.now() - begun >= forMs) break;
      await control.wait(pollMs);
    }
  }

  const last = await look();
  if (last === undefined) return {...held, unknown: 'the processes could not be read any more'};
  const unproven = suspects.filter((suspect) =>
    last.processes.some(
      (one) => isSameProcessKey(one.identity, suspect.process.identity) && !isDead(one),
    ),
  );
  return {
    source: kernel.proc,
    at: kernel.now(),
    value: {
      signals,
      survivors: last.members,
      unproven,
      ports: await readFreedPorts(held.value, kernel),
    },
  };
}

/** `unknown`: the socket tables could not be read. */
export type FreedPort = {
  readonly where: HeldPort['where'];
  readonly isFree: boolean | 'unknown';
};

/** Which sockets are closed. A new socket of another process on the same port does not count. */
export async function readFreedPorts(
  held: readonly HeldPort[],
  kernel: Kernel,
): Promise<FreedPort[]> {
  const [tcp, unix] = await Promise.all([readListeners(kernel), readUnixListeners(kernel)]);
  return held.map(({where, inode}) => {
    const table = 'port' in where ? tcp : unix;
    if ('unknown' in table) return {where, isFree: 'unknown'};
    const isThere = table.value.some((socket) =>
      inode === undefined
        ? 'port' in where &&
          'port' in socket &&
          socket.port === where.port &&
          socket.address === where.address
        : socket.inode === inode,
    );
    return {where, isFree: !isThere};
  });
}

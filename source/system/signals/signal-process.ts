import {getErrorCode, type Kernel} from '../kernel.ts';
import {
  isDead,
  isSameProcessKey,
  isStopped,
  type Process,
  type ProcessKey,
} from '../processes/process.ts';
import {readProcess} from '../processes/process-table.ts';
import type {TreeLink, TreeMember} from '../processes/process-tree.ts';

/** Side effects of a stop, and a monotonic clock; tests replace them. */
export type ProcessControl = {
  /** A negative pid is a process group. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
};

export const ownProcessControl: ProcessControl = {
  kill: (pid, signal) => {
    process.kill(pid, signal);
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => performance.now(),
};

export type SignalOutcome =
  | {readonly at: 'signalled'}
  | {
      readonly at: 'refused';
      readonly why: 'gone' | 'another-process' | 'unreadable' | 'ourselves' | 'not-permitted';
    };

/** `group`: the whole process group, if the process is still in it. */
export type SignalTarget = {
  readonly identity: ProcessKey;
  readonly group?: number | undefined;
};

/**
 * Reads the process again right before the signal, and refuses when the pid belongs to another
 * process. The remaining race is the kernel's scheduling; only a pidfd, which Node does not have,
 * would close it.
 */
export async function signalProcess(
  {identity, group}: SignalTarget,
  signal: NodeJS.Signals,
  kernel: Kernel,
  control = ownProcessControl,
): Promise<SignalOutcome> {
  if (identity.pid === process.pid) return {at: 'refused', why: 'ourselves'};
  const now = await readProcess(identity.pid, kernel);
  if ('unknown' in now) return {at: 'refused', why: 'unreadable'};
  if (now.value === undefined || isDead(now.value)) return {at: 'refused', why: 'gone'};
  if (!isSameProcessKey(now.value.identity, identity))
    return {at: 'refused', why: 'another-process'};
  if (group !== undefined && now.value.group !== group) return {at: 'refused', why: 'gone'};
  try {
    control.kill(group === undefined ? identity.pid : -group, signal);
    return {at: 'signalled'};
  } catch (error) {
    return {at: 'refused', why: getErrorCode(error) === 'EPERM' ? 'not-permitted' : 'gone'};
  }
}

export type SentSignal = {
  readonly identity: ProcessKey;
  readonly name: string;
  /** The proof that it belonged to the session. */
  readonly found: TreeLink;
  readonly signal: NodeJS.Signals;
  readonly outcome: SignalOutcome;
};

/**
 * Sends each target a signal. A process group with targets only gets it at once, so that no fork
 * escapes; in other groups the targets get it one by one. Stopped processes get SIGCONT, because
 * they could not end otherwise.
 */
export async function signalGroups(
  targets: readonly TreeMember[],
  signal: NodeJS.Signals,
  processes: readonly Process[],
  kernel: Kernel,
  control: ProcessControl,
): Promise<SentSignal[]> {
  const sent: SentSignal[] = [];
  for (const group of new Set(targets.map(({process}) => process.group))) {
    const members = targets.filter(({process}) => process.group === group);
    const isTarget = ({identity}: Process): boolean =>
      members.some(({process}) => isSameProcessKey(process.identity, identity));
    const isWhole = processes.every(
      (process) => process.group !== group || isDead(process) || isTarget(process),
    );
    const [first] = members;
    const together =
      isWhole && first !== undefined
        ? await signalProcess({identity: first.process.identity, group}, signal, kernel, control)
        : undefined;
    for (const member of members) {
      const {
        process: {identity, state},
      } = member;
      sent.push(
        together?.at === 'signalled'
          ? sentTo(member, signal, together)
          : await signalOne(member, signal, kernel, control),
      );
      if (isStopped({state})) await signalProcess({identity}, 'SIGCONT', kernel, control);
    }
  }

  return sent;
}

export async function signalOne(
  member: TreeMember,
  signal: NodeJS.Signals,
  kernel: Kernel,
  control: ProcessControl,
): Promise<SentSignal> {
  return sentTo(
    member,
    signal,
    await signalProcess({identity: member.process.identity}, signal, kernel, control),
  );
}

function sentTo(
  {process: {identity, name}, found}: TreeMember,
  signal: NodeJS.Signals,
  outcome: SignalOutcome,
): SentSignal {
  return {identity, name, found, signal, outcome};
}

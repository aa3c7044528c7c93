import {codeOf} from '../code-of.ts';
import type {Kernel} from '../kernel.ts';
import {isDead, isSameProcess, type ProcessIdentity} from '../process/process.ts';
import {readProcess} from '../process/read-processes.ts';

/** What acts on the world, and the monotonic clock by which it is waited for. A test has hands of its own. */
export type Hands = {
  /** A negative pid is a process group. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
};

export const ownHands: Hands = {
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
  readonly identity: ProcessIdentity;
  readonly group?: number | undefined;
};

/**
 * Reads once more who has the number, directly before the signal, and refuses if it is not the one that was meant.
 * Nothing can come in between but the kernel's own scheduling; only a pidfd, which Node does not have, would close that.
 */
export async function signalProcess(
  {identity, group}: SignalTarget,
  signal: NodeJS.Signals,
  kernel: Kernel,
  hands = ownHands,
): Promise<SignalOutcome> {
  if (identity.pid === process.pid) return {at: 'refused', why: 'ourselves'};
  const now = await readProcess(identity.pid, kernel);
  if ('unknown' in now) return {at: 'refused', why: 'unreadable'};
  if (now.value === undefined || isDead(now.value)) return {at: 'refused', why: 'gone'};
  if (!isSameProcess(now.value.identity, identity)) return {at: 'refused', why: 'another-process'};
  if (group !== undefined && now.value.group !== group) return {at: 'refused', why: 'gone'};
  try {
    hands.kill(group === undefined ? identity.pid : -group, signal);
    return {at: 'signalled'};
  } catch (error) {
    return {at: 'refused', why: codeOf(error) === 'EPERM' ? 'not-permitted' : 'gone'};
  }
}

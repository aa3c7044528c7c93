import type {Kernel} from '../kernel.ts';
import {isDead, isSameProcess, isStopped, type Process, type ProcessIdentity} from '../process/process.ts';
import type {Link, Linked} from '../process/tree-of.ts';
import {type Hands, type SignalOutcome, signalProcess} from './signal-process.ts';

export type SentSignal = {
  readonly identity: ProcessIdentity;
  readonly name: string;
  /** By what it was known to be the session's. */
  readonly found: Link;
  readonly signal: NodeJS.Signals;
  readonly outcome: SignalOutcome;
};

/**
 * Sends each a signal. A process group of which everybody is a target gets it at once, so that no fork escapes in
 * between; in any other group they get it one by one. Who is stopped is woken, because it could not end otherwise.
 */
export async function signalGroups(targets: readonly Linked[], signal: NodeJS.Signals, processes: readonly Process[], kernel: Kernel, hands: Hands): Promise<SentSignal[]> {
  const sent: SentSignal[] = [];
  for (const group of new Set(targets.map(({process}) => process.group))) {
    const members = targets.filter(({process}) => process.group === group);
    const isTarget = ({identity}: Process): boolean => members.some(({process}) => isSameProcess(process.identity, identity));
    const isWhole = processes.every((process) => process.group !== group || isDead(process) || isTarget(process));
    const [first] = members;
    const together = isWhole && first !== undefined ? await signalProcess({identity: first.process.identity, group}, signal, kernel, hands) : undefined;
    for (const {process: {identity, name, state}, found} of members) {
      const outcome = together?.at === 'signalled' ? together : await signalProcess({identity}, signal, kernel, hands);
      if (isStopped({state})) await signalProcess({identity}, 'SIGCONT', kernel, hands);
      sent.push({identity, name, found, signal, outcome});
    }
  }

  return sent;
}

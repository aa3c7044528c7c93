import type {Kernel} from '../kernel.ts';
import {
  isDead,
  isSameProcess,
  isStopped,
  type Process,
  type ProcessIdentity,
} from '../process/process.ts';
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
export async function signalGroups(
  targets: readonly Linked[],
  signal: NodeJS.Signals,
  processes: readonly Process[],
  kernel: Kernel,
  hands: Hands,
): Promise<SentSignal[]> {
  const sent: SentSignal[] = [];
  for (const group of new Set(targets.map(({process}) => process.group))) {
    const members = targets.filter(({process}) => process.group === group);
    const isTarget = ({identity}: Process): boolean =>
      members.some(({process}) => isSameProcess(process.identity, identity));
    const isWhole = processes.every(
      (process) => process.group !== group || isDead(process) || isTarget(process),
    );
    const [first] = members;
    const together =
      isWhole && first !== undefined
        ? await signalProcess({identity: first.process.identity, group}, signal, kernel, hands)
        : undefined;
    for (const member of members) {
      const {
        process: {identity, state},
      } = member;
      sent.push(
        together?.at === 'signalled'
          ? sentTo(member, signal, together)
          : await signalOne(member, signal, kernel, hands),
      );
      if (isStopped({state})) await signalProcess({identity}, 'SIGCONT', kernel, hands);
    }
  }

  return sent;
}

export async function signalOne(
  member: Linked,
  signal: NodeJS.Signals,
  kernel: Kernel,
  hands: Hands,
): Promise<SentSignal> {
  return sentTo(
    member,
    signal,
    await signalProcess({identity: member.process.identity}, signal, kernel, hands),
  );
}

function sentTo(
  {process: {identity, name}, found}: Linked,
  signal: NodeJS.Signals,
  outcome: SignalOutcome,
): SentSignal {
  return {identity, name, found, signal, outcome};
}

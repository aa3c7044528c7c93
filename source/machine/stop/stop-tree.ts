import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import {portsOf} from '../port/ports-of.ts';
import type {SessionRoot} from '../port/survey-sessions.ts';
import {findUnproven, type Suspicion} from '../process/find-unproven.ts';
import {isDead, isSameProcess, type Process} from '../process/process.ts';
import {type Cookies, readCookies} from '../process/read-cookies.ts';
import {readProcesses} from '../process/read-processes.ts';
import {type Linked, treeOf} from '../process/tree-of.ts';
import {endsByHangup} from './ends-by-hangup.ts';
import {type FreedPort, readFreed} from './read-freed.ts';
import {type SentSignal, signalGroups, signalOne} from './signal-groups.ts';
import {type Hands, ownHands} from './signal-process.ts';

/** One step of the way: whom it reaches, with what, and how long they get. */
export type Rung = {
  /** `terminal`: what is still in the kernel's session of the terminal, with all its process groups. */
  readonly reach: 'terminal' | 'all';
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly forMs: number;
};

export const ladder: readonly Rung[] = [
  {reach: 'terminal', signal: 'SIGTERM', forMs: 5000},
  {reach: 'terminal', signal: 'SIGKILL', forMs: 1000},
  {reach: 'all', signal: 'SIGTERM', forMs: 2000},
  {reach: 'all', signal: 'SIGKILL', forMs: 2000},
];

export type Stopped = {
  readonly signals: readonly SentSignal[];
  readonly survivors: readonly Linked[];
  /** May be the session's, and were left alone. */
  readonly unproven: readonly Suspicion[];
  /** Where the session listened when the stop began. */
  readonly ports: readonly FreedPort[];
};

export type StopOptions = {
  /** The session's directory: who works in it and cannot be proven a member is named. */
  readonly directory?: string;
  readonly rungs?: readonly Rung[];
  readonly hands?: Hands;
};

type Sight = {
  readonly members: readonly Linked[];
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
};

const pollMs = 25;

/** A shell that hears of the hangup between its last look for one and its read sleeps in that read; the next one wakes it. */
const hangUpAgainMs = 500;

/**
 * Ends everything that is provably the session's, gently first, and nothing else; never ourselves. Whoever was seen to belong to it
 * stays known, so that a process which loses its parent on the way is not lost from sight.
 */
export async function stopTree(
  session: SessionRoot,
  kernel: Kernel,
  {directory, rungs = ladder, hands = ownHands}: StopOptions = {},
): Promise<Fact<Stopped>> {
  const held = await portsOf([session], kernel);
  if ('unknown' in held) return held;
  const signals: SentSignal[] = [];
  const known = new Map((session.earlier ?? []).map((identity) => [identity.pid, identity]));
  const look = async (): Promise<Sight | undefined> => {
    const all = await readProcesses(kernel);
    if ('unknown' in all) return undefined;
    const cookies = await readCookies(all.value, kernel);
    const members = treeOf({...session, earlier: [...known.values()]}, all.value, cookies);
    for (const {
      process: {identity},
    } of members)
      known.set(identity.pid, identity);
    return {members, processes: all.value, cookies};
  };

  const first = await look();
  const suspects =
    first === undefined ? [] : findUnproven({...session, ...first, directory}, kernel);
  for (const {reach, signal, forMs} of rungs) {
    const begun = hands.now();
    let hungUpAt = begun;
    for (;;) {
      const sight = await look();
      const targets =
        sight?.members.filter(
          ({process: {identity, session: led}}) =>
            identity.pid !== process.pid && (reach === 'all' || led === session.root?.pid),
        ) ?? [];
      const isNew = ({process}: Linked): boolean =>
        !signals.some(
          (sent) => sent.signal === signal && isSameProcess(sent.identity, process.identity),
        );
      const fresh = targets.filter(isNew);
      signals.push(...(await signalGroups(fresh, signal, sight?.processes ?? [], kernel, hands)));
      if (signal === 'SIGTERM')
        for (const shell of fresh.filter(({process: {identity}}) =>
          endsByHangup(identity.pid, kernel),
        ))
          signals.push(await signalOne(shell, 'SIGHUP', kernel, hands));
      if (signal === 'SIGTERM' && hands.now() - hungUpAt >= hangUpAgainMs) {
        hungUpAt = hands.now();
        for (const shell of targets.filter(({process: {identity}}) =>
          endsByHangup(identity.pid, kernel),
        ))
          await signalOne(shell, 'SIGHUP', kernel, hands);
      }

      if (targets.length === 0 || hands.now() - begun >= forMs) break;
      await hands.wait(pollMs);
    }
  }

  const last = await look();
  if (last === undefined) return {...held, unknown: 'the processes could not be read any more'};
  const unproven = suspects.filter((suspect) =>
    last.processes.some(
      (one) => isSameProcess(one.identity, suspect.process.identity) && !isDead(one),
    ),
  );
  return {
    source: kernel.proc,
    at: kernel.now(),
    value: {signals, survivors: last.members, unproven, ports: await readFreed(held.value, kernel)},
  };
}

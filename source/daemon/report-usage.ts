import {liveSessionsOf} from '../domain/index.ts';
import {readAgain, surveySessions, usageBetween, type Kernel} from '../machine/index.ts';
import type {UsageReport} from '../protocol/index.ts';
import {pauseFor} from './pause-for.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

/** The kernel counts processor time in ticks of 10 ms: over this long a tick is one part in fifty. */
const betweenLooksMs = 500;

/**
 * What the sessions use of the machine: the process table is looked through once for all of them, and a moment later their own
 * processes alone. Whoever has ended, or was never there, uses nothing and is left out.
 */
export async function reportUsage(
  workshop: Workshop,
  sessions: unknown,
  kernel: Kernel,
): Promise<UsageReport> {
  if (!Array.isArray(sessions))
    throw new Error(`expected a list of sessions such as ["s7"], got ${JSON.stringify(sessions)}`);
  const wanted = new Set<unknown>(sessions);
  const roots = rootsOf(
    workshop,
    liveSessionsOf(workshop.state()).filter(({id}) => wanted.has(id)),
  );
  if (roots.length === 0) return {at: workshop.now(), usage: {}};
  const survey = await surveySessions(roots, kernel);
  if ('unknown' in survey) return {at: workshop.now(), usage: {}, unknown: survey.unknown};
  const {processes, owners} = survey.value;
  const earlier = {
    at: survey.at,
    processes: processes.filter(({identity}) => owners.has(identity.pid)),
  };
  await pauseFor(betweenLooksMs, new AbortController().signal);
  const later = await readAgain(earlier.processes, kernel);
  const usage = roots.map(({id}) => {
    const own = later.processes.filter(({identity}) => owners.get(identity.pid)?.session === id);
    return [
      id,
      {...usageBetween(earlier, {at: later.at, processes: own}), processes: own.length},
    ] as const;
  });
  return {
    at: workshop.now(),
    usage: Object.fromEntries(usage.filter(([, {processes: count}]) => count > 0)),
  };
}

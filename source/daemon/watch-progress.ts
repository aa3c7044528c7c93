import {minuteOf} from '../base/index.ts';
import {limitsOf} from '../documents/index.ts';
import {liveSessionsOf, openQuestionOf, runIdIn, runOf, worktreeOf, worktreeOwnerOf, type Session, type SessionId} from '../domain/index.ts';
import {readEnd} from '../keeper/index.ts';
import {newestChange, processesOf} from '../machine/index.ts';
import type {Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';
import {rootsOf} from './session-report.ts';
import type {Workshop} from './workshop.ts';

const lookEveryMs = 20_000;

/** An agent that prints nothing, computes nothing and changes nothing for too long is stopped: it would cost money for ever. */
export async function watchProgress(workshop: Workshop, conductor: Conductor, signal: AbortSignal, everyMs = lookEveryMs): Promise<void> {
  const seen = new Map<SessionId, {readonly sign: string; readonly since: number}>();
  while (!signal.aborted) {
    const limit = limitsOf(workshop.state().project).noProgressMinutes * minuteOf(workshop.env);
    const agents = liveSessionsOf(workshop.state()).filter(({purpose, life}) => life.at === 'running' && (purpose.for === 'attempt' || purpose.for === 'plan'));
    for (const id of seen.keys()) if (!agents.some((session) => session.id === id)) seen.delete(id);
    for (const session of agents) {
      const sign = await signOf(workshop, session);
      const now = workshop.now();
      const before = seen.get(session.id);
      // Whoever waits for a person is a need, not a stall.
      if (before?.sign !== sign || session.waiting !== undefined || openQuestionOf(session) !== undefined) {
        seen.set(session.id, {sign, since: now});
        continue;
      }

      if (now - before.since < limit) continue;
      await conductor.submit({type: 'report', at: now, saw: {type: 'no-progress', session: session.id, silentFor: now - before.since, limit}}).catch(() => undefined);
    }

    await pauseFor(Math.min(everyMs, Math.max(1000, limit / 4)), signal);
  }
}

async function signOf(workshop: Workshop, session: Session): Promise<string> {
  const {end} = readEnd(workshop.store.directoryOf(session.id));
  const [root] = rootsOf(workshop, [session]);
  const tree = root === undefined ? undefined : await processesOf(root, workshop.kernel);
  const worked = tree !== undefined && 'value' in tree ? tree.value.members.map(({identity, cpuMs}) => `${identity.pid}:${Math.round(cpuMs / 1000)}`) : [];
  const owner = worktreeOwnerOf(session);
  const run = owner === undefined ? undefined : runOf(workshop.state(), runIdIn(owner));
  const place = owner === undefined || run === undefined ? undefined : worktreeOf(run, owner)?.path;
  const changed = place === undefined ? undefined : newestChange(place);
  return JSON.stringify([end, worked, changed ?? null]);
}

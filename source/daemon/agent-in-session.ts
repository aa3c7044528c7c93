import path from 'node:path';
import {driverOf, drivers, genericDriver, type Driver} from '../agents/index.ts';
import {runIdOfSession, runOf, type Session} from '../domain/index.ts';
import type {Workshop} from './workshop.ts';

/**
 * The agent whose own screen a session shows: one that was taken over, one that is typed to, or one that a person started. One
 * that works headless has no screen of its own: what it prints is its stream.
 */
export function agentInSession(
  {state}: Pick<Workshop, 'state'>,
  session: Session,
): Driver | undefined {
  const declared = state().project.agents ?? [];
  const {purpose} = session;
  if (purpose.for === 'person') {
    const program = path.basename(purpose.command[0] ?? '');
    return [...declared.map((spec) => genericDriver(spec)), ...drivers].find(
      (driver) => !driver.isBuiltIn && path.basename(driver.program) === program,
    );
  }

  if (purpose.for !== 'takeover' && purpose.for !== 'attempt' && purpose.for !== 'plan')
    return undefined;
  const id = runIdOfSession(session);
  const run = id === undefined ? undefined : runOf(state(), id);
  if (run === undefined) return undefined;
  const found = driverOf(
    purpose.for === 'plan' ? run.request.planner : run.request.worker,
    declared,
  );
  if ('refused' in found || found.driver.isBuiltIn) return undefined;
  return purpose.for === 'takeover' || found.driver.stream === undefined ? found.driver : undefined;
}

import {runIdIn, runOf, type Service, type Session} from '../../domain/index.ts';
import type {Variables} from '../run-environments.ts';
import type {Workshop} from '../workshop.ts';
import {inRun} from './run-environment.ts';
import type {Launch} from './task-launch.ts';

/** What a person runs themselves: as they said it, where they said it. Nothing for what works for a run. */
export function ownLaunch(workshop: Workshop, {id, purpose}: Session): Launch | undefined {
  const {state, root, surroundingsOf} = workshop;
  if (purpose.for === 'person')
    return {argv: purpose.command, cwd: purpose.directory, env: surroundingsOf(id).env};
  if (purpose.for !== 'service') return undefined;
  const service = state().services.find(({spec}) => spec.name === purpose.service);
  if (service === undefined) throw new Error(`there is no service ${purpose.service}`);
  // What runs in the worktree of a task may be what an agent wrote: it is confined like a check.
  if (service.spec.owner !== undefined) return undefined;
  return {
    argv: ['/bin/sh', '-c', service.spec.command],
    cwd: root,
    env: serviceEnvironment(workshop, service),
  };
}

/** What was kept of whoever asked for it; else of the run whose task wants it first, or what the daemon has: from then on that is kept. */
function serviceEnvironment(workshop: Workshop, {spec: {name}, wantedBy}: Service): Variables {
  const kept = workshop.serviceEnvironments.valuesOf(name);
  if (kept !== undefined) return kept;
  const run =
    wantedBy === undefined || wantedBy === 'person'
      ? undefined
      : runOf(workshop.state(), runIdIn(wantedBy));
  const {env} = run === undefined ? workshop : inRun(workshop, run);
  workshop.serviceEnvironments.keep(name, env);
  return env;
}

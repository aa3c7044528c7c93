import {realpathSync} from 'node:fs';
import path from 'node:path';
import {neededVariables} from '../../agents/index.ts';
import {countingVariables, isCounted, type EnvironmentWishes} from '../../documents/index.ts';
import {runOf, type Project, type Run, type RunId, type RunRequest} from '../../domain/index.ts';
import type {Variables} from '../run-environments.ts';
import type {Workshop} from '../workshop.ts';

/** The names that count for a run: what the project file allows, what its two agents need, what the servers of tools may see. */
export function countedFor(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
): EnvironmentWishes {
  return {allow: project.environment ?? [], needs: neededVariables(project, request)};
}

/** What of a shell's environment is kept for a run. */
export function capturedFor(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
  env: Variables,
): Variables {
  return withoutShellPlaces(countingVariables(env, countedFor(project, request)));
}

/**
 * The same daemon, with the environment of this run: everything that is started for a run is started through it. What counts comes
 * from what was kept alone, also where the daemon has another value or one that the run lacks; what no session ever gets
 * (settings of the daemon's own, sockets to be hidden) stays the daemon's.
 */
export function inRun(workshop: Workshop, run: Run): Workshop {
  const kept = workshop.environments.valuesOf(run);
  if (kept === undefined) return workshop;
  const counts = isCounted(countedFor(workshop.state().project, run.request));
  const own = Object.fromEntries(Object.entries(workshop.env).filter(([name]) => !counts(name)));
  return {...workshop, env: {...own, ...kept}};
}

/**
 * For hooks, which a person wrote for their own shell: all that the daemon has, and what counts as the run has it. A hook cannot be in
 * trouble for a file that is gone: it then gets the daemon's alone.
 */
export function hookEnvironment(
  {env, environments, state}: Pick<Workshop, 'env' | 'environments' | 'state'>,
  id: RunId | undefined,
): Variables {
  const run = id === undefined ? undefined : runOf(state(), id);
  try {
    return run === undefined ? env : {...env, ...environments.valuesOf(run)};
  } catch {
    return env;
  }
}

/** `fnm` gives every shell a link of its own, which goes with the shell: what it leads to stays. */
function withoutShellPlaces(variables: Variables): Variables {
  const link = variables['FNM_MULTISHELL_PATH'];
  const search = variables['PATH'];
  if (link === undefined || link === '' || search === undefined) return variables;
  const real = realPlaceOf(link);
  if (real === undefined) return variables;
  const moved = search
    .split(':')
    .map((entry) =>
      entry === link || entry.startsWith(`${link}/`)
        ? path.join(real, path.relative(link, entry))
        : entry,
    );
  return {...variables, PATH: moved.join(':')};
}

function realPlaceOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

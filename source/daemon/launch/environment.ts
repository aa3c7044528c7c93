import path from 'node:path';
import {realpathSync} from 'node:fs';
import {groupAgents, neededVariables} from '../../agents/index.ts';
import {
  type EnvironmentOptions,
  selectAllowedVariables,
  variableFilter,
} from '../../secrets/index.ts';
import {
  type Project,
  type Run,
  type RunId,
  type RunRequest,
  selectRun,
} from '../../domain/index.ts';
import type {Variables} from '../sessions/environments.ts';
import type {RunVariables, StateReader} from '../daemon-context.ts';

/**
 * The variable names that a run gets: allowed by the project file, or needed by its agents or tool
 * servers.
 */
export function selectEnvironmentOptions(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
): EnvironmentOptions {
  const {worker, planner} = request;
  // Any agent may work on a task; each gets only what it needs itself.
  const {installed} = groupAgents(project.agents ?? [], () => true);
  return {
    allow: project.environment ?? [],
    needs: neededVariables(project, [worker, planner, ...installed]),
  };
}

/** The variables of a shell that are saved for a run. */
export function captureEnvironment(
  project: Project,
  request: Pick<RunRequest, 'worker' | 'planner'>,
  env: Variables,
): Variables {
  return withoutShellPlaces(
    selectAllowedVariables(env, selectEnvironmentOptions(project, request)),
  );
}

/**
 * The context with the environment of a run, for everything that is started for it. Variables that
 * a run gets come only from its saved environment, even if the daemon has another value; variables
 * that no session gets (the daemon's settings, sockets to hide) stay.
 */
export function withRunEnvironment<Context extends StateReader & RunVariables>(
  context: Context,
  run: Run,
): Context {
  const saved = context.environments.valuesOf(run);
  if (saved === undefined) return context;
  const isOfRun = variableFilter(selectEnvironmentOptions(context.state().project, run.request));
  const own = Object.fromEntries(Object.entries(context.env).filter(([name]) => !isOfRun(name)));
  return {...context, env: {...own, ...saved}};
}

/**
 * The environment of a hook, which a person wrote for their own shell: the daemon's, overridden by
 * the run's. If the run's file is gone, the hook gets the daemon's alone.
 */
export function hookEnvironment(
  {env, environments, state}: StateReader & RunVariables,
  id: RunId | undefined,
): Variables {
  const run = id === undefined ? undefined : selectRun(state(), id);
  try {
    return run === undefined ? env : {...env, ...environments.valuesOf(run)};
  } catch {
    return env;
  }
}

/**
 * `fnm` puts a link into PATH that is removed with the shell; its target stays, so that is used
 * instead.
 */
function withoutShellPlaces(variables: Variables): Variables {
  const link = variables['FNM_MULTISHELL_PATH'];
  const search = variables['PATH'];
  if (link === undefined || link === '' || search === undefined) return variables;
  const real = tryRealPath(link);
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

function tryRealPath(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

export type WorktreePlaces = {
  /** The person's checkouts, which paths may point into. */
  readonly checkouts: readonly string[];
  readonly worktree: string;
  readonly isThere: (place: string) => boolean;
};

/**
 * Rewrites paths inside a checkout (`PATH`, `VIRTUAL_ENV`, exports of direnv) to the same path in
 * the worktree, if it exists there. Others stay: an interpreter of the checkout is better than
 * none. Only whole values count as paths; variables that end in PATH or PATHS are lists.
 */
export function toWorktreeEnvironment(
  variables: Readonly<Record<string, string>>,
  places: WorktreePlaces,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      isPathList(name)
        ? value
            .split(':')
            .map((entry) => moveIntoWorktree(entry, places))
            .join(':')
        : moveIntoWorktree(value, places),
    ]),
  );
}

function isPathList(name: string): boolean {
  return /PATHS?$/i.test(name);
}

function moveIntoWorktree(value: string, {checkouts, worktree, isThere}: WorktreePlaces): string {
  if (!path.isAbsolute(value)) return value;
  const plain = path.normalize(value);
  for (const checkout of checkouts) {
    const relative = path.relative(checkout, plain);
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue;
    const place = path.join(worktree, relative);
    if (isThere(place)) return place;
  }

  return value;
}

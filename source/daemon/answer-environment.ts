import {capturedFor, countedFor} from './launch/run-environment.ts';
import {
  compareEnvironments,
  countingVariables,
  type EnvironmentReport,
} from '../documents/index.ts';
import {
  isRunId,
  isSessionId,
  isTaskId,
  runIdIn,
  runIdOfSession,
  runOf,
  sessionOf,
  type Run,
  type SessionId,
  type Wish,
} from '../domain/index.ts';
import type {Variables} from './run-environments.ts';
import type {Workshop} from './workshop.ts';

type Keeping = Pick<Workshop, 'state' | 'env' | 'environments'>;

/** The same command, with what was kept of the environment that came with it. `release`: it is decided. */
export function keepEnvironment(
  {state, env: own, environments}: Keeping,
  wish: Wish,
  env: Variables | undefined,
): {readonly wish: Wish; readonly release: () => void} {
  const request =
    wish.type === 'start-run'
      ? wish.request
      : wish.type === 'refresh-environment'
        ? runOf(state(), wish.run)?.request
        : undefined;
  if (request === undefined || (wish.type === 'refresh-environment' && env === undefined))
    return {wish, release: () => undefined};
  const environment = environments.keep(
    capturedFor(state().project, request, env ?? own),
    env === undefined ? 'daemon' : 'shell',
  );
  const release = (): void => {
    environments.release(environment.hash);
    environments.sweep();
  };
  return {wish: {...wish, environment} as Wish, release};
}

/** Names and PATH, where they are from, and in what the shell that asks differs. */
export function reportEnvironment(
  workshop: Pick<Workshop, 'state' | 'env' | 'environments' | 'store'>,
  of: string,
  env: Variables | undefined,
): EnvironmentReport {
  const {run, session} = subjectOf(workshop, of);
  const {project} = workshop.state();
  const {environment} = run;
  const read = valuesOf(workshop, run);
  const values = 'trouble' in read ? {} : read.values;
  const variables = environment?.variables ?? workshop.environments.describe(values);
  const names = variables.map(({name}) => name);
  const path = pathIn(values);
  const here = env === undefined ? undefined : capturedFor(project, run.request, env);
  return {
    run: run.id,
    from: environment?.from ?? 'unkept',
    ...(environment !== undefined && {at: environment.at, hash: environment.hash}),
    path,
    names,
    missing: (project.environment ?? []).filter(
      (name) => !name.endsWith('*') && !names.includes(name),
    ),
    ...('trouble' in read && {trouble: read.trouble}),
    ...(session !== undefined && {session}),
    ...(here !== undefined && {
      differs: compareEnvironments(
        {variables, path},
        {variables: workshop.environments.describe(here), path: pathIn(here)},
      ),
    }),
  };
}

function pathIn(values: Variables): readonly string[] {
  const {PATH: search = ''} = values;
  return search === '' ? [] : search.split(':');
}

function valuesOf(
  {state, env, environments}: Keeping,
  run: Run,
): {readonly values: Variables} | {readonly trouble: string} {
  try {
    return {
      values:
        environments.valuesOf(run) ??
        countingVariables(env, countedFor(state().project, run.request)),
    };
  } catch (error) {
    return {trouble: error instanceof Error ? error.message : String(error)};
  }
}

function subjectOf(
  {state, store}: Pick<Workshop, 'state' | 'store'>,
  of: string,
): {readonly run: Run; readonly session?: EnvironmentReport['session']} {
  if (!isRunId(of) && !isTaskId(of) && !isSessionId(of))
    throw new Error(
      `expected a run, a task or a session such as r1, r1.t2 or s7, got ${JSON.stringify(of.slice(0, 60))}`,
    );
  const session = isSessionId(of) ? sessionOf(state(), of) : undefined;
  if (isSessionId(of) && session === undefined) throw new Error(`there is no session ${of}`);
  const id = session === undefined ? runIdIn(of as Run['id']) : runIdOfSession(session);
  if (id === undefined)
    throw new Error(`${of} works for no run: it has the environment of the shell that started it`);
  const run = runOf(state(), id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return {
    run,
    ...(session !== undefined && {
      session: {id: session.id, isOlder: isOlder(store, session.id, run)},
    }),
  };
}

/** What it was started with is noted; sessions of runs without a kept environment have no note. */
function isOlder(store: Workshop['store'], session: SessionId, {environment}: Run): boolean {
  const {hash} = (store.noteOf(session, 'environment') ?? {}) as {readonly hash?: unknown};
  return environment !== undefined && hash !== environment.hash;
}

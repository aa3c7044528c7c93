import {errorText} from '../../shared/index.ts';
import {captureEnvironment, selectEnvironmentOptions} from '../launch/environment.ts';
import {compareEnvironments, type EnvironmentReport} from '../../reports/index.ts';
import {selectAllowedVariables} from '../../secrets/index.ts';
import {
  isRunId,
  isSessionId,
  isTaskId,
  type Run,
  runIdIn,
  runIdOfSession,
  selectRun,
  selectSession,
  type RunRequest,
  type SessionId,
  type State,
  type UserCommand,
} from '../../domain/index.ts';
import type {Variables} from '../sessions/environments.ts';
import type {RunVariables, SessionFiles, StateReader} from '../daemon-context.ts';

type EnvironmentContext = StateReader & RunVariables;

/**
 * The command with a reference to the saved environment of the client. Call `release` when the
 * command is decided.
 */
export function saveEnvironment(
  {state, env: own, environments}: EnvironmentContext,
  command: UserCommand,
  env: Variables | undefined,
): {readonly wish: UserCommand; readonly release: () => void} {
  const request = selectRequest(state(), command);
  if (request === undefined || (command.type === 'refresh-environment' && env === undefined))
    return {wish: command, release: () => undefined};
  const environment = environments.keep(
    captureEnvironment(state().project, request, env ?? own),
    env === undefined ? 'daemon' : 'shell',
  );
  const release = (): void => {
    environments.release(environment.hash);
    environments.sweep();
  };
  return {wish: {...command, environment} as UserCommand, release};
}

function selectRequest(state: State, command: UserCommand): RunRequest | undefined {
  if (command.type === 'start-run') return command.request;
  return command.type === 'refresh-environment'
    ? selectRun(state, command.run)?.request
    : undefined;
}

/** Variable names and PATH, where they come from, and how the asking shell differs. */
export function reportEnvironment(
  context: StateReader & SessionFiles & RunVariables,
  of: string,
  env: Variables | undefined,
): EnvironmentReport {
  const {run, session} = selectSubject(context, of);
  const {project} = context.state();
  const {environment} = run;
  const read = readValues(context, run);
  const values = 'trouble' in read ? {} : read.values;
  const variables = environment?.variables ?? context.environments.describe(values);
  const names = variables.map(({name}) => name);
  const path = pathIn(values);
  const asking = env === undefined ? undefined : captureEnvironment(project, run.request, env);
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
    ...(asking !== undefined && {
      differs: compareEnvironments(
        {variables, path},
        {variables: context.environments.describe(asking), path: pathIn(asking)},
      ),
    }),
  };
}

function pathIn(values: Variables): readonly string[] {
  const {PATH: search = ''} = values;
  return search === '' ? [] : search.split(':');
}

function readValues(
  {state, env, environments}: EnvironmentContext,
  run: Run,
): {readonly values: Variables} | {readonly trouble: string} {
  try {
    return {
      values:
        environments.valuesOf(run) ??
        selectAllowedVariables(env, selectEnvironmentOptions(state().project, run.request)),
    };
  } catch (error) {
    return {trouble: errorText(error)};
  }
}

function selectSubject(
  {state, store}: StateReader & SessionFiles,
  of: string,
): {readonly run: Run; readonly session?: EnvironmentReport['session']} {
  if (!isRunId(of) && !isTaskId(of) && !isSessionId(of))
    throw new Error(
      `expected a run, a task or a session such as r1, r1.t2 or s7, got ${JSON.stringify(of.slice(0, 60))}`,
    );
  const session = isSessionId(of) ? selectSession(state(), of) : undefined;
  if (isSessionId(of) && session === undefined) throw new Error(`there is no session ${of}`);
  const id = session === undefined ? runIdIn(of as Run['id']) : runIdOfSession(session);
  if (id === undefined)
    throw new Error(`${of} belongs to no run: it has the environment of the shell that started it`);
  const run = selectRun(state(), id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return {
    run,
    ...(session !== undefined && {
      session: {id: session.id, isOlder: isOlder(store, session.id, run)},
    }),
  };
}

/**
 * A session has a note of the environment that it was started with, unless its run has no saved
 * environment.
 */
function isOlder(store: SessionFiles['store'], session: SessionId, {environment}: Run): boolean {
  const {hash} = (store.noteOf(session, 'environment') ?? {}) as {readonly hash?: unknown};
  return environment !== undefined && hash !== environment.hash;
}

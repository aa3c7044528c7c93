import {
  type Purpose,
  runIdIn,
  selectRun,
  type Service,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {SessionStore} from '../sessions/session-store.ts';
import type {
  LaunchContext,
  RepositoryAccess,
  RunVariables,
  SessionFiles,
  SessionLaunching,
  SessionVariables,
  StateReader,
} from '../daemon-context.ts';
import {checkoutCandidate, hashTree} from '../../git/index.ts';
import {runHook} from '../monitors/hooks.ts';
import {noteReports} from '../effects/check-reports.ts';
import {agentLaunch, type AgentLaunch} from './agent-launch.ts';
import {rememberOutside} from './outside.ts';
import {sweepConfinements} from './caches.ts';
import {hookEnvironment, withRunEnvironment} from './environment.ts';
import {sandboxLaunch} from './sandbox-launch.ts';
import {
  checkLaunch,
  type ProgramLaunch,
  persistentLaunch,
  selectSessionPlace,
  serviceLaunch,
  shellLaunch,
} from './task-launch.ts';
import type {Variables} from '../sessions/environments.ts';

type SessionEnvironments = ReturnType<SessionVariables['getEnvironment']>;

export type SessionRequests = Pick<SessionVariables, 'getEnvironment' | 'releaseEnvironment'> & {
  /** On disk before it returns, so that a later daemon can start the session as well. */
  readonly request: (session: SessionId, cli: SessionEnvironments) => void;
};

/** The terminal of a session that was started without one. */
export const defaultTerminalSize = {columns: 120, rows: 40};

/**
 * The environment and terminal size that a person's sessions were requested with, until their
 * programs run.
 */
export function createSessionRequests(
  store: Pick<SessionStore, 'noteOf' | 'writeNote' | 'removeNote'>,
  env: SessionEnvironments['env'],
): SessionRequests {
  return {
    request: (session, cli) => {
      store.writeNote(session, 'request', cli);
    },
    getEnvironment: (session) =>
      (store.noteOf(session, 'request') as SessionEnvironments | undefined) ?? {
        env,
        size: defaultTerminalSize,
      },
    releaseEnvironment: (session) => {
      store.removeNote(session, 'request');
    },
  };
}

/**
 * The command of a session that works for a run. Computed once, at its start: the keeper's launch
 * file has the result.
 */
export async function describeLaunch(
  context: LaunchContext,
  session: Session,
): Promise<ProgramLaunch> {
  sweepConfinements(context);
  const {run} = selectSessionPlace(context, session);
  const own = withRunEnvironment(context, run);
  if (session.purpose.for === 'attempt') await askHook(context, session, session.purpose);
  if (run.environment !== undefined)
    context.store.writeNote(session.id, 'environment', {hash: run.environment.hash});
  const {
    stateDirectories = [],
    settings = {files: [], directories: []},
    hosts = [],
    inPlace = [],
    adopted,
    ...launch
  } = await plainLaunch(own, session);
  const confined = await sandboxLaunch(own, session, launch, {
    stateDirectories,
    settings,
    hosts,
    inPlace,
    ...(adopted !== undefined && {adopted}),
  });
  // Without a sandbox an agent can change files outside of its worktree, so they are fingerprinted.
  if (session.purpose.for === 'attempt' && confined === launch)
    await rememberOutside(context, session.purpose.task, session.purpose.attempt);
  return confined;
}

async function plainLaunch(context: LaunchContext, session: Session): Promise<AgentLaunch> {
  const {purpose} = session;
  switch (purpose.for) {
    case 'setup':
    case 'worktree-setup':
      return shellLaunch(context, session, context.state().project.setup ?? 'true');
    case 'baseline':
      noteReportsOf(context, session, purpose.check);
      return shellLaunch(context, session, purpose.command);
    case 'check':
      noteReportsOf(context, session, purpose.check);
      return checkLaunch(context, session, purpose);
    case 'attempt':
      return agentLaunch(context, session, purpose);
    case 'plan':
      await resetWorktree(context, session);
      return agentLaunch(context, session, purpose);
    case 'shell':
      return persistentLaunch(context, session, purpose);
    case 'takeover':
      return agentLaunch(context, session, purpose);
    case 'service':
      return serviceLaunch(context, session, purpose);
    default:
      throw new Error(`${session.id} works for no run`);
  }
}

function noteReportsOf(context: StateReader & SessionFiles, session: Session, check: string): void {
  noteReports(context, session.id, check, selectSessionPlace(context, session).worktree.path);
}

/**
 * Undoes what an earlier planner has written, which the journal names, so that the next one is not
 * blamed for it.
 */
async function resetWorktree(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
  session: Session,
): Promise<void> {
  const {path: directory, commit, tree} = selectSessionPlace(context, session).worktree;
  const workspace = context.workspace();
  if ((await hashTree(workspace, directory)) !== tree)
    await checkoutCandidate(workspace, {directory, commit});
}

/** The person's `before-work` hook can reject the start of an agent. */
async function askHook(
  context: StateReader & RepositoryAccess & Pick<SessionLaunching, 'hookMark'> & RunVariables,
  session: Session,
  {task, attempt}: Extract<Purpose, {readonly for: 'attempt'}>,
): Promise<void> {
  const {worktree} = selectSessionPlace(context, session);
  const result = await runHook(
    'before-work',
    {task, attempt, session: session.id, worktree: worktree.path},
    {...context, env: hookEnvironment(context, runIdIn(task))},
  );
  if (result !== undefined && !result.isOk)
    throw new Error(`the hook before-work refused: ${result.text}`);
}

/**
 * The command of a person's own session or of a service of the repository. Undefined for a session
 * that works for a run.
 */
export function ownLaunch(
  context: StateReader &
    RepositoryAccess &
    RunVariables &
    Pick<SessionVariables, 'getEnvironment' | 'serviceEnvironments'>,
  {id, purpose}: Session,
): ProgramLaunch | undefined {
  const {state, root, getEnvironment} = context;
  if (purpose.for === 'person')
    return {argv: purpose.command, cwd: purpose.directory, env: getEnvironment(id).env};
  if (purpose.for !== 'service') return undefined;
  const service = state().services.find(({spec}) => spec.name === purpose.service);
  if (service === undefined) throw new Error(`there is no service ${purpose.service}`);
  // A service in a task's worktree may run what an agent wrote, so it is sandboxed like a check.
  if (service.spec.owner !== undefined) return undefined;
  return {
    argv: ['/bin/sh', '-c', service.spec.command],
    cwd: root,
    env: serviceEnvironment(context, service),
  };
}

/**
 * The saved environment of the service. Without one, that of the run that needs it first, or the
 * daemon's, is saved and used.
 */
function serviceEnvironment(
  context: StateReader & RunVariables & Pick<SessionVariables, 'serviceEnvironments'>,
  {spec: {name}, wantedBy}: Service,
): Variables {
  const saved = context.serviceEnvironments.valuesOf(name);
  if (saved !== undefined) return saved;
  const run =
    wantedBy === undefined || wantedBy === 'person'
      ? undefined
      : selectRun(context.state(), runIdIn(wantedBy));
  const {env} = run === undefined ? context : withRunEnvironment(context, run);
  context.serviceEnvironments.keep(name, env);
  return env;
}

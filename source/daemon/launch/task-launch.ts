import {existsSync} from 'node:fs';
import {sha256Of} from '../../base/index.ts';
import {agentEnvironmentOf} from '../../documents/index.ts';
import {
  checksOf,
  portBlockFor,
  runIdIn,
  runOf,
  serviceOf,
  worktreeOf,
  worktreeOwnerOf,
  type Purpose,
  type Run,
  type Service,
  type Session,
  type Worktree,
  type WorktreeOwner,
} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {environmentInWorktree} from './environment-in-worktree.ts';

/** What a session runs, where, and with what. */
export type Launch = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A command of the project, in the worktree of its task. The shell stays, so that a program that dies of a signal is a status and not the end of the session. */
export function shellLaunch(workshop: Workshop, session: Session, command: string): Launch {
  const {run, worktree} = placeOf(workshop, session);
  return {
    argv: ['/bin/sh', '-c', `${command}\nexit $?`],
    cwd: worktree.path,
    env: environmentOf(workshop, run, worktree),
  };
}

export function checkLaunch(
  workshop: Workshop,
  session: Session,
  purpose: Extract<Purpose, {readonly for: 'check'}>,
): Launch {
  const {run} = placeOf(workshop, session);
  const check = checksOf(run).find(({name}) => name === purpose.check);
  if (check === undefined) throw new Error(`the plan of ${run.id} has no check ${purpose.check}`);
  return shellLaunch(workshop, session, check.command);
}

/** The run and the worktree that a session works in. */
export function placeOf(
  {state}: Pick<Workshop, 'state'>,
  session: Session,
): {readonly run: Run; readonly worktree: Worktree} {
  const owner = worktreeOwnerOf(session);
  const run = owner === undefined ? undefined : runOf(state(), runIdIn(owner));
  const worktree = owner === undefined || run === undefined ? undefined : worktreeOf(run, owner);
  if (run === undefined || worktree === undefined)
    throw new Error(`${session.id} has no worktree to run in`);
  return {run, worktree};
}

/** Of the variables that checks get, whatever their worktree: results on a base are kept by it. Names and values go in, only the hash comes out. */
export function checkEnvironmentHashOf({state, env}: Pick<Workshop, 'state' | 'env'>): string {
  return sha256Of(
    JSON.stringify(
      Object.entries(agentEnvironmentOf(env, {allow: state().project.environment ?? []})).toSorted(
        ([a], [b]) => (a < b ? -1 : 1),
      ),
    ),
  );
}

/** By allow-list, as it holds in this worktree, with the ports that are its own. */
export function environmentOf(
  {state, env, root}: Pick<Workshop, 'state' | 'env' | 'root'>,
  run: Run,
  {owner, path: worktree}: Worktree,
  needs: readonly string[] = [],
): Record<string, string> {
  const {project} = state();
  const checkouts = [...(run.request.checkout === undefined ? [] : [run.request.checkout]), root];
  const block = portBlockFor(project, run, owner);
  return {
    ...environmentInWorktree(agentEnvironmentOf(env, {allow: project.environment ?? [], needs}), {
      checkouts,
      worktree,
      isThere: existsSync,
    }),
    ORCHESTRA_RUN: run.id,
    ORCHESTRA_OWNER: owner,
    ...(block === undefined
      ? {}
      : {
          PORT: String(block.first),
          ORCHESTRA_PORT_FIRST: String(block.first),
          ORCHESTRA_PORT_LAST: String(block.last),
        }),
    ...serviceVariables(state().services, owner),
  };
}

/** Where the services are that this worktree has for itself, and those that all share: `ORCHESTRA_SERVICE_WEB_PORT`, `ORCHESTRA_SERVICE_WEB_URL`. */
export function serviceVariables(
  services: readonly Service[],
  owner: WorktreeOwner,
): Record<string, string> {
  return Object.fromEntries(
    services.flatMap(({spec: {name, of, owner: whose, port}}) => {
      if (port === undefined || (whose !== undefined && whose !== owner)) return [];
      const key = `ORCHESTRA_SERVICE_${(of ?? name).toUpperCase().replaceAll('-', '_')}`;
      return [
        [`${key}_PORT`, String(port)],
        [`${key}_URL`, `http://127.0.0.1:${port}`],
      ];
    }),
  );
}

/** One that a task has for itself: in its worktree, at its port. */
export function serviceLaunch(
  workshop: Workshop,
  session: Session,
  {service: name}: Extract<Purpose, {readonly for: 'service'}>,
): Launch {
  const service = serviceOf(workshop.state(), name);
  if (service === undefined) throw new Error(`there is no service ${name}`);
  const {command, port} = service.spec;
  const launch = shellLaunch(workshop, session, command);
  return port === undefined ? launch : {...launch, env: {...launch.env, PORT: String(port)}};
}

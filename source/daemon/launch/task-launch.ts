import path from 'node:path';
import {existsSync} from 'node:fs';
import {
  type Purpose,
  type Run,
  runIdIn,
  selectChecks,
  selectPortBlock,
  selectRun,
  selectService,
  selectWorktree,
  selectWorktreeOwner,
  type Service,
  type Session,
  type Worktree,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {makeDirectories, writeFileAtomic} from '../../files/index.ts';
import {findProgram} from '../../system/index.ts';
import type {
  DaemonDirectory,
  RepositoryAccess,
  RunVariables,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {getExchange} from './exchange.ts';
import {toSha256} from '../../shared/index.ts';
import {selectAgentEnvironment} from '../../secrets/index.ts';
import {toWorktreeEnvironment} from './environment.ts';

/** Invisible escape sequences that mark the start of a command and the next prompt of the shell. */
export const shellMarks = {
  begin: (nonce: string): string => `\u001B]7770;b;${nonce}\u0007`,
  end: (nonce: string): string => `\u001B]7770;e;${nonce};`,
};

/** Agents cannot use a pager. */
const pagerlessEnvironment = {PAGER: 'cat', GIT_PAGER: 'cat', LESS: '-FRX', HISTFILE: '/dev/null'};

/**
 * A program that stays open in the worktree of a task: a shell, or another program that the agent
 * named.
 */
export function persistentLaunch(
  context: StateReader & SessionFiles & RepositoryAccess & DaemonDirectory & RunVariables,
  session: Session,
  {program}: Extract<Purpose, {readonly for: 'shell'}>,
): ProgramLaunch {
  const {run, worktree} = selectSessionPlace(context, session);
  const {directory, below} = getExchange(context, session.id);
  makeDirectories(directory, {below});
  const env = {...buildTaskEnvironment(context, run, worktree), ...pagerlessEnvironment};
  if (program !== undefined)
    return {argv: ['/usr/bin/env', ...program.split(/\s+/)], cwd: worktree.path, env};
  const start = path.join(directory, 'shell-start');
  const {file: bash} = findProgram('bash', {
    path: context.env['PATH'] ?? '',
    outside: context.root,
  });
  writeFileAtomic(start, bash === undefined ? plainStart : bashStart, {below});
  return bash === undefined
    ? {argv: ['/bin/sh', '-i'], cwd: worktree.path, env: {...env, ENV: start}}
    : {argv: [bash, '--noprofile', '--rcfile', start, '-i'], cwd: worktree.path, env};
}

/** The end mark is printed with the prompt, which also follows a syntax error or Ctrl-C. */
const bashStart = `
unset HISTFILE
bind 'set enable-bracketed-paste off' 2>/dev/null
PS1='\\$ '
PROMPT_COMMAND='printf "\\033]7770;e;%s;%s\\007" "$ORCHESTRA_CALL" "$?"'
`;

const plainStart = `
unset HISTFILE
PS1="$(printf '\\033]7770;e;')"'\${ORCHESTRA_CALL};\${?}'"$(printf '\\007')\\$ "
`;

/** The command, directory and environment of a session. */
export type ProgramLaunch = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * A command of the project in the worktree of its task. The shell does not `exec` it, so that a
 * signal becomes an exit status.
 */
export function shellLaunch(
  context: StateReader & Pick<RepositoryAccess, 'root'> & Pick<RunVariables, 'env'>,
  session: Session,
  command: string,
): ProgramLaunch {
  const {run, worktree} = selectSessionPlace(context, session);
  return {
    argv: ['/bin/sh', '-c', `${command}\nexit $?`],
    cwd: worktree.path,
    env: buildTaskEnvironment(context, run, worktree),
  };
}

export function checkLaunch(
  context: StateReader & Pick<RepositoryAccess, 'root'> & Pick<RunVariables, 'env'>,
  session: Session,
  purpose: Extract<Purpose, {readonly for: 'check'}>,
): ProgramLaunch {
  const {run} = selectSessionPlace(context, session);
  const check = selectChecks(run).find(({name}) => name === purpose.check);
  if (check === undefined) throw new Error(`the plan of ${run.id} has no check ${purpose.check}`);
  return shellLaunch(context, session, check.command);
}

/** The run and the worktree of a session. */
export function selectSessionPlace(
  {state}: StateReader,
  session: Session,
): {readonly run: Run; readonly worktree: Worktree} {
  const owner = selectWorktreeOwner(session);
  const run = owner === undefined ? undefined : selectRun(state(), runIdIn(owner));
  const worktree =
    owner === undefined || run === undefined ? undefined : selectWorktree(run, owner);
  if (run === undefined || worktree === undefined)
    throw new Error(`${session.id} has no worktree to run in`);
  return {run, worktree};
}

/**
 * The hash of the variables that checks get, independent of the worktree. Part of the key of cached
 * baseline results.
 */
export function hashCheckEnvironment({
  state,
  env,
}: StateReader & Pick<RunVariables, 'env'>): string {
  return toSha256(
    JSON.stringify(
      Object.entries(
        selectAgentEnvironment(env, {allow: state().project.environment ?? []}),
      ).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
}

/** Allowed variables with paths of this worktree, its own ports and its services. */
export function buildTaskEnvironment(
  {state, env, root}: StateReader & Pick<RepositoryAccess, 'root'> & Pick<RunVariables, 'env'>,
  run: Run,
  {owner, path: worktree}: Worktree,
  needs: readonly string[] = [],
): Record<string, string> {
  const {project} = state();
  const checkouts = [...(run.request.checkout === undefined ? [] : [run.request.checkout]), root];
  const block = selectPortBlock(project, run, owner);
  return {
    ...toWorktreeEnvironment(
      selectAgentEnvironment(env, {allow: project.environment ?? [], needs}),
      {
        checkouts,
        worktree,
        isThere: existsSync,
      },
    ),
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

/**
 * The addresses of the worktree's own services and the shared ones: `ORCHESTRA_SERVICE_WEB_PORT`,
 * `ORCHESTRA_SERVICE_WEB_URL`.
 */
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

/** A task's own service, in its worktree, with its port. */
export function serviceLaunch(
  context: StateReader & Pick<RepositoryAccess, 'root'> & Pick<RunVariables, 'env'>,
  session: Session,
  {service: name}: Extract<Purpose, {readonly for: 'service'}>,
): ProgramLaunch {
  const service = selectService(context.state(), name);
  if (service === undefined) throw new Error(`there is no service ${name}`);
  const {command, port} = service.spec;
  const launch = shellLaunch(context, session, command);
  return port === undefined ? launch : {...launch, env: {...launch.env, PORT: String(port)}};
}

import os from 'node:os';
import path from 'node:path';
import {mkdirSync, realpathSync} from 'node:fs';
import {getSandbox as sandboxSetting} from '../../project-config/index.ts';
import type {Purpose, Session, Worktree} from '../../domain/index.ts';
import {inspectPath} from '../../system/index.ts';
import {
  chooseSandbox,
  controlSockets,
  type GitPaths,
  gitPathsFor,
  neededInTemporary,
  type SandboxChoice,
  sandboxed,
  type SandboxPolicy,
  type Started,
} from '../../sandbox/index.ts';
import {ensureGitView} from '../../git/index.ts';
import type {
  DaemonDirectory,
  LaunchContext,
  RepositoryAccess,
  RunVariables,
  SessionLaunching,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {type AgentState, agentStateFor, type AgentPlaces} from './agent-state.ts';
import {type Caches, cachesFor} from './caches.ts';
import {getExchangeDirectory} from './exchange.ts';
import {networkLaunch} from './network-launch.ts';
import {type ProgramLaunch, selectSessionPlace} from './task-launch.ts';

/** What a sandboxed command is for. A check gets git files and caches that no agent has written. */
export type Confinement = {
  /** Names the files of this command alone: the cookie of its session. */
  readonly name: string;
  readonly kind: 'plan' | 'work' | 'check';
  readonly worktree: Worktree;
  readonly own: AgentPlaces;
  /** Undefined for a single command that is run for a task. */
  readonly session?: Session;
};

const kinds: Readonly<Partial<Record<Purpose['for'], Confinement['kind']>>> = {
  plan: 'plan',
  setup: 'work',
  'worktree-setup': 'work',
  baseline: 'check',
  attempt: 'work',
  takeover: 'work',
  shell: 'work',
  check: 'check',
  service: 'check',
};

export const noAgentPlaces: AgentPlaces = {
  stateDirectories: [],
  settings: {files: [], directories: []},
};

/** Whether this project's agents run in a sandbox on this machine. */
export async function sandboxFor(
  context: StateReader & Pick<SessionLaunching, 'sandbox'>,
): Promise<SandboxChoice> {
  return chooseSandbox(sandboxSetting(context.state().project), await context.sandbox());
}

/**
 * Wraps the command of a session in a sandbox, if it runs an agent or what an agent wrote, and
 * project and machine allow it.
 */
export async function sandboxLaunch(
  context: LaunchContext,
  session: Session,
  launch: ProgramLaunch,
  own: AgentPlaces,
): Promise<ProgramLaunch> {
  const kind = kinds[session.purpose.for];
  if (kind === undefined) return launch;
  return confine(context, launch, {
    name: context.store.cookieOf(session.id),
    kind,
    worktree: selectSessionPlace(context, session).worktree,
    own,
    session,
  });
}

/** The only way to start something that an agent could have written. */
export async function confine(
  context: LaunchContext,
  launch: ProgramLaunch,
  confinement: Confinement,
): Promise<ProgramLaunch> {
  const {name, kind, own, session} = confinement;
  const choice = await sandboxFor(context);
  if (choice.use === 'refused') throw new Error(choice.words);
  const network = await networkLaunch(context, {name, session}, launch, {
    sandbox: choice,
    hosts: own.hosts ?? [],
  });
  if (!choice.use) return launch;
  const temporary = path.join(getExchangeDirectory(context, name), 'tmp');
  mkdirSync(temporary, {recursive: true, mode: 0o700});
  const git = await prepareGitPaths(context, confinement);
  const caches: Caches =
    kind === 'plan' ? {bound: [], layered: [], env: {}} : cachesFor(context, name);
  const state = agentStateFor(
    context,
    confinement.worktree.owner,
    own,
    launch.argv,
    confinement.worktree.path,
  );
  const inside = network.inside(launch.argv);
  const policy = network.restrict(
    buildPolicy(context, confinement, {
      temporary,
      git,
      caches,
      state,
      launch: {argv: [...context.ownProgram, ...inside], env: launch.env},
    }),
  );
  const tools = {
    bwrap: choice.file,
    uid: context.uid,
    look: inspectPath,
    ...(choice.can === undefined ? {} : {can: choice.can}),
  };
  const argv = network.outside(sandboxed({...launch, argv: inside}, policy, tools));
  return {
    ...launch,
    argv,
    env: {...launch.env, ...temporaryVariables(launch.env, temporary), ...caches.env},
  };
}

/** Some programs prefer TMP or TEMP, whose outside values do not exist in the sandbox. */
function temporaryVariables(env: ProgramLaunch['env'], temporary: string): Record<string, string> {
  return Object.fromEntries(
    ['TMPDIR', ...['TMP', 'TEMP'].filter((name) => env[name] !== undefined)].map((name) => [
      name,
      temporary,
    ]),
  );
}

type Parts = {
  readonly temporary: string;
  readonly git: GitPaths | undefined;
  readonly caches: Caches;
  readonly state: AgentState;
  readonly launch: Started;
};

function buildPolicy(
  context: RepositoryAccess &
    DaemonDirectory &
    Pick<SessionLaunching, 'ownProgram' | 'runtimeDirectory' | 'agentsSocket'> &
    RunVariables &
    UserAccount,
  {name, kind, worktree}: Confinement,
  {temporary, git, caches, state, launch}: Parts,
): SandboxPolicy {
  const {stateDirectory, runtimeDirectory, agentsSocket, root, home, env, uid, ownProgram} =
    context;
  const isPlanner = kind === 'plan';
  const exchange = getExchangeDirectory(context, name);
  const isReplaced = replacesTemporary(root);
  return {
    kind: isPlanner ? 'read-only' : 'worktree',
    writable: isPlanner ? [exchange] : [worktree.path, exchange],
    readOnly: [
      root,
      ...(isPlanner ? [worktree.path] : []),
      path.dirname(agentsSocket),
      path.dirname(realpathSync(ownProgram[1] ?? root)),
      ...(git?.readOnly ?? []),
      ...(isReplaced ? neededInTemporary(launch, inspectPath) : []),
    ],
    sealed: [...state.sealed, ...(git?.sealed ?? [])],
    bound: [...caches.bound, ...state.bound, ...(git?.bound ?? [])],
    layered: caches.layered,
    hidden: [
      ...listStateDirectories({stateDirectory, runtimeDirectory, home, uid}),
      ...controlSockets({uid, env}),
    ],
    ...(isReplaced ? {temporary} : {}),
  };
}

/**
 * Whether `/tmp` is replaced by a private directory. It is not if the repository itself is in the
 * temporary directory.
 */
export function replacesTemporary(root: string): boolean {
  return !isBelowRealPath(os.tmpdir(), root);
}

/**
 * State and runtime directories of every repository, including the defaults that another shell
 * would use.
 */
function listStateDirectories({
  stateDirectory,
  runtimeDirectory,
  home,
  uid,
}: {
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly home: string;
  readonly uid: number;
}): readonly string[] {
  const places = [
    path.dirname(stateDirectory),
    stateDirectory,
    runtimeDirectory,
    path.join(home, '.local', 'state', 'orchestra'),
    `/tmp/orchestra-${uid}`,
    `/run/user/${uid}/orchestra`,
  ];
  return [...new Set(places)].filter((place) => path.dirname(place) !== place);
}

async function prepareGitPaths(
  context: Pick<RepositoryAccess, 'workspace'>,
  {name, kind, worktree}: Confinement,
): Promise<GitPaths | undefined> {
  if (kind === 'plan') return undefined;
  const workspace = context.workspace();
  const view = await ensureGitView(workspace, {
    worktree: worktree.path,
    branch: worktree.branch,
    name: kind === 'check' ? name : worktree.owner,
  });
  if (view === undefined) return undefined;
  const git = gitPathsFor({
    commonDirectory: workspace.commonDirectory,
    worktreeAdmin: view.worktreeAdmin,
    worktree: worktree.path,
    branch: worktree.branch,
    view: view.directory,
  });
  for (const directory of git.directories) mkdirSync(directory, {recursive: true});
  return git;
}

/** Whether a path is inside a directory, whose links are resolved. */
export function isBelowRealPath(directory: string, place: string): boolean {
  const relative = path.relative(realpathSync(directory), place);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

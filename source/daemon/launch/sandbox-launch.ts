import {mkdirSync, realpathSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {sandboxOf as sandboxSetting} from '../../documents/index.ts';
import type {Purpose, Session, Worktree} from '../../domain/index.ts';
import {lookAtPath} from '../../machine/index.ts';
import {
  chooseSandbox,
  doorsOut,
  gitPathsFor,
  neededInTemporary,
  sandboxed,
  type GitPaths,
  type Started,
  type SandboxChoice,
  type SandboxPolicy,
} from '../../sandbox/index.ts';
import {ensureGitView} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {agentStateFor, type AgentState, type OwnPlaces} from './agent-state.ts';
import {cachesFor, type Caches} from './caches.ts';
import {exchangeDirectoryOf} from './exchange.ts';
import {networkLaunch} from './network-launch.ts';
import {placeOf, type Launch} from './task-launch.ts';

/** What one confined command is for. A check gets git files and caches that no agent has ever written. */
export type Confinement = {
  /** Names what belongs to this command alone: the mark of its session. */
  readonly name: string;
  readonly kind: 'plan' | 'work' | 'check';
  readonly worktree: Worktree;
  readonly own: OwnPlaces;
  /** Of a session; a single command that is run for a task has none. */
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

export const noOwnPlaces: OwnPlaces = {
  stateDirectories: [],
  settings: {files: [], directories: []},
};

/** Whether this project's agents are confined here. */
export async function sandboxFor(workshop: Workshop): Promise<SandboxChoice> {
  return chooseSandbox(sandboxSetting(workshop.state().project), await workshop.sandbox());
}

/** The command of a session that runs an agent, or what an agent wrote, in a sandbox where the project asks for it and the machine has one. */
export async function sandboxLaunch(
  workshop: Workshop,
  session: Session,
  launch: Launch,
  own: OwnPlaces,
): Promise<Launch> {
  const kind = kinds[session.purpose.for];
  if (kind === undefined) return launch;
  return confine(workshop, launch, {
    name: workshop.store.cookieOf(session.id),
    kind,
    worktree: placeOf(workshop, session).worktree,
    own,
    session,
  });
}

/** The one way in which anything is started that an agent could have written. */
export async function confine(
  workshop: Workshop,
  launch: Launch,
  confinement: Confinement,
): Promise<Launch> {
  const {name, kind, own, session} = confinement;
  const choice = await sandboxFor(workshop);
  if (choice.use === 'refused') throw new Error(choice.words);
  const network = await networkLaunch(workshop, {name, session}, launch, {
    sandbox: choice,
    hosts: own.hosts ?? [],
  });
  if (!choice.use) return launch;
  const temporary = path.join(exchangeDirectoryOf(workshop, name), 'tmp');
  mkdirSync(temporary, {recursive: true, mode: 0o700});
  const git = await gitOf(workshop, confinement);
  const caches: Caches =
    kind === 'plan' ? {bound: [], layered: [], env: {}} : cachesFor(workshop, name);
  const state = agentStateFor(
    workshop,
    confinement.worktree.owner,
    own,
    launch.argv,
    confinement.worktree.path,
  );
  const inside = network.inside(launch.argv);
  const policy = network.restrict(
    policyOf(workshop, confinement, {
      temporary,
      git,
      caches,
      state,
      launch: {argv: [...workshop.ownProgram, ...inside], env: launch.env},
    }),
  );
  const tools = {
    bwrap: choice.file,
    uid: workshop.uid,
    look: lookAtPath,
    ...(choice.can === undefined ? {} : {can: choice.can}),
  };
  const argv = network.outside(sandboxed({...launch, argv: inside}, policy, tools));
  return {
    ...launch,
    argv,
    env: {...launch.env, ...temporaryVariables(launch.env, temporary), ...caches.env},
  };
}

/** Some programs look at the other names first, and what they name outside is not there. */
function temporaryVariables(env: Launch['env'], temporary: string): Record<string, string> {
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

function policyOf(
  workshop: Workshop,
  {name, kind, worktree}: Confinement,
  {temporary, git, caches, state, launch}: Parts,
): SandboxPolicy {
  const {stateDirectory, runtimeDirectory, agentsSocket, root, home, env, uid, ownProgram} =
    workshop;
  const isPlanner = kind === 'plan';
  const exchange = exchangeDirectoryOf(workshop, name);
  // Where the repository itself is there, everything beside it stays as it is.
  const isReplaced = !isInside(os.tmpdir(), root);
  return {
    kind: isPlanner ? 'read-only' : 'worktree',
    writable: isPlanner ? [exchange] : [worktree.path, exchange],
    readOnly: [
      root,
      ...(isPlanner ? [worktree.path] : []),
      path.dirname(agentsSocket),
      path.dirname(realpathSync(ownProgram[1] ?? root)),
      ...(git?.readOnly ?? []),
      ...(isReplaced ? neededInTemporary(launch, lookAtPath) : []),
    ],
    sealed: [...state.sealed, ...(git?.sealed ?? [])],
    bound: [...caches.bound, ...state.bound, ...(git?.bound ?? [])],
    layered: caches.layered,
    hidden: [...allStateOf({stateDirectory, runtimeDirectory, home, uid}), ...doorsOut({uid, env})],
    ...(isReplaced ? {temporary} : {}),
  };
}

/** Every repository's journals, logs, tokens and sockets, not only this one's; also where another shell with other settings would keep them. */
function allStateOf({
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

async function gitOf(
  workshop: Workshop,
  {name, kind, worktree}: Confinement,
): Promise<GitPaths | undefined> {
  if (kind === 'plan') return undefined;
  const workspace = workshop.workspace();
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

/** Whether a place is inside of a directory, links apart. */
export function isInside(directory: string, place: string): boolean {
  const relative = path.relative(realpathSync(directory), place);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

import {existsSync, mkdirSync, realpathSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {AgentSettings} from '../../agents/index.ts';
import {sandboxOf as wishOf} from '../../documents/index.ts';
import {runsOf, type Purpose, type Session} from '../../domain/index.ts';
import {lookAtPath} from '../../machine/index.ts';
import {chooseSandbox, doorsOut, gitPathsFor, sandboxed, type SandboxChoice, type SandboxPolicy} from '../../sandbox/index.ts';
import {adminOf} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {exchangeOf} from './exchange.ts';
import {networkLaunch} from './network-launch.ts';
import {placeOf, type Launch} from './task-launch.ts';

/** Those that run what an agent wrote, or the agent itself. */
const confined: ReadonlySet<Purpose['for']> = new Set(['plan', 'setup', 'attempt', 'takeover', 'check', 'shell']);

/** What of the person's home an agent needs for itself, what in there it may only read, and the hosts that it asks. */
export type OwnPlaces = {readonly stateDirectories: readonly string[]; readonly settings: AgentSettings; readonly hosts?: readonly string[]};

/** Whether this project's agents are confined here. */
export async function sandboxFor(workshop: Workshop): Promise<SandboxChoice> {
  return chooseSandbox(wishOf(workshop.state().project), await workshop.sandbox());
}

/** Puts the command into a sandbox where the project wishes it and the machine has one. */
export async function sandboxLaunch(workshop: Workshop, session: Session, launch: Launch, own: OwnPlaces): Promise<Launch> {
  if (!confined.has(session.purpose.for)) return launch;
  const choice = await sandboxFor(workshop);
  if (choice.use === 'refused') throw new Error(choice.words);
  const network = await networkLaunch(workshop, session, launch, {sandbox: choice, hosts: own.hosts ?? []});
  if (!choice.use) return launch;
  const temporary = path.join(exchangeOf(workshop, session.id).directory, 'tmp');
  mkdirSync(temporary, {recursive: true, mode: 0o700});
  // What an agent keeps for itself is there before it starts: inside it could not be made.
  for (const directory of [...own.stateDirectories, ...own.settings.directories]) mkdirSync(directory, {recursive: true, mode: 0o700});
  const policy = network.restrict(policyOf(workshop, session, temporary, own));
  const argv = network.outside(sandboxed({...launch, argv: network.inside(launch.argv)}, policy, {bwrap: choice.file, uid: workshop.uid, look: lookAtPath}));
  return {...launch, argv, env: {...launch.env, TMPDIR: temporary}};
}

function policyOf(workshop: Workshop, session: Session, temporary: string, {stateDirectories, settings}: OwnPlaces): SandboxPolicy {
  const {stateDirectory, runtimeDirectory, agentsSocket, root, home, env, uid, ownProgram} = workshop;
  const {worktree} = placeOf(workshop, session);
  const exchange = exchangeOf(workshop, session.id).directory;
  const isPlanner = session.purpose.for === 'plan';
  const git = isPlanner ? undefined : gitOf(workshop, worktree);
  for (const directory of git?.directories ?? []) mkdirSync(directory, {recursive: true});
  const own = [exchange, ...stateDirectories];
  return {
    kind: isPlanner ? 'read-only' : 'worktree',
    writable: isPlanner ? own : [worktree.path, ...own, ...cachesIn(home), ...(git?.writable ?? [])],
    readOnly: [root, worktree.path, path.dirname(agentsSocket), path.dirname(realpathSync(ownProgram[1] ?? root)), ...settings.directories, ...(settings.filesIfThere ?? []), ...(isPlanner ? [] : (git?.readOnly ?? []))].filter((place) => isPlanner || place !== worktree.path),
    sealed: [...settings.files, ...(git?.sealed ?? [])],
    hidden: [stateDirectory, runtimeDirectory, ...doorsOut({uid, env})],
    // Where the repository itself is there, everything beside it stays as it is.
    ...(isInside(os.tmpdir(), root) ? {} : {temporary}),
  };
}

function gitOf(workshop: Workshop, {path: directory, branch, owner}: {readonly path: string; readonly branch: string | null; readonly owner: string}): ReturnType<typeof gitPathsFor> | undefined {
  const workspace = workshop.workspace();
  const admin = adminOf(workspace, directory);
  if (admin === undefined) return undefined;
  const siblings = runsOf(workshop.state()).flatMap(({worktrees}) => worktrees.filter((other) => other.owner !== owner).flatMap((other) => other.branch ?? []));
  return gitPathsFor({commonDirectory: workspace.commonDirectory, worktreeAdmin: admin, worktree: directory, branch, siblings});
}

/** What package managers keep for all projects. */
function cachesIn(home: string): string[] {
  return ['.cache', '.npm', '.yarn', '.pnpm-store', '.local/share/pnpm', '.cargo/registry', '.cargo/git', 'go/pkg', '.gradle', '.m2', '.bun/install', '.deno', '.nuget'].map((name) => path.join(home, name)).filter((place) => existsSync(place));
}

function isInside(directory: string, place: string): boolean {
  const relative = path.relative(realpathSync(directory), place);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

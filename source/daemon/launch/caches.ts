import path from 'node:path';
import {createHash} from 'node:crypto';
import {mkdirSync, renameSync, rmdirSync} from 'node:fs';
import {ledgerEntries} from '../../shared/index.ts';
import {isLive, selectWorktreeOwner, type Session} from '../../domain/index.ts';
import {
  type BoundPath,
  cachePlaces,
  type LayeredDirectory,
  missingCacheVariables,
} from '../../sandbox/index.ts';
import {deleteTree, dropGitView, gitViewNames} from '../../git/index.ts';
import {isDirectory, listOwnNames} from '../directories.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  RunVariables,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';

type CacheContext = StateReader & SessionFiles & DaemonDirectory & DaemonLog;

/** The person's caches as a sandboxed command sees them. */
export type Caches = {
  readonly bound: readonly BoundPath[];
  readonly layered: readonly LayeredDirectory[];
  readonly env: Readonly<Record<string, string>>;
};

/** More layers would make every lookup slow; what is not in one is downloaded again. */
const maxLayers = 6;

/**
 * The person's caches are never written: each command writes into its own overlay layer, which is
 * deleted when it ends. Only the layer of a `setup` that ran before any agent was in the worktree
 * becomes a shared layer, because no agent can have written it.
 */
export function cachesFor(
  context: DaemonDirectory & Pick<RunVariables, 'env'> & Pick<UserAccount, 'home'>,
  name: string,
): Caches {
  const {stateDirectory, home, env} = context;
  const own = path.join(stateDirectory, 'caches', name);
  const places = cachePlaces(home, env).filter(isDirectory);
  const each = places.map((place) => {
    const slug = toSlug(place);
    const [view, upper, work] = ['view', 'upper', 'work'].map((part) =>
      path.join(own, slug, part),
    ) as [string, string, string];
    for (const directory of [view, upper, work])
      mkdirSync(directory, {recursive: true, mode: 0o700});
    const layers = listLayers(stateDirectory, slug);
    return {
      bound: {path: place, from: view, isWritable: true},
      layered: {path: view, lower: [...layers, place], upper, work},
    };
  });
  const missing = missingCacheVariables(home, env, isDirectory, path.join(own, 'new'));
  for (const directory of Object.values(missing))
    mkdirSync(directory, {recursive: true, mode: 0o700});
  const made = Object.values(missing).map((directory) => ({
    path: directory,
    from: directory,
    isWritable: true,
  }));
  return {
    bound: [...each.map(({bound}) => bound), ...made],
    layered: each.map(({layered}) => layered),
    env: missing,
  };
}

/** Deletes the layers of ended sessions; that of a trusted `setup` becomes a shared layer. */
export function sweepCaches(context: CacheContext): void {
  const {stateDirectory, state, store} = context;
  const sessions = ledgerEntries(state().sessions);
  const byName = new Map(sessions.map((session) => [store.cookieOf(session.id), session]));
  for (const name of listOwnNames(path.join(stateDirectory, 'caches')).filter(
    (each) => each !== 'layers',
  )) {
    const session = byName.get(name);
    if (name.includes('-running-') || (session !== undefined && isLive(session))) continue;
    if (session !== undefined && isTrusted(session, sessions)) saveAsLayers(stateDirectory, name);
    void dropCaches(stateDirectory, name);
  }
}

/** Deletes the layers of one command. */
export async function dropCaches(stateDirectory: string, name: string): Promise<void> {
  const own = path.join(stateDirectory, 'caches', name);
  for (const slug of listOwnNames(own)) dropWorkDirectory(path.join(own, slug, 'work'));
  await deleteTree(own);
}

/**
 * The kernel leaves an empty directory in an overlay's work directory that only root may read; it
 * can be removed without reading it.
 */
export function dropWorkDirectory(work: string): void {
  try {
    rmdirSync(path.join(work, 'work'));
  } catch {
    // Nothing was mounted.
  }
}

/** A successful `setup` in a worktree that no agent has been in. */
function isTrusted({id, purpose, life}: Session, sessions: readonly Session[]): boolean {
  const isSetup =
    (purpose.for === 'setup' && purpose.on === undefined) || purpose.for === 'worktree-setup';
  if (!isSetup || life.at !== 'exited' || life.code !== 0) return false;
  const owner = selectWorktreeOwner({purpose});
  const number = (session: string): number => Number(session.slice(1));
  return !sessions.some(
    (other) =>
      selectWorktreeOwner(other) === owner &&
      other.purpose.for !== purpose.for &&
      number(other.id) < number(id),
  );
}

function saveAsLayers(stateDirectory: string, name: string): void {
  const own = path.join(stateDirectory, 'caches', name);
  for (const slug of listOwnNames(own)) {
    const upper = path.join(own, slug, 'upper');
    const directory = path.join(stateDirectory, 'caches', 'layers', slug);
    const before = listOwnNames(directory).length;
    if (before >= maxLayers || listOwnNames(upper).length === 0) continue;
    mkdirSync(directory, {recursive: true, mode: 0o700});
    renameSync(upper, path.join(directory, `${String(before).padStart(4, '0')}-${name}`));
  }
}

/** Newest first: it is the topmost layer. */
function listLayers(stateDirectory: string, slug: string): readonly string[] {
  const directory = path.join(stateDirectory, 'caches', 'layers', slug);
  return listOwnNames(directory)
    .toSorted()
    .reverse()
    .map((name) => path.join(directory, name));
}

function toSlug(place: string): string {
  return `${path.basename(place).replaceAll(/[^\w-]+/g, '') || 'cache'}-${createHash('sha256').update(place).digest('hex').slice(0, 8)}`;
}

/**
 * Removes the cache layers of ended sandboxed commands and the private git files of ended checks.
 * Those of tasks stay with the worktree.
 */
export function sweepConfinements(context: CacheContext): void {
  sweepCaches(context);
  const {state, store} = context;
  const live = new Set(
    ledgerEntries(state().sessions)
      .filter(isLive)
      .map(({id}) => store.cookieOf(id)),
  );
  // Without opening the repository: a daemon that only keeps sessions needs no git.
  const workspace = {private: path.join(context.stateDirectory, 'workspace')};
  for (const name of gitViewNames(workspace)) {
    if (name.startsWith(`${store.name}-s`) && !live.has(name)) dropGitView(workspace, name);
  }
}

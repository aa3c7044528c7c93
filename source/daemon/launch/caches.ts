import {createHash} from 'node:crypto';
import {mkdirSync, renameSync, statSync} from 'node:fs';
import path from 'node:path';
import {entriesOf} from '../../base/index.ts';
import {isLive, worktreeOwnerOf, type Session} from '../../domain/index.ts';
import {
  cachePlaces,
  missingCacheVariables,
  type BoundPath,
  type LayeredDirectory,
} from '../../sandbox/index.ts';
import {deleteTree} from '../../workspace/index.ts';
import {namesIn} from '../names-in.ts';
import {dropWorkDirectory} from '../try-sandbox.ts';
import type {Workshop} from '../workshop.ts';

/** What a sandboxed command gets of the person's caches. */
export type Caches = {
  readonly bound: readonly BoundPath[];
  readonly layered: readonly LayeredDirectory[];
  readonly env: Readonly<Record<string, string>>;
};

/** More layers than this make every look-up slow; what comes then is downloaded again. */
const maxLayers = 6;

/**
 * The person's caches are read, never written: each command writes into a layer of its own, which goes when it ends. Only what
 * `setup` wrote, before any agent had been in the worktree, becomes a layer for everybody: no agent has ever written it.
 */
export function cachesFor(
  workshop: Pick<Workshop, 'stateDirectory' | 'home' | 'env'>,
  name: string,
): Caches {
  const {stateDirectory, home, env} = workshop;
  const own = path.join(stateDirectory, 'caches', name);
  const places = cachePlaces(home, env).filter(isDirectory);
  const each = places.map((place) => {
    const slug = slugOf(place);
    const [view, upper, work] = ['view', 'upper', 'work'].map((part) =>
      path.join(own, slug, part),
    ) as [string, string, string];
    for (const directory of [view, upper, work])
      mkdirSync(directory, {recursive: true, mode: 0o700});
    const layers = layersOf(stateDirectory, slug);
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

/** The caches of sessions that are over. What a successful `setup` has brought becomes a layer; the rest goes. */
export function sweepCaches(
  workshop: Pick<Workshop, 'stateDirectory' | 'state' | 'store' | 'log'>,
): void {
  const {stateDirectory, state, store} = workshop;
  const sessions = entriesOf(state().sessions);
  const byName = new Map(sessions.map((session) => [store.cookieOf(session.id), session]));
  for (const name of namesIn(path.join(stateDirectory, 'caches')).filter(
    (each) => each !== 'layers',
  )) {
    const session = byName.get(name);
    if (name.includes('-running-') || (session !== undefined && isLive(session))) continue;
    if (session !== undefined && isTrusted(session, sessions)) keepAsLayers(stateDirectory, name);
    void dropCaches(stateDirectory, name);
  }
}

/** Deletes what one command wrote. */
export async function dropCaches(stateDirectory: string, name: string): Promise<void> {
  const own = path.join(stateDirectory, 'caches', name);
  for (const slug of namesIn(own)) dropWorkDirectory(path.join(own, slug, 'work'));
  await deleteTree(own);
}

/** A `setup` that succeeded, in a worktree that no agent had been in. */
function isTrusted({id, purpose, life}: Session, sessions: readonly Session[]): boolean {
  const isSetup =
    (purpose.for === 'setup' && purpose.on === undefined) || purpose.for === 'worktree-setup';
  if (!isSetup || life.at !== 'exited' || life.code !== 0) return false;
  const owner = worktreeOwnerOf({purpose});
  const number = (session: string): number => Number(session.slice(1));
  return !sessions.some(
    (other) =>
      worktreeOwnerOf(other) === owner &&
      other.purpose.for !== purpose.for &&
      number(other.id) < number(id),
  );
}

function keepAsLayers(stateDirectory: string, name: string): void {
  const own = path.join(stateDirectory, 'caches', name);
  for (const slug of namesIn(own)) {
    const upper = path.join(own, slug, 'upper');
    const directory = path.join(stateDirectory, 'caches', 'layers', slug);
    const before = namesIn(directory).length;
    if (before >= maxLayers || namesIn(upper).length === 0) continue;
    mkdirSync(directory, {recursive: true, mode: 0o700});
    renameSync(upper, path.join(directory, `${String(before).padStart(4, '0')}-${name}`));
  }
}

/** The newest first: it lies above the others. */
function layersOf(stateDirectory: string, slug: string): readonly string[] {
  const directory = path.join(stateDirectory, 'caches', 'layers', slug);
  return namesIn(directory)
    .toSorted()
    .reverse()
    .map((name) => path.join(directory, name));
}

function slugOf(place: string): string {
  return `${path.basename(place).replaceAll(/[^\w-]+/g, '') || 'cache'}-${createHash('sha256').update(place).digest('hex').slice(0, 8)}`;
}

function isDirectory(place: string): boolean {
  return statSync(place, {throwIfNoEntry: false})?.isDirectory() === true;
}

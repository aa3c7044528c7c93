import path from 'node:path';
import {createHash, randomBytes} from 'node:crypto';
import {lstatSync, renameSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {namesIn, tryReadText} from '../../files/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {relocate} from './relocate.ts';
import {getOwnPlace, isThere, toSlug} from '../worktrees/paths.ts';
import {readNote, writeWhole} from '../worktrees/records.ts';
import {getSharePath, type SharedDirectory, shareDirectory} from './share-directory.ts';

/** Entries that a fingerprint reads, breadth first. */
const maxNames = 2000;
/** Tools write there while they run, which installs nothing. */
const caches: ReadonlySet<string> = new Set(['.cache', '.vite', '.vite-temp', '__pycache__']);

/**
 * A cheap fingerprint that changes when dependencies are installed. An installer changes entries
 * near the top: package directories, or its own lock file (`node_modules/.package-lock.json`,
 * `.modules.yaml`). Deeper entries are not read.
 */
export function fingerprintSource(directory: string): string {
  const hash = createHash('sha256');
  const queue = [directory];
  let left = maxNames;
  for (let place = queue.shift(); place !== undefined && left > 0; place = queue.shift()) {
    const stats = lstatSync(place, {throwIfNoEntry: false});
    if (stats === undefined) {
      hash.update(`${path.relative(directory, place)}\0gone\n`);
      continue;
    }

    hash.update(
      `${path.relative(directory, place)}\0${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}\n`,
    );
    left -= 1;
    if (!stats.isDirectory() || queue.length >= left) continue;
    queue.push(
      ...namesIn(place, {maxEntries: maxNames})
        .filter((name) => !caches.has(name))
        .map((name) => path.join(place, name)),
    );
  }

  return hash.digest('hex');
}

/**
 * Directories that were shared into a prepared worktree, with the fingerprints of their originals.
 */
type Prepared = Readonly<
  Record<
    string,
    {
      readonly print: string;
      readonly how: SharedDirectory['how'];
      readonly pathBound: readonly string[];
    }
  >
>;

export type PreparedNotes = {
  readonly made: readonly SharedDirectory[];
  readonly notes: readonly string[];
};

/**
 * Shares directories into a prepared worktree. Called repeatedly while the person reads the plan:
 * directories that changed in the checkout are copied again, those that the project file no longer
 * names are removed, and the others stay.
 */
export async function prepareShares(
  workspace: Workspace,
  owner: string,
  share: readonly SharedFolder[],
  goOn: () => void,
): Promise<PreparedNotes> {
  const slug = toSlug(owner);
  return workspace.withKeyLock(slug, async () => {
    const note = readNote(workspace, slug);
    const made: SharedDirectory[] = [];
    const notes: string[] = [];
    if (note?.at !== 'ready') return {made, notes};
    let prepared = await dropStale(workspace, slug, note.stage, share);
    for (const folder of share) {
      const name = getSharePath(folder);
      if (prepared[name] !== undefined) continue;
      goOn();
      // Taken before the copy, so that an install during the copy makes it stale.
      const print = fingerprintSource(path.join(workspace.root, name));
      const {
        directory,
        notes: shareNotes,
        pathBound = [],
      } = await shareDirectory(workspace, note.stage, folder, {goOn, finalPath: null});
      notes.push(...shareNotes);
      if (directory === null) continue;
      made.push(directory);
      prepared = writePrepared(workspace, slug, {
        ...prepared,
        [name]: {print, how: directory.how, pathBound},
      });
    }

    return {made, notes};
  });
}

/**
 * Called when the worktree is at its final path and unused: removes stale directories, so that they
 * are shared again, and relocates the others.
 */
export async function settleShares(
  workspace: Workspace,
  owner: string,
  place: string,
  share: readonly SharedFolder[],
): Promise<readonly SharedDirectory[]> {
  const slug = toSlug(owner);
  const prepared = await dropStale(workspace, slug, place, share);
  return Object.entries(prepared).map(([name, {how, pathBound}]) => {
    relocate({directory: path.join(place, name), pathBound, root: workspace.root, place});
    return {path: name, how};
  });
}

/**
 * Called when a task starts to use the worktree: its shared directories are its own from then on.
 */
export function forgetPrepared(workspace: Workspace, owner: string): void {
  rmSync(getPreparedFile(workspace, toSlug(owner)), {force: true});
}

async function dropStale(
  workspace: Workspace,
  slug: string,
  place: string,
  share: readonly SharedFolder[],
): Promise<Prepared> {
  const prepared = readPrepared(workspace, slug);
  const isFresh = (name: string, {print, how}: Prepared[string]): boolean =>
    isThere(path.join(place, name)) &&
    print === fingerprintSource(path.join(workspace.root, name)) &&
    share.some(
      (folder) =>
        getSharePath(folder) === name && (typeof folder !== 'string') === (how === 'hard-link'),
    );
  const entries = Object.entries(prepared);
  const fresh = entries.filter(([name, one]) => isFresh(name, one));
  if (fresh.length === entries.length) return prepared;
  for (const [name] of entries.filter(([name]) => !fresh.some(([other]) => other === name)))
    await discardDirectory(workspace, path.join(place, name));
  return writePrepared(workspace, slug, Object.fromEntries(fresh));
}

/** Renames before it deletes, so that a partly deleted directory is never taken for a whole one. */
async function discardDirectory(workspace: Workspace, directory: string): Promise<void> {
  if (!isThere(directory)) return;
  const away = path.join(
    getOwnPlace(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  renameSync(directory, away);
  await rm(away, {recursive: true, force: true, maxRetries: 3});
}

function readPrepared(workspace: Workspace, slug: string): Prepared {
  try {
    return JSON.parse(
      tryReadText(getPreparedFile(workspace, slug), {maxBytes: 16 * 1024 * 1024}) ?? '',
    ) as Prepared;
  } catch {
    return {};
  }
}

function writePrepared(workspace: Workspace, slug: string, prepared: Prepared): Prepared {
  writeWhole(getPreparedFile(workspace, slug), `${JSON.stringify(prepared)}\n`);
  return prepared;
}

function getPreparedFile(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'prepared', `${slug}.json`);
}

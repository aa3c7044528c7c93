import path from 'node:path';
import {chmod, lstat, rm} from 'node:fs/promises';
import {rmSync, statSync} from 'node:fs';
import {isWorktreeName} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {getOwnPlace, isThere, lstatBig} from '../worktrees/paths.ts';
import {
  listNamesThroughLinks,
  readGitLink,
  readNotes,
  readRegistered,
} from '../worktrees/records.ts';
import {readRemovals} from './removal.ts';
import {streamDirectory} from '../../files/index.ts';
import {dropAdmin} from '../worktrees/stage-worktree.ts';
import {liveGitIn} from '../worktrees/live-git.ts';

export type LeftoverPath = {
  readonly path: string;
  /** `trash` and `making` are ours alone and may be deleted; a `worktree` may contain work. */
  readonly kind: 'worktree' | 'making' | 'trash' | 'registration';
  readonly why: string;
};

/** Directories with a name of ours that belong to no known worktree. Reads files only. */
export function listLeftovers(
  workspace: Workspace,
  known: readonly string[],
): readonly LeftoverPath[] {
  const notes = readNotes(workspace);
  const expected = new Set([
    ...known,
    ...notes.flatMap(({at, path: place}) => (at === 'placing' ? (place ?? []) : [])),
  ]);
  const worktrees = listNamesThroughLinks(workspace.worktrees)
    .filter((name) => isWorktreeName(name))
    .map((name) => path.join(workspace.worktrees, name))
    .filter((place) => !expected.has(place) && lstatBig(place)?.isDirectory() === true)
    .map((place): LeftoverPath => ({
      path: place,
      kind: 'worktree',
      why:
        readGitLink(place) === null
          ? 'it belongs to no run, and git does not know it'
          : 'it belongs to no run',
    }));
  const stages = new Set(notes.filter(({at}) => at !== 'placed').map(({stage}) => stage));
  const making = placesIn(getOwnPlace(workspace, 'making'))
    .filter((place) => !stages.has(place) && !isJustBegun(workspace, place))
    .map((place): LeftoverPath => ({
      path: place,
      kind: 'making',
      why: 'its creation was never finished',
    }));
  const leaving = new Set(
    readRemovals(workspace)
      .filter(({at}) => at !== 'done')
      .map(({trash}) => trash),
  );
  const trash = placesIn(getOwnPlace(workspace, 'trash'))
    .filter((place) => !leaving.has(place))
    .map((place): LeftoverPath => ({
      path: place,
      kind: 'trash',
      why: 'it was removed, but could not be deleted',
    }));
  const ours = new Set(notes.map(({admin}) => admin));
  const registrations = readRegistered(workspace)
    .filter(
      ({admin, path: place, locked}) =>
        locked === 'orchestra' && !ours.has(admin) && place !== null && !isThere(place),
    )
    .map(({admin, path: place}): LeftoverPath => ({
      path: admin,
      kind: 'registration',
      why: `its worktree ${place ?? ''} is gone`,
    }));
  return [...worktrees, ...making, ...trash, ...registrations];
}

/**
 * Dependencies that are being shared have no note, so those of the last hour may still be in use.
 */
function isJustBegun(workspace: Workspace, place: string): boolean {
  const begun = lstatBig(place)?.mtimeMs;
  return (
    path.basename(place).startsWith('share-') &&
    begun !== undefined &&
    workspace.now() - Number(begun) < 3_600_000
  );
}

function placesIn(directory: string): readonly string[] {
  return listNamesThroughLinks(directory).map((name) => path.join(directory, name));
}

/**
 * Deletes a directory, also with read-only directories in it (Go's module cache). A failure is
 * returned as a note, not thrown: nothing is lost by it.
 */
export async function deleteTree(directory: string): Promise<readonly string[]> {
  try {
    await rm(directory, {recursive: true, force: true, maxRetries: 3});
    return [];
  } catch {
    try {
      await makeWritable(directory);
      await rm(directory, {recursive: true, force: true, maxRetries: 3});
      return [];
    } catch (error) {
      return [
        `${directory} could not be deleted ` +
          `(${(error as NodeJS.ErrnoException).code ?? 'unknown'}). It is no longer ` +
          'needed; delete it by hand.',
      ];
    }
  }
}

async function makeWritable(directory: string): Promise<void> {
  if (!(await lstat(directory)).isDirectory()) return;
  await chmod(directory, 0o700);
  for await (const entry of streamDirectory(directory))
    if (entry.kind === 'directory') await makeWritable(path.join(directory, entry.name));
}

/**
 * Deletes leftovers that are ours alone: unfinished work, trash and stale registrations. For
 * worktrees use `removeWorktree`.
 */
export async function sweepLeftovers(
  workspace: Workspace,
  known: readonly string[],
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const {path: place, kind} of listLeftovers(workspace, known)) {
    if (kind === 'worktree' || liveGitIn([place]).length > 0) continue;
    if (kind === 'registration') {
      await workspace.withLock(() => {
        dropAdmin(workspace, place);
        return Promise.resolve();
      });
    } else if ((await deleteTree(place)).length > 0) continue;
    gone.push(place);
  }

  return gone;
}

/**
 * Deletes temporary indexes and pattern files that a killed daemon left. Only the one daemon may
 * call it, with its start time: younger files are its own.
 */
export function sweepUnfinished({private: own}: Pick<Workspace, 'private'>, began: number): void {
  const unfinished = [
    ...listNamesThroughLinks(own).filter((name) => /^patterns-[0-9a-f]{8}$/.test(name)),
    ...listNamesThroughLinks(path.join(own, 'index'))
      .filter((name) => /\.[0-9a-f]{8}(?:\.lock)?$|\.tmp$/.test(name))
      .map((name) => path.join('index', name)),
    ...listNamesThroughLinks(path.join(own, 'indexes')).map((name) => path.join('indexes', name)),
  ];
  for (const file of unfinished.map((name) => path.join(own, name))) {
    if ((statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? began) < began)
      rmSync(file, {force: true});
  }
}

/** Deletes dependency directories that a killed daemon was still copying. */
export async function sweepHalfShared(workspace: Workspace, began: number): Promise<void> {
  const making = getOwnPlace(workspace, 'making');
  for (const place of listNamesThroughLinks(making)
    .filter((name) => /^share-[0-9a-f]{10}(?:\.probe)?$/.test(name))
    .map((name) => path.join(making, name))) {
    if ((statSync(place, {throwIfNoEntry: false})?.ctimeMs ?? began) < began)
      await rm(place, {recursive: true, force: true, maxRetries: 3});
  }
}

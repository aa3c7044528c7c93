import path from 'node:path';
import {isWorktreeName} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere, lookAt, ownPlaceOf} from '../worktree/names.ts';
import {namesIn, readNotes} from '../worktree/note.ts';
import {linkOf, readRegistered} from '../worktree/registered.ts';
import {readRemovals} from './removal.ts';

export type Leftover = {
  readonly path: string;
  /** `trash` and `making` are ours alone and may be deleted; a `worktree` may hold somebody's work. */
  readonly kind: 'worktree' | 'making' | 'trash' | 'registration';
  readonly why: string;
};

/** What bears a name of ours and belongs to nothing that is known. Looks at files only. */
export function listLeftovers(workspace: Workspace, known: readonly string[]): readonly Leftover[] {
  const notes = readNotes(workspace);
  const expected = new Set([
    ...known,
    ...notes.flatMap(({at, path: place}) => (at === 'placing' ? (place ?? []) : [])),
  ]);
  const worktrees = namesIn(workspace.worktrees)
    .filter((name) => isWorktreeName(name))
    .map((name) => path.join(workspace.worktrees, name))
    .filter((place) => !expected.has(place) && lookAt(place)?.isDirectory() === true)
    .map((place): Leftover => ({
      path: place,
      kind: 'worktree',
      why: linkOf(place) === null ? 'no run knows it, and git does not either' : 'no run knows it',
    }));
  const stages = new Set(notes.filter(({at}) => at !== 'placed').map(({stage}) => stage));
  const making = placesIn(ownPlaceOf(workspace, 'making'))
    .filter((place) => !stages.has(place) && !isJustBegun(workspace, place))
    .map((place): Leftover => ({
      path: place,
      kind: 'making',
      why: 'it was begun and never finished',
    }));
  const leaving = new Set(
    readRemovals(workspace)
      .filter(({at}) => at !== 'done')
      .map(({trash}) => trash),
  );
  const trash = placesIn(ownPlaceOf(workspace, 'trash'))
    .filter((place) => !leaving.has(place))
    .map((place): Leftover => ({
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
    .map(({admin, path: place}): Leftover => ({
      path: admin,
      kind: 'registration',
      why: `its worktree ${place ?? ''} is gone`,
    }));
  return [...worktrees, ...making, ...trash, ...registrations];
}

/** Dependencies on their way into a worktree have no note; what was begun within the hour may still be at it. */
function isJustBegun(workspace: Workspace, place: string): boolean {
  const begun = lookAt(place)?.mtimeMs;
  return (
    path.basename(place).startsWith('share-') &&
    begun !== undefined &&
    workspace.now() - Number(begun) < 3_600_000
  );
}

function placesIn(directory: string): readonly string[] {
  return namesIn(directory).map((name) => path.join(directory, name));
}

import {rmSync} from 'node:fs';
import path from 'node:path';
import {namesIn as boundedNamesIn, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from './write-whole.ts';

/**
 * What we are about to do for one owner, written down before git is called: after kill -9 the names that were chosen
 * are found again, and whatever bears them is ours.
 */
export type Note = {
  readonly owner: string;
  /** The commit that it is made from. */
  readonly from: string;
  readonly at: 'staging' | 'ready' | 'placing' | 'placed';
  /** Where it is built. Nobody else writes there, so a half one can be thrown away. */
  readonly stage: string;
  /** Git's own directory for it, once there is one. */
  readonly admin: string | null;
  /** The branch that was asked for; the one that was free may be called differently. */
  readonly asked: string | null;
  readonly branch: string | null;
  readonly path: string | null;
  /** When the first try began that has not come to its end: a lock that is younger may be our own. */
  readonly began: number;
};

export function readNote(workspace: Workspace, slug: string): Note | undefined {
  const file = fileOf(workspace, slug);
  try {
    // Ours, and written whole: what cannot be read was not written by us.
    return JSON.parse(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '') as Note;
  } catch {
    return undefined;
  }
}

export function readNotes(workspace: Workspace): readonly Note[] {
  return namesIn(path.join(workspace.private, 'worktrees'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readNote(workspace, name.slice(0, -'.json'.length)) ?? []);
}

export function writeNote(workspace: Workspace, slug: string, note: Note): Note {
  writeWhole(fileOf(workspace, slug), `${JSON.stringify(note)}\n`);
  return note;
}

export function dropNote(workspace: Workspace, slug: string): void {
  rmSync(fileOf(workspace, slug), {force: true});
}

/** The index that the worktree was made with, before anybody worked in it: no flag in it hides a file. */
export function seedIndexOf(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'index', slug);
}

function fileOf(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'worktrees', `${slug}.json`);
}

/** Of so many that no repository has more; the directory itself may be a link, as a person's hooks often are. */
export function namesIn(directory: string): readonly string[] {
  return boundedNamesIn(directory, {maxEntries: 200_000, links: 'follow'});
}

import {renameSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {randomBytes} from 'node:crypto';
import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {relocate} from '../share/relocate.ts';
import {sourcePrint} from '../share/source-print.ts';
import {isThere, ownPlaceOf, slugOf} from './names.ts';
import {readNote} from './note.ts';
import {pathOfShare, shareDirectory, type SharedDirectory} from './share-directory.ts';
import {writeWhole} from './write-whole.ts';

/** Directories that were shared into a worktree before anybody could work in it, and what their originals looked like then. */
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
 * Shares directories into a worktree that stands ready out of sight. Called again and again while the plan is read: what was shared
 * and has changed in the checkout since is made anew, what the project no longer names goes, and all else is left as it is.
 */
export async function prepareShares(
  workspace: Workspace,
  owner: string,
  share: readonly SharedFolder[],
  goOn: () => void,
): Promise<PreparedNotes> {
  const slug = slugOf(owner);
  return workspace.alone(slug, async () => {
    const note = readNote(workspace, slug);
    const made: SharedDirectory[] = [];
    const notes: string[] = [];
    if (note?.at !== 'ready') return {made, notes};
    let prepared = await withoutStale(workspace, slug, note.stage, share);
    for (const folder of share) {
      const name = pathOfShare(folder);
      if (prepared[name] !== undefined) continue;
      goOn();
      // Taken before the copy: what is installed meanwhile makes it stale.
      const print = sourcePrint(path.join(workspace.root, name));
      const {
        directory,
        notes: words,
        pathBound = [],
      } = await shareDirectory(workspace, note.stage, folder, {goOn, standsAt: null});
      notes.push(...words);
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

/** The worktree has its place: what is stale goes, so that it is shared anew, and scripts are told where they stand. Nobody works in it yet. */
export async function settleShares(
  workspace: Workspace,
  owner: string,
  place: string,
  share: readonly SharedFolder[],
): Promise<readonly SharedDirectory[]> {
  const slug = slugOf(owner);
  const prepared = await withoutStale(workspace, slug, place, share);
  return Object.entries(prepared).map(([name, {how, pathBound}]) => {
    relocate({directory: path.join(place, name), pathBound, root: workspace.root, place});
    return {path: name, how};
  });
}

/** Whoever works in it from now on owns what is there. */
export function forgetPrepared(workspace: Workspace, owner: string): void {
  rmSync(fileOf(workspace, slugOf(owner)), {force: true});
}

async function withoutStale(
  workspace: Workspace,
  slug: string,
  place: string,
  share: readonly SharedFolder[],
): Promise<Prepared> {
  const prepared = readPrepared(workspace, slug);
  const isFresh = (name: string, {print, how}: Prepared[string]): boolean =>
    isThere(path.join(place, name)) &&
    print === sourcePrint(path.join(workspace.root, name)) &&
    share.some(
      (folder) =>
        pathOfShare(folder) === name && (typeof folder !== 'string') === (how === 'hard-link'),
    );
  const entries = Object.entries(prepared);
  const fresh = entries.filter(([name, one]) => isFresh(name, one));
  if (fresh.length === entries.length) return prepared;
  for (const [name] of entries.filter(([name]) => !fresh.some(([other]) => other === name)))
    await takeAway(workspace, path.join(place, name));
  return writePrepared(workspace, slug, Object.fromEntries(fresh));
}

/** By one rename, so that no half of it is taken for the whole. */
async function takeAway(workspace: Workspace, directory: string): Promise<void> {
  if (!isThere(directory)) return;
  const away = path.join(
    ownPlaceOf(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  renameSync(directory, away);
  await rm(away, {recursive: true, force: true, maxRetries: 3});
}

function readPrepared(workspace: Workspace, slug: string): Prepared {
  try {
    return JSON.parse(
      tryReadText(fileOf(workspace, slug), {maxBytes: 16 * 1024 * 1024}) ?? '',
    ) as Prepared;
  } catch {
    return {};
  }
}

function writePrepared(workspace: Workspace, slug: string, prepared: Prepared): Prepared {
  writeWhole(fileOf(workspace, slug), `${JSON.stringify(prepared)}\n`);
  return prepared;
}

function fileOf(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'prepared', `${slug}.json`);
}

import path from 'node:path';
import {rmSync} from 'node:fs';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {listNamesThroughLinks, writeWhole} from '../worktrees/records.ts';
import {toSlug} from '../worktrees/paths.ts';

export type RemovalOptions = {
  readonly owner: string;
  readonly path: string;
  readonly branch: string | null;
  /** The commit that the worktree was made from. */
  readonly base: string;
  /** The commit or branch that contains its work, if it was merged. */
  readonly mergedInto?: string;
  /** Whether a session runs in it; running processes are checked as well. */
  readonly isLive?: (path: string) => boolean | Promise<boolean>;
};

/** Progress of a removal, on disk. The backup is recorded before anything is deleted. */
export type Removal = {
  readonly owner: string;
  readonly path: string;
  readonly branch: string | null;
  readonly admin: string | null;
  readonly at: 'keeping' | 'kept' | 'trashed' | 'done';
  /** Makes the names of backups unique among worktrees of the same owner. */
  readonly number: number;
  /** Start time, and date of the backup commit, so that a repeated call makes the same commit. */
  readonly began: number;
  readonly trash: string;
  readonly tip: string | null;
  readonly tree: string | null;
  readonly kept: string | null;
  readonly patch: string | null;
  readonly how: readonly string[];
  readonly dropped: readonly Dropped[];
  readonly mayDropBranch: boolean;
};

/** An ignored file or directory that was deleted with the worktree. */
export type Dropped = {readonly path: string; readonly bytes: number};

export function readRemoval(workspace: Workspace, slug: string): Removal | undefined {
  const file = getRemovalFile(workspace, slug);
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 256 * 1024 * 1024}) ?? '') as Removal;
  } catch {
    return undefined;
  }
}

export function readRemovals(workspace: Workspace): readonly Removal[] {
  return listNamesThroughLinks(path.join(workspace.private, 'removals'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readRemoval(workspace, name.slice(0, -'.json'.length)) ?? []);
}

export function writeRemoval(workspace: Workspace, slug: string, removal: Removal): Removal {
  writeWhole(getRemovalFile(workspace, slug), `${JSON.stringify(removal)}\n`);
  return removal;
}

/** Forgets a finished removal when the same owner gets a new worktree. */
export function forgetRemoval(workspace: Workspace, slug: string): void {
  if (readRemoval(workspace, slug)?.at === 'done')
    rmSync(getRemovalFile(workspace, slug), {force: true});
}

function getRemovalFile(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'removals', `${slug}.json`);
}

/** Where the branch of a removed worktree was; null without one. */
export function readRemovedTip(workspace: Workspace, owner: string): string | null {
  return readRemoval(workspace, toSlug(owner))?.tip ?? null;
}

/** How to restore the backup of a removed worktree: sentences and commands. */
export function readRestoreSteps(workspace: Workspace, owner: string): readonly string[] {
  return readRemoval(workspace, toSlug(owner))?.how ?? [];
}

export type RestoreInfo = {
  readonly owner: string;
  readonly ref: string | null;
  readonly patch: string | null;
  readonly files: string | null;
};

/** How to restore a backup, with commands that can be pasted. */
export function formatRestoreSteps({owner, ref, patch, files}: RestoreInfo): readonly string[] {
  return [
    ...(ref === null
      ? []
      : [
          `The work of ${owner} is in ${ref}. To see it: git show --stat ${ref}`,
          `To restore it as a branch: git branch ${owner.replaceAll('.', '-')}-kept ${ref}`,
        ]),
    ...(patch === null ? [] : [`To apply it to your checkout: git apply --3way '${patch}'`]),
    ...(files === null
      ? []
      : [
          `Files that git does not keep (ignored ones that were changed, repositories within) are in ${files}`,
        ]),
  ];
}

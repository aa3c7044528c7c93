import {rmSync} from 'node:fs';
import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {namesIn} from '../worktree/note.ts';
import {writeWhole} from '../worktree/write-whole.ts';

export type RemovalWish = {
  readonly owner: string;
  readonly path: string;
  readonly branch: string | null;
  /** What the worktree was made from. */
  readonly base: string;
  /** Where its work went, if it did: a commit or a branch. */
  readonly mergedInto?: string;
  /** Whether a session is at work in there; the kernel is asked as well. */
  readonly isLive?: (path: string) => boolean | Promise<boolean>;
};

/** How far a removal has come. What was kept is named before anything goes. */
export type Removal = {
  readonly owner: string;
  readonly path: string;
  readonly branch: string | null;
  readonly admin: string | null;
  readonly at: 'keeping' | 'kept' | 'trashed' | 'done';
  /** The number that makes names of what is kept different from those of an earlier worktree of the same owner. */
  readonly number: number;
  /** When it began: the date of the commit that keeps, so that doing it again makes the same one. */
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

/** Something git ignores that went with the worktree. */
export type Dropped = {readonly path: string; readonly bytes: number};

export function readRemoval(workspace: Workspace, slug: string): Removal | undefined {
  const file = fileOf(workspace, slug);
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 256 * 1024 * 1024}) ?? '') as Removal;
  } catch {
    return undefined;
  }
}

export function readRemovals(workspace: Workspace): readonly Removal[] {
  return namesIn(path.join(workspace.private, 'removals'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readRemoval(workspace, name.slice(0, -'.json'.length)) ?? []);
}

export function writeRemoval(workspace: Workspace, slug: string, removal: Removal): Removal {
  writeWhole(fileOf(workspace, slug), `${JSON.stringify(removal)}\n`);
  return removal;
}

/** A new worktree of the same owner begins: the next removal is another one. */
export function forgetRemoval(workspace: Workspace, slug: string): void {
  if (readRemoval(workspace, slug)?.at === 'done') rmSync(fileOf(workspace, slug), {force: true});
}

function fileOf(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'removals', `${slug}.json`);
}

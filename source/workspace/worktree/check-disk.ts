import {existsSync} from 'node:fs';
import {statfs} from 'node:fs/promises';
import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from './write-whole.ts';

export type DiskLimits = {
  /** What a new worktree will hold: its bytes count. Without it, only the fixed limits do. */
  readonly tree?: string;
  /** Below this nothing new is made. @default 1 GB */
  readonly least?: number;
  /** So many times the size of what is checked out must be free. @default 2 */
  readonly times?: number;
  /** Below this a person is told. @default 5 GB */
  readonly warnBelow?: number;
  /** Free bytes where this directory is. */
  readonly freeAt?: (directory: string) => Promise<number>;
};

export type DiskAnswer = {
  readonly free: number;
  readonly size: number | null;
  readonly warning: string | null;
};

const gigabyte = 1e9;

/** Before a worktree is made: refuses where it would fill the disk, since a full one stops everybody's work. */
export async function checkDisk(
  workspace: Workspace,
  {
    tree,
    least = gigabyte,
    times = 2,
    warnBelow = 5 * gigabyte,
    freeAt = freeBytesAt,
  }: DiskLimits = {},
): Promise<DiskAnswer> {
  const directory = existsSync(workspace.worktrees)
    ? workspace.worktrees
    : path.dirname(workspace.worktrees);
  const free = await freeAt(directory);
  const size = tree === undefined ? null : await sizeOf(workspace, tree);
  const needed = Math.max(least, times * (size ?? 0));
  if (free < needed)
    throw new Error(
      `Expected at least ${wordsOf(needed)} free at ${directory} before a worktree is made, but there are ${wordsOf(free)}. Make room ("orchestra gc --dry-run" shows what of ours may go), then go on.`,
    );
  return {
    free,
    size,
    warning:
      free < warnBelow
        ? `Only ${wordsOf(free)} are free at ${directory}. Below ${wordsOf(needed)} no worktree is made.`
        : null,
  };
}

export async function freeBytesAt(directory: string): Promise<number> {
  const {bavail, bsize} = await statfs(directory);
  return bavail * bsize;
}

/** The bytes of everything in a tree, counted once for each. */
async function sizeOf(workspace: Workspace, tree: string): Promise<number> {
  const file = path.join(workspace.private, 'sizes', tree);
  const known = tryReadText(file, {maxBytes: 1024});
  if (known !== undefined) return Number(known);
  const lines = await workspace.git(
    workspace.root,
    ['ls-tree', '-r', '-z', '--format=%(objectsize)', tree],
    {isRead: true},
  );
  const size = lines.split('\0').reduce((sum, line) => sum + (Number(line) || 0), 0);
  writeWhole(file, String(size));
  return size;
}

/** `1.5 GB`, `312 MB`, `4 kB`. */
export function wordsOf(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
  const value = bytes / unit;
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${name}`;
}

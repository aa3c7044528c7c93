import path from 'node:path';
import {existsSync} from 'node:fs';
import {statfs} from 'node:fs/promises';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from './records.ts';

export type DiskLimits = {
  /** The tree of the new worktree, for its size. Without it only `min` counts. */
  readonly tree?: string;
  /** Below this no worktree is made. @default 1 GB */
  readonly min?: number;
  /** Required free space as a multiple of the tree's size. @default 2 */
  readonly times?: number;
  /** Below this the answer has a warning. @default 5 GB */
  readonly warnBelow?: number;
  /** Free bytes on the disk of a directory. */
  readonly freeAt?: (directory: string) => Promise<number>;
};

export type DiskAnswer = {
  readonly free: number;
  readonly size: number | null;
  readonly warning: string | null;
};

const gigabyte = 1e9;

/** Throws when a new worktree could fill the disk: a full disk stops all work. */
export async function checkDisk(
  workspace: Workspace,
  {
    tree,
    min = gigabyte,
    times = 2,
    warnBelow = 5 * gigabyte,
    freeAt = freeBytesAt,
  }: DiskLimits = {},
): Promise<DiskAnswer> {
  const directory = existsSync(workspace.worktrees)
    ? workspace.worktrees
    : path.dirname(workspace.worktrees);
  const free = await freeAt(directory);
  const size = tree === undefined ? null : await readTreeSize(workspace, tree);
  const needed = Math.max(min, times * (size ?? 0));
  if (free < needed)
    throw new Error(
      `Expected at least ${formatBytes(needed)} free at ${directory} before a worktree ` +
        `is made, but there are ${formatBytes(free)}. Free some space ("orchestra gc ` +
        '--dry-run" lists what orchestra can remove), then resume.',
    );
  return {
    free,
    size,
    warning:
      free < warnBelow
        ? `Only ${formatBytes(free)} are free at ${directory}. Below ${formatBytes(needed)} no worktree is made.`
        : null,
  };
}

export async function freeBytesAt(directory: string): Promise<number> {
  const {bavail, bsize} = await statfs(directory);
  return bavail * bsize;
}

/** Total size of the files in a tree, cached by tree. */
async function readTreeSize(workspace: Workspace, tree: string): Promise<number> {
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
export function formatBytes(bytes: number): string {
  const [unit, name] = byteUnits.find(([size]) => bytes >= size) ?? [1e3, 'kB'];
  const value = bytes / unit;
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${name}`;
}

const byteUnits: readonly (readonly [size: number, name: string])[] = [
  [1e9, 'GB'],
  [1e6, 'MB'],
];

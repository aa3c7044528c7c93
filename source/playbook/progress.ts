import {createHash} from 'node:crypto';
import {lstatSync} from 'node:fs';
import path from 'node:path';
import type {Step} from '../documents/index.ts';
import {tryReadText, writeWhole} from '../files/index.ts';

/** How far an attempt has come, noted beside the worktree. It is believed only as far as the files bear it out (`beginOf`). */
export type Progress = {
  /** Names the attempt and its very steps. */
  readonly of: string;
  /** So many steps are done. */
  readonly done: number;
  readonly answer: string;
  /** Every file that a step touched. */
  readonly files: readonly NotedFile[];
  /** The change of a file that was about to be made. */
  readonly underWay?: {readonly path: string; readonly after: string | null};
};

export type NotedFile = {
  readonly path: string;
  /** Before the first step touched it, and after the last that did. */
  readonly first: string | null;
  readonly last: string | null;
};

export function nameOf(task: string, attempt: number, steps: readonly Step[]): string {
  return createHash('sha256')
    .update(JSON.stringify([task, attempt, steps]))
    .digest('hex');
}

/**
 * In git's own directory for this worktree: it is no part of what the task changed, and goes when the worktree goes.
 * Nothing where there is none; then every start begins at the first step.
 */
export function progressFileOf(directory: string): string | undefined {
  const entry = path.join(directory, '.git');
  const status = lstatSync(entry, {throwIfNoEntry: false});
  if (status?.isDirectory() === true) return path.join(entry, fileName);
  if (status?.isFile() !== true) return undefined;
  const target = /^gitdir: (?<target>[^\n]+)\n?$/.exec(tryReadText(entry, {maxBytes: 8192}) ?? '')
    ?.groups?.['target'];
  const place = target === undefined ? undefined : path.resolve(directory, target);
  return place !== undefined && lstatSync(place, {throwIfNoEntry: false})?.isDirectory() === true
    ? path.join(place, fileName)
    : undefined;
}

const fileName = 'orchestra-playbook.json';

export function readProgress(file: string): Progress | undefined {
  try {
    const value: unknown = JSON.parse(tryReadText(file, {maxBytes: mostBytes}) ?? '');
    return isProgress(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const mostBytes = 4 * 1024 * 1024;

/** Gives false where it cannot be noted: a read-only place, a full disk. The work goes on; a crash then costs more. */
export function noteProgress(file: string, progress: Progress): boolean {
  try {
    writeWhole(file, JSON.stringify(progress));
    return true;
  } catch {
    return false;
  }
}

function isProgress(value: unknown): value is Progress {
  if (!isRecord(value)) return false;
  const {of, done, answer, files, underWay} = value;
  const isWhole =
    typeof of === 'string' &&
    Number.isSafeInteger(done) &&
    Number(done) >= 0 &&
    typeof answer === 'string' &&
    Array.isArray(files);
  return (
    isWhole &&
    files.every(isNoted) &&
    (underWay === undefined ||
      (isRecord(underWay) && typeof underWay['path'] === 'string' && isHash(underWay['after'])))
  );
}

function isNoted(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['path'] === 'string' &&
    isHash(value['first']) &&
    isHash(value['last'])
  );
}

function isHash(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import path from 'node:path';
import {createHash} from 'node:crypto';
import {lstatSync} from 'node:fs';
import type {Step} from '../playbook/index.ts';
import {tryReadText, writeFileAtomic} from '../files/index.ts';

export type Begin = {
  /** Index of the first step to run; those before it are done. */
  readonly from: number;
  readonly answer: string;
  readonly files: readonly NotedFile[];
};

const atTheStart: Begin = {from: 0, answer: '', files: []};

/**
 * Where to continue after a crash. The recorded progress counts only if the files match it: at
 * least one was changed by the steps, and each has the recorded content. Otherwise (the worktree
 * was reset, a person edited it, nothing was changed yet) the attempt starts again at the first
 * step.
 */
export function findBegin(
  progress: StepProgress | undefined,
  key: string,
  steps: readonly Step[],
  hashOf: (path: string) => string | null,
): Begin {
  if (progress?.of !== key || progress.done > steps.length) return atTheStart;
  const {done, answer, underWay} = progress;
  // An interrupted command may have changed any file, but will not have restored the first content.
  const isInterrupted = steps[done]?.do === 'run';
  const isAsLeft = ({path, first, last}: NotedFile): boolean =>
    hashOf(path) === last || (isInterrupted && (first === last || hashOf(path) !== first));
  const made = isMade(underWay, hashOf) ? underWay : undefined;
  const files =
    made === undefined ? progress.files : withNotedFile(progress.files, made.path, made.after);
  if (!files.some(({first, last}) => first !== last) || !files.every(isAsLeft)) return atTheStart;
  return {from: made === undefined ? done : done + 1, answer, files};
}

function isMade(
  change: StepProgress['underWay'],
  hashOf: (path: string) => string | null,
): boolean {
  if (change === undefined) return false;
  return hashOf(change.path) === change.after;
}

/**
 * Records the current hash of a file. `before` is its first hash, if the file is not recorded yet.
 */
export function withNotedFile(
  files: readonly NotedFile[],
  path: string,
  last: string | null,
  before?: string | null,
): readonly NotedFile[] {
  const known = files.find((file) => file.path === path);
  if (known === undefined) return [...files, {path, first: before ?? null, last}];
  return files.map((file) => (file === known ? {...file, last} : file));
}

/**
 * The progress of an attempt, saved next to the worktree. It counts only if the files match it
 * (`findBegin`).
 */
export type StepProgress = {
  /** Key of the attempt and its exact steps (`attemptKey`). */
  readonly of: string;
  /** How many steps are done. */
  readonly done: number;
  readonly answer: string;
  /** Every file that a step touched. */
  readonly files: readonly NotedFile[];
  /** The file change that was about to be made. */
  readonly underWay?: {readonly path: string; readonly after: string | null};
};

export type NotedFile = {
  readonly path: string;
  /** Hashes: before the first step that touched it, and after the last. */
  readonly first: string | null;
  readonly last: string | null;
};

export function attemptKey(task: string, attempt: number, steps: readonly Step[]): string {
  return createHash('sha256')
    .update(JSON.stringify([task, attempt, steps]))
    .digest('hex');
}

/**
 * The path of the progress file, in git's own directory for this worktree: it is not part of the
 * task's change, and is removed with the worktree. Undefined if there is no such directory; then
 * every start begins at the first step.
 */
export function findProgressFile(directory: string): string | undefined {
  const entry = path.join(directory, '.git');
  const status = lstatSync(entry, {throwIfNoEntry: false});
  if (status?.isDirectory() === true) return path.join(entry, fileName);
  if (status?.isFile() !== true) return undefined;
  const target = /^gitdir: (?<target>[^\n]+)\n?$/.exec(tryReadText(entry, {maxBytes: 8192}) ?? '')
    ?.groups?.['target'];
  const gitDirectory = target === undefined ? undefined : path.resolve(directory, target);
  return gitDirectory !== undefined &&
    lstatSync(gitDirectory, {throwIfNoEntry: false})?.isDirectory() === true
    ? path.join(gitDirectory, fileName)
    : undefined;
}

const fileName = 'orchestra-playbook.json';

export function readProgress(file: string): StepProgress | undefined {
  try {
    const value: unknown = JSON.parse(tryReadText(file, {maxBytes}) ?? '');
    return isProgress(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxBytes = 4 * 1024 * 1024;

/**
 * Returns false if it cannot be written, for example on a full disk. The work continues; a crash
 * then repeats more steps.
 */
export function writeProgress(file: string, progress: StepProgress): boolean {
  try {
    writeFileAtomic(file, JSON.stringify(progress));
    return true;
  } catch {
    return false;
  }
}

function isProgress(value: unknown): value is StepProgress {
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

import os from 'node:os';
import {errorCode, sanitizeText} from '../shared/index.ts';

/** Takes about a millisecond: the calling process also forwards key presses. */
const sliceSize = 64;

/**
 * Maps a long list in slices, so that the event loop is not blocked. Drops undefined results, and
 * stops early when `isDone`.
 */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T) => R | undefined,
  isDone: () => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (isDone()) break;
    if (index > 0 && index % sliceSize === 0) await new Promise((resolve) => setImmediate(resolve));
    const result = map(item);
    if (result !== undefined) results.push(result);
  }

  return results;
}

/** Source of all answers, and the clock for their time. Tests use a small `/proc` of their own. */
export type Kernel = {
  readonly platform: string;
  readonly arch: string;
  readonly proc: string;
  /** PATH for `stty`, and on macOS for `ps`, `lsof` and `sysctl`, made by `trustedPath`. */
  readonly path: string;
  /** The user whose processes we may read; root may read all. */
  readonly uid: number;
  /** Wall clock, in milliseconds. */
  readonly now: () => number;
};

export function getKernel({path, now}: Pick<Kernel, 'path' | 'now'>): Kernel {
  return {
    platform: os.platform(),
    arch: os.arch(),
    proc: '/proc',
    path,
    uid: process.geteuid?.() ?? -1,
    now,
  };
}

/** The error code, such as `ENOENT` or `EACCES`. */
export function getErrorCode(error: unknown): string {
  return errorCode(error) ?? String(error);
}

/** `gone`: the process ended meanwhile, which is normal. `denied`: we may not read it. */
export type ReadAttempt<T> = {readonly value: T} | {readonly missing: 'gone' | 'denied'};

export function tryRead<T>(read: () => T): ReadAttempt<T> {
  try {
    return {value: read()};
  } catch (error) {
    return {
      missing: ['ENOENT', 'ESRCH', 'ENOTDIR'].includes(getErrorCode(error)) ? 'gone' : 'denied',
    };
  }
}

export function getValue<T>(attempt: ReadAttempt<T>): T | undefined {
  return 'value' in attempt ? attempt.value : undefined;
}

/**
 * Makes a name of a process or file safe to print: one line, no control characters, limited length.
 * Any user can choose such names (CVE-2024-58251).
 */
export function printable(text: string, limit = 200): string {
  const line = sanitizeText(text)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
  return line.length > limit ? `${line.slice(0, limit - 1).toWellFormed()}…` : line;
}

/** A value with its source and time, or why it could not be read. */
export type KernelFact<T> = {readonly source: string; readonly at: number} & (
  {readonly value: T} | {readonly unknown: string}
);

/** A piece of evidence for an answer, in the kernel's terms and safe to print. */
export type KernelProof = {readonly source: string; readonly text: string};

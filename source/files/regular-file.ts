import path from 'node:path';
import {
  constants,
  copyFileSync,
  rmSync,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import {Buffer} from 'node:buffer';
import {errorCode} from '../shared/index.ts';
import {
  type FileRefusal,
  refuseFile,
  refuseError,
  refuseKind,
  refuseSize,
  toFileKind,
} from './refusal.ts';
import {isWithin, openDirectory} from './open-directory.ts';

export type CopyOptions = ReadOptions & {
  /** The flags of `copyFileSync`. */
  readonly flags?: number;
};

/**
 * Copies a regular file in the kernel, so that blocks can be shared. An existing target is
 * replaced, never written through. Returns why the file was not copied; throws when the copy cannot
 * be written.
 */
export function copyRegularFile(
  from: string,
  to: string,
  {flags = 0, ...options}: CopyOptions,
): {readonly at: 'copied'} | FileRefusal {
  let failure: {readonly error: unknown} | undefined;
  const result = withRegularFile(from, options, (opened) => {
    try {
      rmSync(to, {force: true});
      // By descriptor: the path may name another file by now.
      copyFileSync(
        process.platform === 'linux' ? `/proc/self/fd/${opened}` : from,
        to,
        flags | exclusive,
      );
    } catch (error) {
      failure = {error};
    }

    return {at: 'copied'} as const;
  });
  if (failure !== undefined) throw failure.error;
  return result;
}

/** COPYFILE_EXCL: also a link that is created at this moment is not followed. */
const exclusive = constants.COPYFILE_EXCL;

/**
 * `inside`: a link is followed if its target is inside of `below`. `follow`: every link is
 * followed; only for files that the person chose.
 */
export type LinkPolicy = 'refuse' | 'inside' | 'follow';

export type ReadOptions = {
  readonly maxBytes: number;
  /**
   * A trusted directory: no part of the path below it may be a link. Without it only the last part
   * is checked.
   */
  readonly below?: string;
  /** @default 'refuse' */
  readonly links?: LinkPolicy;
};

export type FileReadResult =
  {readonly at: 'read'; readonly bytes: Buffer; readonly mode: number} | FileRefusal;

/** Never throws, never blocks, and reads at most `maxBytes`, even if the file grows meanwhile. */
export function readRegularFile(file: string, options: ReadOptions): FileReadResult {
  return withRegularFile(file, options, (opened, stats) =>
    readAll(opened, stats, options.maxBytes),
  );
}

/** The text of a file; `undefined` if it is missing or rejected. */
export function tryReadText(file: string, options: ReadOptions): string | undefined {
  const reading = readRegularFile(file, options);
  return reading.at === 'read' ? reading.bytes.toString('utf8') : undefined;
}

/** For callers that show errors. */
export function bytesOrThrow(file: string, reading: FileReadResult): Buffer {
  if (reading.at === 'refused') throw new Error(`${file} ${reading.message}`);
  return reading.bytes;
}

/** Opens a regular file, checks what was really opened, and passes the descriptor on. */
export function withRegularFile<T>(
  file: string,
  {maxBytes, below, links = 'refuse'}: ReadOptions,
  act: (opened: number, stats: Stats) => T,
): T | FileRefusal {
  try {
    const target = links === 'refuse' ? file : realpathSync(file);
    if (links === 'follow' || below === undefined) return openAndAct(target, maxBytes, act);
    if (links === 'inside' && !isWithin(realpathSync(below), target))
      return refuseFile('link', `is a link that leads outside ${below}. Put the file itself there`);
    const place = openDirectory(
      links === 'inside' ? realpathSync(below) : below,
      path.dirname(target),
    );
    if (place.at === 'refused') return place;
    try {
      return openAndAct(path.join(place.name, path.basename(target)), maxBytes, act);
    } finally {
      place.close();
    }
  } catch (error) {
    return refuseError(error);
  }
}

function openAndAct<T>(
  file: string,
  maxBytes: number,
  act: (opened: number, stats: Stats) => T,
): T | FileRefusal {
  // The check comes before the open: opening alone would wake the writer of a pipe, and has effects
  // on some devices.
  const seen = lstatSync(file);
  if (!seen.isFile()) return refuseKind(toFileKind(seen));
  const opened = openSync(
    file,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) return refuseKind(toFileKind(stats));
    return stats.size > maxBytes ? refuseSize(maxBytes) : act(opened, stats);
  } finally {
    closeSync(opened);
  }
}

function readAll(opened: number, {size, mode}: Stats, maxBytes: number): FileReadResult {
  // One byte more than its size shows whether the file has grown.
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(opened, buffer, length, buffer.length - length, null);
    length += count;
    if (length > maxBytes) return refuseSize(maxBytes);
    if (count === 0) return {at: 'read', bytes: buffer.subarray(0, length), mode: mode & 0o777};
    if (length === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maxBytes + 1));
  }
}

/**
 * Tells two versions of a file apart without opening it; empty if there is none. Never throws: a
 * circle of links has a fingerprint too.
 */
export function fileFingerprint(file: string): string {
  try {
    const found = statSync(file, {throwIfNoEntry: false, bigint: true});
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

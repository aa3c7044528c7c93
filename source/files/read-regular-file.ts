import {Buffer} from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import {kindOf} from './kind-of.ts';
import {openPlace} from './open-place.ts';
import {refuse, refuseError, refuseKind, refuseSize, type FileRefusal} from './refusal.ts';

/** `inside`: a link is followed when it ends inside of `below`. `follow`: any link is; only for what a person chose or named themselves. */
export type LinkPolicy = 'refuse' | 'inside' | 'follow';

export type ReadOptions = {
  readonly maxBytes: number;
  /** A directory that is trusted: below it no part of the path may be a link. Without it only the last part is looked at. */
  readonly below?: string;
  /** @default 'refuse' */
  readonly links?: LinkPolicy;
};

export type FileReading =
  {readonly at: 'read'; readonly bytes: Buffer; readonly mode: number} | FileRefusal;

/** Never throws, never waits for whoever made the file, and reads at most `maxBytes`, also of a file that grows meanwhile. */
export function readRegularFile(file: string, options: ReadOptions): FileReading {
  return withRegularFile(file, options, (opened, stats) =>
    readAll(opened, stats, options.maxBytes),
  );
}

/** The text of a file; nothing when it is not there or is refused, for whoever treats both the same. */
export function tryReadText(file: string, options: ReadOptions): string | undefined {
  const reading = readRegularFile(file, options);
  return reading.at === 'read' ? reading.bytes.toString('utf8') : undefined;
}

/** For those whose caller shows errors. */
export function bytesOrThrow(file: string, reading: FileReading): Buffer {
  if (reading.at === 'refused') throw new Error(`${file} ${reading.message}`);
  return reading.bytes;
}

/** Opens a regular file, looks at what was really opened, and hands it over. */
export function withRegularFile<T>(
  file: string,
  {maxBytes, below, links = 'refuse'}: ReadOptions,
  act: (opened: number, stats: Stats) => T,
): T | FileRefusal {
  try {
    const target = links === 'refuse' ? file : realpathSync(file);
    if (links === 'follow' || below === undefined) return openAndAct(target, maxBytes, act);
    if (links === 'inside' && !isInside(realpathSync(below), target))
      return refuse('link', `is a link that leads out of ${below}. Put the file itself there`);
    const place = openPlace(links === 'inside' ? realpathSync(below) : below, path.dirname(target));
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
  // Looked at before it is opened: opening alone wakes whoever writes to a pipe, and does something to some devices.
  const seen = lstatSync(file);
  if (!seen.isFile()) return refuseKind(kindOf(seen));
  const opened = openSync(
    file,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) return refuseKind(kindOf(stats));
    return stats.size > maxBytes ? refuseSize(maxBytes) : act(opened, stats);
  } finally {
    closeSync(opened);
  }
}

function readAll(opened: number, {size, mode}: Stats, maxBytes: number): FileReading {
  // One byte more than it says it has shows whether it has grown.
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

export function isInside(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

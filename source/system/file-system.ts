import path from 'node:path';
import {readdirSync, statSync, type Dirent, statfsSync, lstatSync, realpathSync} from 'node:fs';
import {getValue, tryRead} from './kernel.ts';

export type NewestChange = {
  readonly file: string;
  readonly at: number;
  /** The tree has more entries than were read. */ readonly isCut?: true;
};

/** Output of builds and tools: not the code that a server serves. */
const skippedNames = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'coverage',
  'vendor',
  '__pycache__',
]);

/** Reading stops after so many entries. */
const maxEntries = 20_000;

/**
 * The most recently changed file below a directory. Skips hidden entries and does not follow links.
 */
export function findNewestChange(directory: string): NewestChange | undefined {
  const folders = [directory];
  let left = maxEntries;
  let newest: NewestChange | undefined;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of entriesIn(folder)) {
      left -= 1;
      if (entry.name.startsWith('.') || skippedNames.has(entry.name)) continue;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(file);
      if (!entry.isFile()) continue;
      const at = statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0;
      if (newest === undefined || at > newest.at) newest = {file, at};
    }
  }

  return newest === undefined || left > 0 ? newest : {...newest, isCut: true};
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

/** `maybe`: fuse, which can be local or remote. */
export type FileSystem = {
  readonly name: string;
  readonly isNetwork: 'yes' | 'no' | 'maybe' | 'unknown';
};

/**
 * From linux/magic.h: file systems on which locks and renames are not reliable. Any other number
 * counts as local.
 */
const remoteFileSystems: ReadonlyMap<number, FileSystem> = new Map([
  [0x69_69, {name: 'nfs', isNetwork: 'yes'}],
  [0x51_7b, {name: 'smb', isNetwork: 'yes'}],
  [0xfe_53_4d_42, {name: 'smb', isNetwork: 'yes'}],
  [0xff_53_4d_42, {name: 'cifs', isNetwork: 'yes'}],
  [0x01_02_19_97, {name: '9p', isNetwork: 'yes'}],
  [0x00_c3_64_00, {name: 'ceph', isNetwork: 'yes'}],
  [0x53_46_41_4f, {name: 'afs', isNetwork: 'yes'}],
  [0x65_73_55_46, {name: 'fuse', isNetwork: 'maybe'}],
]);

/** The file system of the nearest existing parent directory. Only Linux reports it by number. */
export function readFileSystem(directory: string, platform: string): FileSystem {
  if (platform !== 'linux') return {name: 'unknown', isNetwork: 'unknown'};
  try {
    return getFileSystem(statfsSync(directory).type);
  } catch {
    const parent = path.dirname(directory);
    return parent === directory
      ? {name: 'unknown', isNetwork: 'unknown'}
      : readFileSystem(parent, platform);
  }
}

/** `>>> 0`: a 32-bit kernel reports the large numbers as negative. */
export function getFileSystem(type: number): FileSystem {
  return remoteFileSystems.get(type >>> 0) ?? {name: 'local', isNetwork: 'no'};
}

/** The kind of a path and its real path; for a missing path, the real path that it would have. */
export function inspectPath(name: string): {
  readonly kind: 'directory' | 'file' | 'link' | 'missing';
  readonly real: string;
} {
  const real = tryRealPath(name);
  if (real !== undefined)
    return {
      kind: statSync(real, {throwIfNoEntry: false})?.isDirectory() === true ? 'directory' : 'file',
      real,
    };
  const isLink = getValue(tryRead(() => lstatSync(name).isSymbolicLink()));
  return {
    kind: isLink === true ? 'link' : 'missing',
    real: path.join(getRealParent(name), path.basename(name)),
  };
}

function getRealParent(name: string): string {
  const parent = path.dirname(name);
  return parent === name
    ? name
    : (tryRealPath(parent) ?? path.join(getRealParent(parent), path.basename(parent)));
}

/** The path without links; undefined when it does not exist or cannot be read. */
export function tryRealPath(name: string): string | undefined {
  return getValue(tryRead(() => realpathSync(name)));
}

export type DiskSpace = {
  readonly path: string;
  /** Bytes that this user may still write. */
  readonly free: number;
  readonly total: number;
};

/** The disk of the nearest existing parent directory; undefined when it cannot be read. */
export function readDisk(directory: string): DiskSpace | undefined {
  try {
    const {bavail, blocks, bsize} = statfsSync(directory);
    return {path: directory, free: bavail * bsize, total: blocks * bsize};
  } catch {
    const parent = path.dirname(directory);
    return parent === directory ? undefined : readDisk(parent);
  }
}

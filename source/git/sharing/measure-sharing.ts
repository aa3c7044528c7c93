import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {constants, linkSync, lstatSync, mkdirSync, rmSync, rmdirSync} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import {streamDirectory} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {getOwnPlace} from '../worktrees/paths.ts';
import type {ShareWay} from './copy-tree.ts';

export type ShareCost = {
  readonly bytes: number;
  readonly files: number;
  /** Counting stopped at a limit: the numbers are minimums. */
  readonly isCut: boolean;
  /**
   * Estimated time of each method for one worktree, from a sample. Methods that do not work on this
   * disk are absent.
   */
  readonly ways: readonly {readonly how: ShareWay; readonly ms: number}[];
};

const maxFiles = 200_000;
const sample = {files: 200, bytes: 8 * 1024 * 1024};

/**
 * Size of a directory of the checkout, and how long sharing it takes. Copies a sample into a
 * private directory.
 */
export async function measureSharing(workspace: Workspace, name: string): Promise<ShareCost> {
  const found = {
    bytes: 0,
    files: 0,
    isCut: false,
    some: [] as {readonly file: string; readonly bytes: number}[],
  };
  await countFiles(path.join(workspace.root, name), found);
  return {
    bytes: found.bytes,
    files: found.files,
    isCut: found.isCut,
    ways: await measureWays(workspace, found),
  };
}

type CountedFiles = {
  bytes: number;
  files: number;
  isCut: boolean;
  some: {readonly file: string; readonly bytes: number}[];
};

async function countFiles(directory: string, found: CountedFiles): Promise<void> {
  for await (const {name, kind} of streamDirectory(directory)) {
    if (found.files >= maxFiles) {
      found.isCut = true;
      return;
    }

    const place = path.join(directory, name);
    if (kind === 'directory') await countFiles(place, found);
    else if (kind === 'file') {
      const bytes = lstatSync(place, {throwIfNoEntry: false})?.size ?? 0;
      found.files += 1;
      found.bytes += bytes;
      // The sample is spread over all files: the first ones are not representative.
      if (bytes < sample.bytes && (found.some.length < sample.files || found.files % 97 === 0))
        found.some[
          found.some.length < sample.files ? found.some.length : found.files % sample.files
        ] = {file: place, bytes};
    }
  }
}

async function measureWays(
  workspace: Workspace,
  {files, bytes, some}: CountedFiles,
): Promise<ShareCost['ways']> {
  if (some.length === 0) return [{how: 'copy', ms: 0}];
  const place = path.join(
    getOwnPlace(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  mkdirSync(place, {recursive: true, mode: 0o700});
  try {
    const ways: {how: ShareWay; ms: number}[] = [];
    for (const [how, act] of Object.entries(copyByWay) as [
      ShareWay,
      (from: string, to: string) => Promise<void>,
    ][]) {
      const done = await measureWay(place, some, act);
      if (done === undefined) continue;
      // The time of a copy also grows with the bytes, so the larger estimate counts.
      const times = Math.max(
        files / done.files,
        how === 'copy' && done.bytes > 0 ? bytes / done.bytes : 0,
      );
      ways.push({how, ms: Math.max(1, Math.round(done.ms * times))});
    }

    return ways;
  } finally {
    rmSync(place, {recursive: true, force: true});
    try {
      rmdirSync(path.dirname(place));
    } catch {
      // The directory is in use.
    }
  }
}

const copyByWay: Readonly<Record<ShareWay, (from: string, to: string) => Promise<void>>> = {
  reflink: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE),
  'hard-link': (from, to) => {
    linkSync(from, to);
    return Promise.resolve();
  },
  copy: (from, to) => copyFile(from, to),
};

/** Undefined when the method does not work on this disk. */
async function measureWay(
  place: string,
  some: CountedFiles['some'],
  act: (from: string, to: string) => Promise<void>,
): Promise<{readonly ms: number; readonly files: number; readonly bytes: number} | undefined> {
  const getName = (index: number): string => path.join(place, String(index));
  const began = performance.now();
  try {
    const done = {files: 0, bytes: 0};
    for (const [index, {file, bytes}] of some.entries()) {
      if (done.bytes > sample.bytes) break;
      await act(file, getName(index));
      done.files += 1;
      done.bytes += bytes;
    }

    return {...done, ms: performance.now() - began};
  } catch {
    return undefined;
  } finally {
    for (const index of some.keys()) rmSync(getName(index), {force: true});
  }
}

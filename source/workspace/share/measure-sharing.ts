import {randomBytes} from 'node:crypto';
import {constants, linkSync, lstatSync, mkdirSync, rmSync, rmdirSync} from 'node:fs';
import {copyFile} from 'node:fs/promises';
import path from 'node:path';
import {streamDirectory} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {ownPlaceOf} from '../worktree/names.ts';
import type {ShareWay} from './copy-tree.ts';

export type ShareCost = {
  readonly bytes: number;
  readonly files: number;
  /** There is more than was counted: the numbers are the least that it is. */
  readonly isCut: boolean;
  /** What each way would take for one worktree, measured on a sample. A way that does not work on this disk is not there. */
  readonly ways: readonly {readonly how: ShareWay; readonly ms: number}[];
};

const maxFiles = 200_000;
const sample = {files: 200, bytes: 8 * 1024 * 1024};

/** How large a directory of the checkout is, and how long it takes to share it. Only a sample is copied, into a place of our own. */
export async function measureSharing(workspace: Workspace, name: string): Promise<ShareCost> {
  const found = {
    bytes: 0,
    files: 0,
    isCut: false,
    some: [] as {readonly file: string; readonly bytes: number}[],
  };
  await count(path.join(workspace.root, name), found);
  return {
    bytes: found.bytes,
    files: found.files,
    isCut: found.isCut,
    ways: await measureWays(workspace, found),
  };
}

type Found = {
  bytes: number;
  files: number;
  isCut: boolean;
  some: {readonly file: string; readonly bytes: number}[];
};

async function count(directory: string, found: Found): Promise<void> {
  for await (const {name, kind} of streamDirectory(directory)) {
    if (found.files >= maxFiles) {
      found.isCut = true;
      return;
    }

    const place = path.join(directory, name);
    if (kind === 'directory') await count(place, found);
    else if (kind === 'file') {
      const bytes = lstatSync(place, {throwIfNoEntry: false})?.size ?? 0;
      found.files += 1;
      found.bytes += bytes;
      // Spread over the whole of it: the first files of a directory say little about the others.
      if (bytes < sample.bytes && (found.some.length < sample.files || found.files % 97 === 0))
        found.some[
          found.some.length < sample.files ? found.some.length : found.files % sample.files
        ] = {file: place, bytes};
    }
  }
}

async function measureWays(
  workspace: Workspace,
  {files, bytes, some}: Found,
): Promise<ShareCost['ways']> {
  if (some.length === 0) return [{how: 'copy', ms: 0}];
  const place = path.join(
    ownPlaceOf(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  mkdirSync(place, {recursive: true, mode: 0o700});
  try {
    const ways: {how: ShareWay; ms: number}[] = [];
    for (const [how, act] of Object.entries(acts) as [
      ShareWay,
      (from: string, to: string) => Promise<void>,
    ][]) {
      const done = await measure(place, some, act);
      if (done === undefined) continue;
      // Of a copy, time grows with the bytes as well; the larger of both is believed.
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
      // Others are at work in it.
    }
  }
}

const acts: Readonly<Record<ShareWay, (from: string, to: string) => Promise<void>>> = {
  reflink: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE),
  'hard-link': (from, to) => {
    linkSync(from, to);
    return Promise.resolve();
  },
  copy: (from, to) => copyFile(from, to),
};

/** Nothing when it does not work here. */
async function measure(
  place: string,
  some: Found['some'],
  act: (from: string, to: string) => Promise<void>,
): Promise<{readonly ms: number; readonly files: number; readonly bytes: number} | undefined> {
  const nameOf = (index: number): string => path.join(place, String(index));
  const began = performance.now();
  try {
    const done = {files: 0, bytes: 0};
    for (const [index, {file, bytes}] of some.entries()) {
      if (done.bytes > sample.bytes) break;
      await act(file, nameOf(index));
      done.files += 1;
      done.bytes += bytes;
    }

    return {...done, ms: performance.now() - began};
  } catch {
    return undefined;
  } finally {
    for (const index of some.keys()) rmSync(nameOf(index), {force: true});
  }
}

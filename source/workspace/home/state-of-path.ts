import {readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Difference} from '../change/differences-of.ts';
import {readRegularFile} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {runIn, type Place} from './run-in.ts';
import {statAt} from './stat-at.ts';

export type PathState = 'old' | 'new' | 'half' | 'edited';

/**
 * What stands in a checkout at a path after a crash: what was there, what is to be there, half of the way between (nothing,
 * or the beginning of the new file), or something else, which is a person's.
 */
export async function stateOfPath(
  workspace: Workspace,
  place: Place,
  {
    difference,
    stagedOld,
    stagedNew,
  }: {readonly difference: Difference; readonly stagedOld: string; readonly stagedNew: string},
): Promise<PathState> {
  const file = difference.path;
  const now = bytesAt(path.join(place.directory, file));
  const before = difference.old === null ? undefined : bytesAt(path.join(stagedOld, file));
  const after = difference.new === null ? undefined : bytesAt(path.join(stagedNew, file));
  if (isEqual(now, before)) return 'old';
  if (isEqual(now, after)) return 'new';
  if (now === undefined) return 'half';
  if (
    now.kind === after?.kind &&
    now.bytes.length < after.bytes.length &&
    after.bytes.subarray(0, now.bytes.length).equals(now.bytes)
  )
    return 'half';
  // Line ends may differ from what a checkout writes and still be what was committed.
  if (
    now.kind === before?.kind &&
    now.kind !== 'link' &&
    now.kind !== 'other' &&
    difference.old !== null &&
    (await hashOf(workspace, place, file)) === difference.old.object
  )
    return 'old';
  return 'edited';
}

type Bytes = {readonly kind: 'link' | 'file' | 'program' | 'other'; readonly bytes: Buffer};

/** A directory counts as nothing: what is in it has paths of its own. */
function bytesAt(full: string): Bytes | undefined {
  const stat = statAt(full);
  if (stat === undefined || stat.isDirectory()) return undefined;
  if (stat.isSymbolicLink()) return {kind: 'link', bytes: readlinkSync(full, {encoding: 'buffer'})};
  const reading = readRegularFile(full, {maxBytes: 4 * 1024 ** 3});
  // A pipe or a device was put there by somebody, as an edit would be.
  if (reading.at === 'refused') return {kind: 'other', bytes: Buffer.alloc(0)};
  return {kind: (reading.mode & 0o100) === 0 ? 'file' : 'program', bytes: reading.bytes};
}

function isEqual(one: Bytes | undefined, other: Bytes | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.kind === other.kind && one.bytes.equals(other.bytes);
}

async function hashOf(workspace: Workspace, place: Place, file: string): Promise<string> {
  return (
    await runIn(workspace, place, ['hash-object', '--', path.join(place.directory, file)], {
      isRead: true,
    })
  ).trim();
}

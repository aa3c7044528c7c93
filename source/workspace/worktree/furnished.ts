import {createHash} from 'node:crypto';
import {lstatSync, readlinkSync, rmSync} from 'node:fs';
import path from 'node:path';
import {readRegularFile, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from './write-whole.ts';

/** What was copied into a worktree: path → hash of its content then. Whoever removes the worktree keeps what differs. */
export type Furnished = Readonly<Record<string, string>>;

export function readFurnished(workspace: Workspace, place: string): Furnished {
  try {
    return JSON.parse(
      tryReadText(furnishedFileOf(workspace, place), {maxBytes: 256 * 1024 * 1024}) ?? '',
    ) as Furnished;
  } catch {
    return {};
  }
}

export function writeFurnished(workspace: Workspace, place: string, furnished: Furnished): void {
  writeWhole(furnishedFileOf(workspace, place), `${JSON.stringify(furnished)}\n`);
}

export function furnishedFileOf(workspace: Workspace, place: string): string {
  return path.join(
    workspace.private,
    'furnished',
    `${createHash('sha256').update(place).digest('hex').slice(0, 24)}.json`,
  );
}

/** Which entries of the project file have reached a worktree: what its task removes later is not brought again. */
export function readBrought(workspace: Workspace, place: string): ReadonlySet<string> {
  try {
    return new Set(
      JSON.parse(
        tryReadText(broughtFileOf(workspace, place), {maxBytes: 16 * 1024 * 1024}) ?? '',
      ) as readonly string[],
    );
  } catch {
    return new Set();
  }
}

export function writeBrought(
  workspace: Workspace,
  place: string,
  brought: ReadonlySet<string>,
): void {
  writeWhole(broughtFileOf(workspace, place), `${JSON.stringify([...brought])}\n`);
}

export function forgetFurnished(workspace: Workspace, place: string): void {
  for (const file of [furnishedFileOf(workspace, place), broughtFileOf(workspace, place)])
    rmSync(file, {force: true});
}

function broughtFileOf(workspace: Workspace, place: string): string {
  return furnishedFileOf(workspace, place).replace(/\.json$/, '.entries.json');
}

export function hashOfFile(file: string): string {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  const reading = readRegularFile(file, {maxBytes: 256 * 1024 * 1024});
  if (reading.at === 'read') return createHash('sha256').update(reading.bytes).digest('hex');
  // Two of these never count as the same: what may have been changed is kept.
  return reading.why === 'too-large' ? `large ${stat.size} ${stat.mtimeMs} ${stat.ino}` : 'other';
}

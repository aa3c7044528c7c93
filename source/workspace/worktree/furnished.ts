import {createHash} from 'node:crypto';
import {lstatSync, readFileSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from './write-whole.ts';

/** What was copied into a worktree: path → hash of its content then. Whoever removes the worktree keeps what differs. */
export type Furnished = Readonly<Record<string, string>>;

export function readFurnished(workspace: Workspace, place: string): Furnished {
  try {
    return JSON.parse(readFileSync(furnishedFileOf(workspace, place), 'utf8')) as Furnished;
  } catch {
    return {};
  }
}

export function writeFurnished(workspace: Workspace, place: string, furnished: Furnished): void {
  writeWhole(furnishedFileOf(workspace, place), `${JSON.stringify(furnished)}\n`);
}

export function furnishedFileOf(workspace: Workspace, place: string): string {
  return path.join(workspace.private, 'furnished', `${createHash('sha256').update(place).digest('hex').slice(0, 24)}.json`);
}

export function hashOfFile(file: string): string {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  return stat.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'other';
}

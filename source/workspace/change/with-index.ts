import {randomBytes} from 'node:crypto';
import {mkdirSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {namesIn} from '../worktree/note.ts';

const aDay = 24 * 60 * 60 * 1000;

/** An index of our own for as long as `act` takes. What a crash leaves of one is swept after a day. */
export async function withIndex<T>(
  workspace: Workspace,
  act: (index: string) => Promise<T>,
): Promise<T> {
  const place = path.join(workspace.private, 'indexes');
  mkdirSync(place, {recursive: true, mode: 0o700});
  sweep(place, workspace.now() - aDay);
  const index = path.join(place, randomBytes(8).toString('hex'));
  try {
    return await act(index);
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

function sweep(place: string, before: number): void {
  for (const name of namesIn(place)) {
    const file = path.join(place, name);
    if ((statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? before) < before)
      rmSync(file, {force: true});
  }
}

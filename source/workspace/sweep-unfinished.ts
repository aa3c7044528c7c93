import {rmSync, statSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {Workspace} from './open-workspace.ts';
import {ownPlaceOf} from './worktree/names.ts';
import {namesIn} from './worktree/note.ts';

/**
 * What a daemon that was killed had under its hands: indexes and lists that have names of their own, made anew each time.
 * Nobody looks for them again. Only for the one daemon, with the moment at which it began: what is younger is its own.
 */
export function sweepUnfinished({private: own}: Pick<Workspace, 'private'>, began: number): void {
  const unfinished = [
    ...namesIn(own).filter((name) => /^patterns-[0-9a-f]{8}$/.test(name)),
    ...namesIn(path.join(own, 'index'))
      .filter((name) => /\.[0-9a-f]{8}(?:\.lock)?$|\.tmp$/.test(name))
      .map((name) => path.join('index', name)),
    ...namesIn(path.join(own, 'indexes')).map((name) => path.join('indexes', name)),
  ];
  for (const file of unfinished.map((name) => path.join(own, name))) {
    if ((statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? began) < began)
      rmSync(file, {force: true});
  }
}

/** Directories of dependencies that were on their way into a worktree: nobody waits for them any more. */
export async function sweepHalfShared(workspace: Workspace, began: number): Promise<void> {
  const making = ownPlaceOf(workspace, 'making');
  for (const place of namesIn(making)
    .filter((name) => /^share-[0-9a-f]{10}(?:\.probe)?$/.test(name))
    .map((name) => path.join(making, name))) {
    if ((statSync(place, {throwIfNoEntry: false})?.ctimeMs ?? began) < began)
      await rm(place, {recursive: true, force: true, maxRetries: 3});
  }
}

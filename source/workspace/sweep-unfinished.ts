import {rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from './open-workspace.ts';
import {namesIn} from './worktree/note.ts';

/**
 * What a daemon that was killed had under its hands: indexes and lists that have names of their own, made anew each time.
 * Nobody looks for them again. Only for the one daemon, with the moment at which it began: what is younger is its own.
 */
export function sweepUnfinished({private: own}: Pick<Workspace, 'private'>, began: number): void {
  const unfinished = [
    ...namesIn(own).filter((name) => /^patterns-[0-9a-f]{8}$/.test(name)),
    ...namesIn(path.join(own, 'index')).filter((name) => /\.[0-9a-f]{8}(?:\.lock)?$|\.tmp$/.test(name)).map((name) => path.join('index', name)),
    ...namesIn(path.join(own, 'indexes')).map((name) => path.join('indexes', name)),
  ];
  for (const file of unfinished.map((name) => path.join(own, name))) {
    if ((statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? began) < began) rmSync(file, {force: true});
  }
}

import path from 'node:path';
import {entriesOf} from '../../base/index.ts';
import {isLive} from '../../domain/index.ts';
import {dropGitView, gitViewNames} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {sweepCaches} from './caches.ts';

/** What belonged to confined commands that are over: their layers of caches, and the git files of checks. Those of tasks stay with their worktree. */
export function sweepConfinements(workshop: Workshop): void {
  sweepCaches(workshop);
  const {state, store} = workshop;
  const live = new Set(
    entriesOf(state().sessions)
      .filter(isLive)
      .map(({id}) => store.cookieOf(id)),
  );
  // Without opening the repository: a daemon that keeps sessions only needs no git.
  const workspace = {private: path.join(workshop.stateDirectory, 'workspace')};
  for (const name of gitViewNames(workspace)) {
    if (name.startsWith(`${store.name}-s`) && !live.has(name)) dropGitView(workspace, name);
  }
}

import type {Workspace} from '../open-workspace.ts';
import {slugOf} from '../worktree/names.ts';
import {readRemoval} from './removal.ts';

/** How to get back what was kept of a worktree that is gone: sentences and commands. */
export function keptWords(workspace: Workspace, owner: string): readonly string[] {
  return readRemoval(workspace, slugOf(owner))?.how ?? [];
}

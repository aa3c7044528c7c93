import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {isInside} from '../worktree/names.ts';

/** `.git/hooks/pre-commit`, `~/.gitconfig`, or the whole path. */
export function nameOf({root, commonDirectory, home}: Workspace, file: string): string {
  if (isInside(commonDirectory, file))
    return path.join('.git', path.relative(commonDirectory, file));
  if (isInside(root, file)) return path.relative(root, file);
  return home !== null && isInside(home, file) ? `~/${path.relative(home, file)}` : file;
}

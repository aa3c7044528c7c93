import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {namesIn} from './note.ts';

/** One worktree as git has it written down. Read from its files: no git runs, so nothing else does. */
export type Registered = {
  readonly admin: string;
  /** Where it says that the worktree is; null when it says nothing (a half-made one). */
  readonly path: string | null;
  /** `ref: refs/heads/x`, or a commit. */
  readonly head: string | null;
  readonly locked: string | null;
};

export function readRegistered(workspace: Workspace): readonly Registered[] {
  const directory = path.join(workspace.commonDirectory, 'worktrees');
  return namesIn(directory).map((name) => registeredAt(path.join(directory, name)));
}

export function registeredAt(admin: string): Registered {
  const below = path.dirname(admin);
  const gitdir = lineOf(path.join(admin, 'gitdir'), below);
  return {
    admin,
    path: gitdir === null ? null : path.dirname(path.resolve(admin, gitdir)),
    head: lineOf(path.join(admin, 'HEAD'), below),
    locked: lineOf(path.join(admin, 'locked'), below),
  };
}

/** The directory that a worktree's `.git` file names; null when it is no such file. */
export function linkOf(directory: string): string | null {
  const line = lineOf(path.join(directory, '.git'), path.dirname(directory));
  return line?.startsWith('gitdir: ') === true
    ? path.resolve(directory, line.slice('gitdir: '.length))
    : null;
}

/** Agents can write where these files are: no link is followed below `below`. */
export function lineOf(file: string, below: string = path.dirname(file)): string | null {
  const line = (tryReadText(file, {maxBytes: 64 * 1024, below}) ?? '').trim();
  return line === '' ? null : line;
}

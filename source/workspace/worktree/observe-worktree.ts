import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isThere} from './names.ts';
import type {Note} from './note.ts';
import {lineOf, linkOf, registeredAt} from './registered.ts';

/** `partial` goes on where it was; `absent` may be half there, but begins anew; `foreign` is left alone. */
export type Seen = 'absent' | 'partial' | 'done' | 'foreign';

export type Expected = {readonly commit: string; readonly asked: string | null};

/** What is there of a worktree that nobody has worked in. Reads files; runs nothing. */
export function observeWorktree(
  workspace: Workspace,
  note: Note | undefined,
  {commit, asked}: Expected,
): Seen {
  if (note === undefined) return 'absent';
  const isStaged = isLinked(note, note.stage);
  if (note.at === 'staging') return 'absent';
  if (note.at === 'ready') return isStaged && note.from === commit ? 'partial' : 'absent';
  const isPlaced =
    note.path !== null &&
    !isThere(note.stage) &&
    linkOf(note.path) === note.admin &&
    note.admin !== null &&
    isThere(path.join(note.admin, 'HEAD'));
  if (note.at === 'placing') {
    if (isStaged) return note.from === commit && note.asked === asked ? 'partial' : 'absent';
    return isPlaced ? 'partial' : 'absent';
  }

  if (!isPlaced) return note.path !== null && isThere(note.path) ? 'foreign' : 'absent';
  return note.from === commit && note.asked === asked && hasItsHead(workspace, note)
    ? 'done'
    : 'foreign';
}

function isLinked({admin}: Note, directory: string): boolean {
  return admin !== null && linkOf(directory) === admin && registeredAt(admin).path === directory;
}

function hasItsHead(workspace: Workspace, {admin, branch, from}: Note): boolean {
  if (admin === null) return false;
  const head = lineOf(path.join(admin, 'HEAD'));
  if (branch === null) return head === from;
  if (head !== `ref: refs/heads/${branch}`) return false;
  return tipOf(workspace, `refs/heads/${branch}`) === from;
}

function tipOf({commonDirectory}: Workspace, ref: string): string | undefined {
  const loose = lineOf(path.join(commonDirectory, ...ref.split('/')));
  if (loose !== null) return loose;
  return tryReadText(path.join(commonDirectory, 'packed-refs'), {
    maxBytes: 256 * 1024 * 1024,
    links: 'follow',
  })
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ', 1)[0];
}

import {rmSync, rmdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {outwait} from './live-git.ts';
import {slugOf} from './names.ts';
import {dropNote, type Note} from './note.ts';
import {forgetPrepared} from './prepared-shares.ts';
import {readRegistered} from './registered.ts';

/** Throws away what was begun in our own place, and what git knows of it. Nobody has worked in it. */
export async function discardStage(workspace: Workspace, note: Note): Promise<void> {
  // A git that outlived the daemon that started it would write on.
  await outwait([note.stage]);
  await workspace.inTurn(async () => {
    for (const {admin, path: place} of readRegistered(workspace)) {
      // The name has ten digits of chance in it: it is ours also when nothing else was written yet.
      const isNamed = path.basename(admin).startsWith(path.basename(note.stage));
      if (admin === note.admin || place === note.stage || (isNamed && place === null))
        dropAdmin(workspace, admin);
    }

    await rm(note.stage, {recursive: true, force: true, maxRetries: 3});
  });
  forgetPrepared(workspace, note.owner);
  dropNote(workspace, slugOf(note.owner));
}

/** Git's own directory of a worktree goes, and the one above when it was the last, as git itself does it. */
export function dropAdmin(workspace: Workspace, admin: string): void {
  rmSync(admin, {recursive: true, force: true});
  try {
    rmdirSync(path.join(workspace.commonDirectory, 'worktrees'));
  } catch {
    // Others are still there.
  }
}

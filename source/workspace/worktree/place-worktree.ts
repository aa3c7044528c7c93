import {lstatSync, mkdirSync, renameSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {chooseBranch} from './choose-branch.ts';
import {firstFree, isThere, slugOf} from './names.ts';
import {writeNote, type Note} from './note.ts';
import {pastLocks} from './past-locks.ts';
import {narrow, narrowWorktrees, permittedIn} from './permissions.ts';
import {lineOf, linkOf, readRegistered} from './registered.ts';
import {writeWhole} from './write-whole.ts';

export type Placed = {readonly path: string; readonly branch: string | null};

/** Gives a finished worktree its branch and puts it where people look for it. Each step is seen again after a crash. */
export async function placeWorktree(
  workspace: Workspace,
  note: Note,
  since: number | undefined,
): Promise<Placed> {
  return workspace.inTurn(async () => {
    const {admin, asked, from} = note;
    if (admin === null)
      throw new Error(
        `Expected ${note.stage} to be finished before it is moved, but git has no directory for it.`,
      );
    const isMoved = note.path !== null && !isThere(note.stage) && linkOf(note.path) === admin;
    const chosen =
      asked === null
        ? null
        : await chooseBranch(workspace, {asked, commit: from, noted: note.branch, admin});
    const place = isMoved ? note.path : choosePlace(workspace, note);
    const slug = slugOf(note.owner);
    const placing = writeNote(workspace, slug, {
      ...note,
      at: 'placing',
      branch: chosen?.name ?? null,
      path: place,
    });
    if (chosen !== null) {
      const ref = `refs/heads/${chosen.name}`;
      // The old value is "none": what somebody else makes at this moment is not taken over.
      if (!chosen.isThere)
        await pastLocks(workspace, since, () =>
          workspace.git(workspace.root, [
            'update-ref',
            '--create-reflog',
            '-m',
            'orchestra: made',
            ref,
            from,
            '0'.repeat(from.length),
          ]),
        );
      if (lineOf(path.join(admin, 'HEAD')) !== `ref: ${ref}`)
        await pastLocks(workspace, since, () =>
          workspace.git(workspace.root, ['--git-dir', admin, 'symbolic-ref', 'HEAD', ref]),
        );
    }

    // Before it is seen: what is copied into it later is nobody else's to read either.
    if (!isMoved) {
      narrow(note.stage, (gid) => permittedIn(workspace, gid));
      renameSync(note.stage, place);
    }

    writeWhole(path.join(admin, 'gitdir'), `${place}/.git\n`);
    writeNote(workspace, slug, {...placing, at: 'placed'});
    return {path: place, branch: chosen?.name ?? null};
  });
}

function choosePlace(workspace: Workspace, note: Note): string {
  mkdirSync(workspace.worktrees, {
    recursive: true,
    mode: 0o700 | permittedIn(workspace, process.getegid?.() ?? -1),
  });
  if (!lstatSync(workspace.worktrees).isDirectory())
    throw new Error(
      `Expected ${workspace.worktrees} to be a directory, but it is a link or a file. Move it away: worktrees for tasks are made there.`,
    );
  narrowWorktrees(workspace);
  const taken = new Set(
    readRegistered(workspace)
      .filter(({admin}) => admin !== note.admin)
      .map(({path: place}) => place),
  );
  const isFree = (place: string): boolean => !isThere(place) && !taken.has(place);
  if (note.path !== null && isFree(note.path)) return note.path;
  return path.join(
    workspace.worktrees,
    firstFree(slugOf(note.owner), (name) => isFree(path.join(workspace.worktrees, name))),
  );
}

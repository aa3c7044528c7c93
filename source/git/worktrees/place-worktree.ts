import path from 'node:path';
import {lstatSync, mkdirSync, renameSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {firstFree, isThere, toSlug} from './paths.ts';
import {
  readGitLink,
  readLine,
  readRegistered,
  type WorktreeNote,
  writeNote,
  writeWhole,
} from './records.ts';
import {retryPastLocks} from '../client/plumbing.ts';
import {narrow, narrowWorktrees, permittedIn} from './permissions.ts';

export type Placed = {readonly path: string; readonly branch: string | null};

/**
 * Gives a finished worktree its branch and moves it to its visible path. After a crash, finished
 * steps are recognised.
 */
export async function placeWorktree(
  workspace: Workspace,
  note: WorktreeNote,
  since: number | undefined,
): Promise<Placed> {
  return workspace.withLock(async () => {
    const {admin, asked, from} = note;
    if (admin === null)
      throw new Error(
        `Expected ${note.stage} to be finished before it is moved, but git has no directory for it.`,
      );
    const isMoved = note.path !== null && !isThere(note.stage) && readGitLink(note.path) === admin;
    const chosen =
      asked === null
        ? null
        : await chooseBranch(workspace, {asked, commit: from, noted: note.branch, admin});
    const place = isMoved ? note.path : choosePlace(workspace, note);
    const slug = toSlug(note.owner);
    const placing = writeNote(workspace, slug, {
      ...note,
      at: 'placing',
      branch: chosen?.name ?? null,
      path: place,
    });
    if (chosen !== null) {
      const ref = `refs/heads/${chosen.name}`;
      // The expected old value is "none", so that a branch that another process creates meanwhile
      // is not taken over.
      if (!chosen.isThere)
        await retryPastLocks(workspace, since, () =>
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
      if (readLine(path.join(admin, 'HEAD')) !== `ref: ${ref}`)
        await retryPastLocks(workspace, since, () =>
          workspace.git(workspace.root, ['--git-dir', admin, 'symbolic-ref', 'HEAD', ref]),
        );
    }

    // Restrict permissions before it is visible, because ignored files are copied into it later.
    if (!isMoved) {
      narrow(note.stage, (gid) => permittedIn(workspace, gid));
      renameSync(note.stage, place);
    }

    writeWhole(path.join(admin, 'gitdir'), `${place}/.git\n`);
    writeNote(workspace, slug, {...placing, at: 'placed'});
    return {path: place, branch: chosen?.name ?? null};
  });
}

function choosePlace(workspace: Workspace, note: WorktreeNote): string {
  mkdirSync(workspace.worktrees, {
    recursive: true,
    mode: 0o700 | permittedIn(workspace, process.getegid?.() ?? -1),
  });
  if (!lstatSync(workspace.worktrees).isDirectory())
    throw new Error(
      `Expected ${workspace.worktrees} to be a directory, but it is a link or a file. ` +
        'Move it away: worktrees for tasks are made there.',
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
    firstFree(toSlug(note.owner), (name) => isFree(path.join(workspace.worktrees, name))),
  );
}

export type BranchOptions = {
  readonly asked: string;
  readonly commit: string;
  /** The name that was chosen before a crash. We may have created the branch already. */
  readonly noted: string | null;
  readonly admin: string;
};

export type ChosenBranch = {readonly name: string; readonly isThere: boolean};

/** The branch of an earlier attempt if it is unchanged, otherwise the first free name. */
export async function chooseBranch(
  workspace: Workspace,
  {asked, commit, noted, admin}: BranchOptions,
): Promise<ChosenBranch> {
  const heads = await readHeads(workspace);
  if (noted !== null && heads.get(noted.toLowerCase()) === commit) {
    const others = readRegistered(workspace)
      .filter((other) => other.admin !== admin)
      .map(({head}) => head);
    const isElsewhere = [
      ...others,
      readLine(path.join(workspace.commonDirectory, 'HEAD')),
    ].includes(`ref: refs/heads/${noted}`);
    if (!isElsewhere) return {name: noted, isThere: true};
  }

  return {name: firstFreeBranch(heads, asked), isThere: false};
}

/**
 * A free branch name. Also avoids names that git cannot have beside existing ones: with a branch
 * `orchestra`, `orchestra/r1-t3` becomes `orchestra-2/r1-t3`.
 */
export async function freeBranch(workspace: Workspace, asked: string): Promise<string> {
  return firstFreeBranch(await readHeads(workspace), asked);
}

function firstFreeBranch(heads: ReadonlyMap<string, string>, asked: string): string {
  const names = [...heads.keys()];
  const parts = asked.split('/');
  return parts.reduce((before, part, index) => {
    const isLast = index === parts.length - 1;
    const free = firstFree(part, (candidate) => {
      // On some disks, names that differ only in case are the same.
      const whole = `${before}${candidate}`.toLowerCase();
      return !heads.has(whole) && !(isLast && names.some((other) => other.startsWith(`${whole}/`)));
    });
    return isLast ? `${before}${free}` : `${before}${free}/`;
  }, '');
}

async function readHeads(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const lines = await workspace.git(
    workspace.root,
    ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads'],
    {isRead: true},
  );
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [
        line.slice(line.indexOf(' ') + 1).toLowerCase(),
        line.slice(0, line.indexOf(' ')),
      ]),
  );
}

import {randomBytes} from 'node:crypto';
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import {rm} from 'node:fs/promises';
import path from 'node:path';
import {sanitizeText} from '../../base/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {copyTree, type CopiedTree, type ShareWay} from '../share/copy-tree.ts';
import {relocate} from '../share/relocate.ts';
import {freeBytesAt, wordsOf} from './check-disk.ts';
import {leadsInto} from './leads-into.ts';
import {isInside, isThere, ownPlaceOf} from './names.ts';
import {makeDirectoriesLike, narrow, permittedLike} from './permissions.ts';

export type SharedDirectory = {readonly path: string; readonly how: ShareWay};

export type ShareAnswer = {
  readonly directory: SharedDirectory | null;
  readonly notes: readonly string[];
  /** Something stands there already: nothing was done. */
  readonly isThere?: true;
  /** Of a directory that was made: what in it has to be told where it stands. */
  readonly pathBound?: readonly string[];
};

export type ShareOptions = {
  /** Throws when the copy is not wanted any more. */
  readonly goOn?: () => void;
  /** Where the worktree will stand; the default is where it stands. Null when that is not decided yet: then texts are left as they are. */
  readonly standsAt?: string | null;
  /** Free bytes where this directory is. */
  readonly freeAt?: (directory: string) => Promise<number>;
};

/** What must stay free on the disk: the same as before a worktree is made. */
const keepFree = 1e9;

/**
 * A directory of dependencies, as a private copy that costs little: blocks shared by the file system where it can, else a
 * plain copy. Built out of sight and moved in, so it is there as a whole or not at all. Never a link to the original.
 */
export async function shareDirectory(
  workspace: Workspace,
  place: string,
  folder: SharedFolder,
  {goOn, standsAt = place, freeAt = freeBytesAt}: ShareOptions = {},
): Promise<ShareAnswer> {
  const name = pathOfShare(folder);
  const [from, to] = [path.join(workspace.root, name), path.join(place, name)];
  const refuse = (why: string): ShareAnswer => ({
    directory: null,
    notes: [`${sanitizeText(name)} is not shared: ${why}.`],
  });
  const obstacle = await obstacleTo(workspace, name);
  if (obstacle?.isOutside === true) return refuse(obstacle.why);
  if (isThere(to)) return {directory: null, notes: [], isThere: true};
  if (obstacle !== undefined) return refuse(obstacle.why);
  if (!leadsInto(place, to)) return refuse('a link in the worktree leads out of it');

  const making = path.join(
    ownPlaceOf(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  mkdirSync(path.dirname(making), {recursive: true, mode: 0o700});
  const wrote = async (): Promise<void> => {
    const free = await freeAt(path.dirname(making));
    if (free < keepFree)
      throw new Error(
        `Expected at least ${wordsOf(keepFree)} to stay free at ${path.dirname(making)} while ${name} is shared, but there are ${wordsOf(free)}. Make room ("orchestra gc --dry-run" shows what of ours may go), or take ${name} out of share in .orchestra/project.yaml, then go on.`,
      );
  };
  try {
    const how =
      (typeof folder === 'string' ? undefined : folder.by) ??
      (canReflink(from, making) ? 'reflink' : 'copy');
    if (how !== 'hard-link') await wrote();
    const {leftOut, pathBound} = await copyTree({
      from,
      to: making,
      root: workspace.root,
      how,
      ...(goOn === undefined ? {} : {goOn}),
      wrote: how === 'copy' ? wrote : () => Promise.resolve(),
    });
    if (standsAt !== null)
      relocate({directory: making, pathBound, root: workspace.root, place: standsAt});
    const stat = lstatSync(from);
    narrow(making, (gid) => permittedLike(stat, gid));
    makeDirectoriesLike(workspace.root, place, path.dirname(name));
    renameSync(making, to);
    return {directory: {path: name, how}, notes: notesOn(name, how, leftOut), pathBound};
  } finally {
    await rm(making, {recursive: true, force: true});
  }
}

export function pathOfShare(folder: SharedFolder): string {
  return (typeof folder === 'string' ? folder : folder.path).replace(/\/+$/, '');
}

/** Why a directory of the checkout cannot be shared; nothing when it can. */
export async function obstacleTo(
  workspace: Pick<Workspace, 'root' | 'git'>,
  name: string,
): Promise<{readonly why: string; readonly isOutside?: true} | undefined> {
  const from = path.join(workspace.root, name);
  if (
    name === '' ||
    path.isAbsolute(name) ||
    !isInside(workspace.root, from) ||
    from === workspace.root ||
    name.split('/').includes('.git')
  )
    return {why: 'it is not a directory inside of the repository', isOutside: true};
  const stat = lstatSync(from, {throwIfNoEntry: false});
  if (stat === undefined) return {why: 'there is none in your checkout'};
  if (!stat.isDirectory() || !leadsInto(workspace.root, from))
    return {why: 'it is a link or a file, and a link would let tasks write into each other'};
  return (await isIgnored(workspace, name))
    ? undefined
    : {why: 'git does not ignore it, so it is part of the work'};
}

/** Also when not the directory is ignored but all that is in it, as Python's own `.gitignore` in a virtualenv has it. */
async function isIgnored(
  {root, git}: Pick<Workspace, 'root' | 'git'>,
  name: string,
): Promise<boolean> {
  const list = (...options: readonly string[]): Promise<string> =>
    git(root, ['ls-files', '-z', ...options, '--', `:(literal)${name}`], {isRead: true});
  if ((await list()) !== '') return false;
  return (
    (await git(root, ['check-ignore', '-q', '--', name], {isRead: true}).then(
      () => true,
      () => false,
    )) ||
    ((await list('-o', '--exclude-standard')) === '' &&
      (await list('-o', '-i', '--exclude-standard', '--directory')) !== '')
  );
}

function notesOn(name: string, how: ShareWay, leftOut: CopiedTree['leftOut']): string[] {
  const listed = (why: 'link' | 'unreadable'): string[] =>
    leftOut.filter((one) => one.why === why).map((one) => one.path);
  const [links, unreadable] = [listed('link'), listed('unreadable')];
  const some = (files: readonly string[]): string => files.slice(0, 3).map(sanitizeText).join(', ');
  return [
    ...(links.length === 0
      ? []
      : [
          `${links.length} ${links.length === 1 ? 'link' : 'links'} in ${sanitizeText(name)} that lead out of the repository were left out: ${some(links)}.`,
        ]),
    ...(unreadable.length === 0
      ? []
      : [
          `${unreadable.length} ${unreadable.length === 1 ? 'file' : 'files'} in ${sanitizeText(name)} that you may not read, or that went away meanwhile, were left out: ${some(unreadable)}.`,
        ]),
    ...(how === 'copy'
      ? [
          `${sanitizeText(name)} was copied: this disk cannot share blocks between files (XFS, Btrfs, APFS can).`,
        ]
      : []),
  ];
}

export function canReflink(from: string, making: string): boolean {
  const file = firstFileIn(from);
  if (file === undefined) return false;
  const probe = `${making}.probe`;
  try {
    copyFileSync(file, probe, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, {force: true});
  }
}

function firstFileIn(directory: string): string | undefined {
  const entries = readdirSync(directory, {withFileTypes: true});
  const file = entries.find((entry) => entry.isFile());
  if (file !== undefined) return path.join(directory, file.name);
  for (const entry of entries) {
    const found = entry.isDirectory() ? firstFileIn(path.join(directory, entry.name)) : undefined;
    if (found !== undefined) return found;
  }

  return undefined;
}

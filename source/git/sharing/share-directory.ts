import path from 'node:path';
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
import {pluralize, sanitizeText} from '../../shared/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {type CopiedTree, copyTree, type ShareWay} from './copy-tree.ts';
import {relocate} from './relocate.ts';
import {formatBytes, freeBytesAt} from '../worktrees/check-disk.ts';
import {getOwnPlace, isPathPrefix, isThere, leadsInto} from '../worktrees/paths.ts';
import {makeDirectoriesLike, narrow, permittedLike} from '../worktrees/permissions.ts';

export type SharedDirectory = {readonly path: string; readonly how: ShareWay};

export type ShareAnswer = {
  readonly directory: SharedDirectory | null;
  readonly notes: readonly string[];
  /** The path exists already; nothing was done. */
  readonly isThere?: true;
  /** Directories inside that contain absolute paths (see `relocate`). */
  readonly pathBound?: readonly string[];
};

export type ShareOptions = {
  /** Called often; throws to cancel the copy. */
  readonly goOn?: () => void;
  /**
   * Final path of the worktree, by default `place`. Null when it is not known yet: then paths in
   * files are not rewritten.
   */
  readonly finalPath?: string | null;
  /** Free bytes on the disk of a directory. */
  readonly freeAt?: (directory: string) => Promise<number>;
};

/** Free space that must remain: the same limit as for a new worktree. */
const minFreeBytes = 1e9;

/**
 * Copies a dependency directory into a worktree: with shared blocks (reflink) where the file system
 * can, otherwise a plain copy. Built in a private directory and moved in, so that it is never there
 * in part. Never a symbolic link to the original.
 */
export async function shareDirectory(
  workspace: Workspace,
  place: string,
  folder: SharedFolder,
  {goOn, finalPath = place, freeAt = freeBytesAt}: ShareOptions = {},
): Promise<ShareAnswer> {
  const name = getSharePath(folder);
  const [from, to] = [path.join(workspace.root, name), path.join(place, name)];
  const refuse = (why: string): ShareAnswer => ({
    directory: null,
    notes: [`${sanitizeText(name)} is not shared: ${why}.`],
  });
  const obstacle = await findShareObstacle(workspace, name);
  if (obstacle?.isOutside === true) return refuse(obstacle.why);
  if (isThere(to)) return {directory: null, notes: [], isThere: true};
  if (obstacle !== undefined) return refuse(obstacle.why);
  if (!leadsInto(place, to)) return refuse('a link in the worktree leads out of it');

  const making = path.join(
    getOwnPlace(workspace, 'making'),
    `share-${randomBytes(5).toString('hex')}`,
  );
  mkdirSync(path.dirname(making), {recursive: true, mode: 0o700});
  const checkFreeSpace = async (): Promise<void> => {
    const free = await freeAt(path.dirname(making));
    if (free < minFreeBytes)
      throw new Error(
        `Expected at least ${formatBytes(minFreeBytes)} to stay free at ` +
          `${path.dirname(making)} while ${name} is shared, but there are ` +
          `${formatBytes(free)}. Free some space ("orchestra gc --dry-run" lists what ` +
          `orchestra can remove), or remove ${name} from share in .orchestra/project.yaml, ` +
          'then resume.',
      );
  };
  try {
    const how =
      (typeof folder === 'string' ? undefined : folder.by) ??
      (canReflink(from, making) ? 'reflink' : 'copy');
    if (how !== 'hard-link') await checkFreeSpace();
    const {leftOut, pathBound} = await copyTree({
      from,
      to: making,
      root: workspace.root,
      how,
      ...(goOn === undefined ? {} : {goOn}),
      onWritten: how === 'copy' ? checkFreeSpace : () => Promise.resolve(),
    });
    if (finalPath !== null)
      relocate({directory: making, pathBound, root: workspace.root, place: finalPath});
    const stat = lstatSync(from);
    narrow(making, (gid) => permittedLike(stat, gid));
    makeDirectoriesLike(workspace.root, place, path.dirname(name));
    renameSync(making, to);
    return {directory: {path: name, how}, notes: formatShareNotes(name, how, leftOut), pathBound};
  } finally {
    await rm(making, {recursive: true, force: true});
  }
}

export function getSharePath(folder: SharedFolder): string {
  return (typeof folder === 'string' ? folder : folder.path).replace(/\/+$/, '');
}

/** Why a directory of the checkout cannot be shared; undefined when it can. */
export async function findShareObstacle(
  workspace: Pick<Workspace, 'root' | 'git'>,
  name: string,
): Promise<{readonly why: string; readonly isOutside?: true} | undefined> {
  const from = path.join(workspace.root, name);
  if (
    name === '' ||
    path.isAbsolute(name) ||
    !isPathPrefix(workspace.root, from) ||
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

/**
 * True also when only the content is ignored, as with the `.gitignore` that Python puts into a
 * virtualenv.
 */
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

function formatShareNotes(name: string, how: ShareWay, leftOut: CopiedTree['leftOut']): string[] {
  const listed = (why: 'link' | 'unreadable'): string[] =>
    leftOut.filter((one) => one.why === why).map((one) => one.path);
  const [links, unreadable] = [listed('link'), listed('unreadable')];
  const some = (files: readonly string[]): string => files.slice(0, 3).map(sanitizeText).join(', ');
  const wereLeftOut = ({length}: readonly string[]): string =>
    `${length === 1 ? 'was' : 'were'} left out`;
  return [
    ...(links.length === 0
      ? []
      : [
          `${pluralize(links.length, 'link')} in ${sanitizeText(name)} that ` +
            `${links.length === 1 ? 'leads' : 'lead'} out of the repository ` +
            `${wereLeftOut(links)}: ${some(links)}.`,
        ]),
    ...(unreadable.length === 0
      ? []
      : [
          `${pluralize(unreadable.length, 'file')} in ${sanitizeText(name)} that you may ` +
            `not read, or that went away meanwhile, ${wereLeftOut(unreadable)}: ` +
            `${some(unreadable)}.`,
        ]),
    ...(how === 'copy'
      ? [
          `${sanitizeText(name)} was copied: this disk cannot share blocks between files (XFS, Btrfs, APFS can).`,
        ]
      : []),
  ];
}

/**
 * Whether the disk can share blocks between files: tries to clone the first file of the directory.
 */
function canReflink(from: string, making: string): boolean {
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

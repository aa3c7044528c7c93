import {randomBytes} from 'node:crypto';
import {constants, copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {sanitizeText} from '../../base/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {leadsInto} from './leads-into.ts';
import {isInside, isThere, ownPlaceOf} from './names.ts';
import {makeDirectoriesLike, narrow, permittedLike} from './permissions.ts';

export type ShareWish = {readonly path: string; readonly by?: 'hard-link'};

export type SharedDirectory = {readonly path: string; readonly how: 'reflink' | 'hard-link' | 'copy'};

type Answer = {readonly directory: SharedDirectory | null; readonly notes: readonly string[]};

/**
 * A directory of dependencies, as a private copy that costs little: blocks shared by the file system where it can, else a
 * plain copy. Built out of sight and moved in, so it is there as a whole or not at all. Never a link to the original.
 */
export async function shareDirectory(workspace: Workspace, place: string, wish: ShareWish): Promise<Answer> {
  const name = wish.path.replace(/\/+$/, '');
  const [from, to] = [path.join(workspace.root, name), path.join(place, name)];
  const refuse = (why: string): Answer => ({directory: null, notes: [`${sanitizeText(name)} is not shared: ${why}.`]});
  if (name === '' || path.isAbsolute(name) || !isInside(workspace.root, from) || from === workspace.root || name.split('/').includes('.git')) return refuse('it is not a directory inside of the repository');
  if (isThere(to)) return {directory: null, notes: []};
  const stat = lstatSync(from, {throwIfNoEntry: false});
  if (stat === undefined) return refuse('there is none in your checkout');
  if (!stat.isDirectory() || !leadsInto(workspace.root, from)) return refuse('it is a link or a file, and a link would let tasks write into each other');
  if (!await isIgnored(workspace, name)) return refuse('git does not ignore it, so it is part of the work');
  if (!leadsInto(place, to)) return refuse('a link in the worktree leads out of it');

  const notes: string[] = [];
  const making = path.join(ownPlaceOf(workspace, 'making'), `share-${randomBytes(5).toString('hex')}`);
  mkdirSync(path.dirname(making), {recursive: true, mode: 0o700});
  try {
    const how = wish.by ?? (canReflink(from, making) ? 'reflink' : 'copy');
    const left = await copyTree({from, to: making, top: from, root: workspace.root, how});
    narrow(making, (gid) => permittedLike(stat, gid));
    makeDirectoriesLike(workspace.root, place, path.dirname(name));
    renameSync(making, to);
    if (left.length > 0) notes.push(`${left.length} ${left.length === 1 ? 'link' : 'links'} in ${sanitizeText(name)} that lead out of the repository or to a full path were left out: ${left.slice(0, 3).map(sanitizeText).join(', ')}.`);
    if (how === 'copy') notes.push(`${sanitizeText(name)} was copied: this disk cannot share blocks between files (XFS, Btrfs, APFS can).`);
    return {directory: {path: name, how}, notes};
  } finally {
    rmSync(making, {recursive: true, force: true});
  }
}

async function isIgnored({root, git}: Workspace, name: string): Promise<boolean> {
  const tracked = await git(root, ['ls-files', '-z', '--', `:(literal)${name}`], {isRead: true});
  return tracked === '' && git(root, ['check-ignore', '-q', '--', name], {isRead: true}).then(() => true, () => false);
}

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

type TreeCopy = {readonly from: string; readonly to: string; readonly top: string; readonly root: string; readonly how: SharedDirectory['how']};

/** Gives the links that were left out. */
async function copyTree({from, to, top, root, how}: TreeCopy): Promise<readonly string[]> {
  const left: string[] = [];
  mkdirSync(to, {mode: lstatSync(from).mode | 0o700});
  for (const entry of readdirSync(from, {withFileTypes: true})) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) left.push(...await copyTree({from: source, to: target, top, root, how}));
    else if (entry.isSymbolicLink()) {
      const link = readlinkSync(source);
      if (path.isAbsolute(link) || !isInside(root, path.resolve(from, link))) left.push(path.relative(top, source));
      else symlinkSync(link, target);
    } else if (entry.isFile()) {
      if (how === 'hard-link') linkSync(source, target);
      else copyFileSync(source, target, how === 'reflink' ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE);
    }
  }

  // Others get a turn between directories: dependencies are many small files.
  await new Promise((resolve) => { setImmediate(resolve); });
  return left;
}

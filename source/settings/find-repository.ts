import {realpathSync, statSync} from 'node:fs';
import path from 'node:path';
import {bytesOrThrow, readRegularFile, tryReadText} from '../files/index.ts';
import {findCheckout} from './find-checkout.ts';

/** A checkout, and the git directory that all worktrees of its repository share. */
export type Repository = {readonly root: string; readonly commonDirectory: string};

/** Found without git, because every command begins here. Nothing when there is no repository. */
export function findRepository(from: string): Repository | undefined {
  const checkout = findCheckout(from);
  if (checkout === undefined) return undefined;
  const root = realpathSync(checkout);
  const dotGit = path.join(root, '.git');
  const gitDirectory = statSync(dotGit).isDirectory() ? dotGit : linkedDirectory(root, dotGit);
  return {root, commonDirectory: realpathSync(commonOf(gitDirectory))};
}

/** Each holds one path. */
const maxBytes = 64 * 1024;

/** In a linked worktree `.git` is a file that says where its git directory is. */
function linkedDirectory(root: string, file: string): string {
  const target = /^gitdir: (?<target>.+)$/m.exec(bytesOrThrow(file, readRegularFile(file, {maxBytes, links: 'follow'})).toString('utf8'))?.groups?.['target'];
  if (target === undefined) throw new Error(`${file}: expected "gitdir: <path>"; is this a git worktree?`);
  return path.resolve(root, target);
}

function commonOf(gitDirectory: string): string {
  const target = tryReadText(path.join(gitDirectory, 'commondir'), {maxBytes})?.trim();
  return target === undefined ? gitDirectory : path.resolve(gitDirectory, target);
}

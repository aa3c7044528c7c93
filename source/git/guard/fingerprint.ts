import path from 'node:path';
import {createHash} from 'node:crypto';
import {type BigIntStats, readlinkSync} from 'node:fs';
import {readRegularFile} from '../../files/index.ts';
import {isPathPrefix, lstatBig} from '../worktrees/paths.ts';
import type {Workspace} from '../open-workspace.ts';

const maxBytes = 4 * 1024 * 1024;

/**
 * Fingerprint of a file: whether it is executable, and its content; size and time for very large
 * files. Null when it does not exist.
 */
export function fingerprintFile(file: string): string | null {
  const stat = lstatBig(file);
  if (stat === undefined) return null;
  const kind = getKind(stat);
  if (kind === 'other') return kind;
  try {
    if (kind !== 'link' && stat.size > maxBytes)
      return `${kind} ${String(stat.size)} ${String(stat.mtimeNs)}`;
    // Hooks and start files are often links, so the content of the target counts.
    const reading = readRegularFile(file, {maxBytes, links: 'follow'});
    if (reading.at === 'refused') return `${kind} unreadable`;
    return kind === 'link'
      ? `link ${readlinkSync(file)} ${toShortHash(reading.bytes)}`
      : `${kind} ${toShortHash(reading.bytes)}`;
  } catch {
    return `${kind} unreadable`;
  }
}

function getKind(stat: BigIntStats): 'link' | 'other' | 'file' | 'program' {
  if (stat.isSymbolicLink()) return 'link';
  if (!stat.isFile()) return 'other';
  return (stat.mode & 0o111n) === 0n ? 'file' : 'program';
}

export function toShortHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}

/** A short form for people: `.git/hooks/pre-commit`, `~/.gitconfig`, or the absolute path. */
export function formatGitPath({root, commonDirectory, home}: Workspace, file: string): string {
  if (isPathPrefix(commonDirectory, file))
    return path.join('.git', path.relative(commonDirectory, file));
  if (isPathPrefix(root, file)) return path.relative(root, file);
  return home !== null && isPathPrefix(home, file) ? `~/${path.relative(home, file)}` : file;
}

import {createHash} from 'node:crypto';
import {readFileSync, readlinkSync} from 'node:fs';
import {lookAt} from '../worktree/names.ts';

const mostBytes = 4 * 1024 * 1024;

/** A file's fingerprint: whether it can be run, and its content. Null when nothing is there. Very large ones are told by size and time. */
export function printOf(file: string): string | null {
  const stat = lookAt(file);
  if (stat === undefined) return null;
  const kind = stat.isSymbolicLink() ? 'link' : stat.isFile() ? (stat.mode & 0o111n) === 0n ? 'file' : 'program' : 'other';
  if (kind === 'other') return kind;
  try {
    if (kind === 'link') return `link ${readlinkSync(file)} ${hashOf(readFileSync(file))}`;
    return stat.size > mostBytes ? `${kind} ${String(stat.size)} ${String(stat.mtimeNs)}` : `${kind} ${hashOf(readFileSync(file))}`;
  } catch {
    return `${kind} unreadable`;
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}

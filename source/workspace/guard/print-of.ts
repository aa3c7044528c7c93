import {createHash} from 'node:crypto';
import {readlinkSync} from 'node:fs';
import {readRegularFile} from '../../files/index.ts';
import {lookAt} from '../worktree/names.ts';

const mostBytes = 4 * 1024 * 1024;

/** A file's fingerprint: whether it can be run, and its content. Null when nothing is there. Very large ones are told by size and time. */
export function printOf(file: string): string | null {
  const stat = lookAt(file);
  if (stat === undefined) return null;
  const kind = stat.isSymbolicLink()
    ? 'link'
    : stat.isFile()
      ? (stat.mode & 0o111n) === 0n
        ? 'file'
        : 'program'
      : 'other';
  if (kind === 'other') return kind;
  try {
    if (kind !== 'link' && stat.size > mostBytes)
      return `${kind} ${String(stat.size)} ${String(stat.mtimeNs)}`;
    // People link their hooks and start files: the content counts, wherever it is.
    const reading = readRegularFile(file, {maxBytes: mostBytes, links: 'follow'});
    if (reading.at === 'refused') return `${kind} unreadable`;
    return kind === 'link'
      ? `link ${readlinkSync(file)} ${hashOf(reading.bytes)}`
      : `${kind} ${hashOf(reading.bytes)}`;
  } catch {
    return `${kind} unreadable`;
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}

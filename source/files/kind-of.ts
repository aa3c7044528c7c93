import type {Dirent, Stats} from 'node:fs';

export type FileKind = 'file' | 'directory' | 'link' | 'pipe' | 'socket' | 'device' | 'other';

export function kindOf(found: Stats | Dirent): FileKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'pipe';
  if (found.isSocket()) return 'socket';
  return found.isCharacterDevice() || found.isBlockDevice() ? 'device' : 'other';
}

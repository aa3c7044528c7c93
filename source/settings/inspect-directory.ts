import {accessSync, constants, lstatSync, readlinkSync, statSync} from 'node:fs';
import path from 'node:path';

export type DirectoryFacts =
  /** `nearest` is the closest ancestor that exists; it is where creating would begin. */
  | {
      readonly at: 'missing';
      readonly nearest: string;
      readonly owner: number;
      readonly writable: Writable;
    }
  | {
      readonly at: 'directory';
      readonly owner: number;
      readonly mode: number;
      readonly isOurs: boolean;
      readonly isPrivate: boolean;
      readonly writable: Writable;
    }
  | {readonly at: 'symlink'; readonly target: string}
  | {readonly at: 'not-a-directory'}
  | {readonly at: 'unreachable'; readonly code: string};

export type Writable = 'yes' | 'no' | 'read-only-file-system';

/** `lstat`, never `stat`: a link in a shared directory may have been put there by somebody else. */
export function inspectDirectory(directory: string, uid: number): DirectoryFacts {
  try {
    const stats = lstatSync(directory);
    if (stats.isSymbolicLink()) return {at: 'symlink', target: readlinkSync(directory)};
    if (!stats.isDirectory()) return {at: 'not-a-directory'};
    const mode = stats.mode & 0o7777;
    return {
      at: 'directory',
      owner: stats.uid,
      mode,
      isOurs: stats.uid === uid,
      isPrivate: (mode & 0o077) === 0,
      writable: writableOf(directory),
    };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? missing(path.dirname(directory)) : {at: 'unreachable', code};
  }
}

function missing(ancestor: string): DirectoryFacts {
  try {
    return {
      at: 'missing',
      nearest: ancestor,
      owner: statSync(ancestor).uid,
      writable: writableOf(ancestor),
    };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? missing(path.dirname(ancestor)) : {at: 'unreachable', code};
  }
}

function writableOf(directory: string): Writable {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return 'yes';
  } catch (error) {
    return codeOf(error) === 'EROFS' ? 'read-only-file-system' : 'no';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

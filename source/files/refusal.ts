import {errorCode, errorText} from '../shared/index.ts';
import type {Dirent, Stats} from 'node:fs';

export type FileRefusalReason = 'missing' | 'link' | 'not-regular' | 'too-large' | 'unreadable';

/** Why nothing was read. The message follows the path: "is not a regular file: it is a pipe". */
export type FileRefusal = {
  readonly at: 'refused';
  readonly why: FileRefusalReason;
  readonly message: string;
  /** The code of the system error, if there was one. */ readonly code?: string;
};

export function refuseFile(why: FileRefusalReason, message: string): FileRefusal {
  return {at: 'refused', why, message};
}

export function refuseKind(kind: FileKind): FileRefusal {
  if (kind === 'link')
    return refuseFile(
      'link',
      'is a link, and links are not followed here. Put the file itself there',
    );
  return refuseFile(
    'not-regular',
    `is not a regular file: it is a ${kind === 'other' ? 'special file' : kind}`,
  );
}

export function refuseSize(maxBytes: number): FileRefusal {
  return refuseFile('too-large', `is larger than ${formatSize(maxBytes)}, the limit`);
}

export function refuseError(error: unknown): FileRefusal {
  const code = errorCode(error);
  return {...toRefusal(error, code), ...(code !== undefined && {code})};
}

function toRefusal(error: unknown, code: string | undefined): FileRefusal {
  if (code === 'ENOENT' || code === 'ENOTDIR') return refuseFile('missing', 'is not there');
  if (code === 'ELOOP' || code === 'EMLINK')
    return refuseFile(
      'link',
      'is a link, or passes through a cycle of links. Put the file itself there',
    );
  // A socket, or a device without a driver.
  if (code === 'ENXIO' || code === 'ENODEV')
    return refuseFile('not-regular', 'is not a regular file');
  // A process with a lease on the file (fcntl F_SETLEASE) would block an ordinary open.
  if (code === 'EAGAIN')
    return refuseFile('unreadable', 'cannot be read: another process holds it');
  return refuseFile('unreadable', `cannot be read: ${code ?? errorText(error)}`);
}

function formatSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.floor(bytes / 1024 / 1024)} MiB`;
  return bytes >= 1024 ? `${Math.floor(bytes / 1024)} KiB` : `${bytes} bytes`;
}

export type FileKind = 'file' | 'directory' | 'link' | 'pipe' | 'socket' | 'device' | 'other';

export function toFileKind(found: Stats | Dirent): FileKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'pipe';
  if (found.isSocket()) return 'socket';
  return found.isCharacterDevice() || found.isBlockDevice() ? 'device' : 'other';
}

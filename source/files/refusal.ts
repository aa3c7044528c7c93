import type {FileKind} from './kind-of.ts';

export type RefusalReason = 'missing' | 'link' | 'not-regular' | 'too-large' | 'unreadable';

/** Why nothing was read. The message goes on after the path: "is not a regular file: it is a pipe". */
export type FileRefusal = {
  readonly at: 'refused';
  readonly why: RefusalReason;
  readonly message: string;
  /** What the system said, if it did. */ readonly code?: string;
};

export function refuse(why: RefusalReason, message: string): FileRefusal {
  return {at: 'refused', why, message};
}

export function refuseKind(kind: FileKind): FileRefusal {
  if (kind === 'link')
    return refuse('link', 'is a link, and links are not followed here. Put the file itself there');
  return refuse(
    'not-regular',
    `is not a regular file: it is a ${kind === 'other' ? 'special file' : kind}`,
  );
}

export function refuseSize(maxBytes: number): FileRefusal {
  return refuse(
    'too-large',
    `is larger than ${sizeText(maxBytes)}, which is the most that is read`,
  );
}

export function refuseError(error: unknown): FileRefusal {
  const code = codeOf(error);
  return {...refusalOf(error, code), ...(code !== undefined && {code})};
}

function refusalOf(error: unknown, code: string | undefined): FileRefusal {
  if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('missing', 'is not there');
  if (code === 'ELOOP' || code === 'EMLINK')
    return refuse('link', 'is a link, or goes over a circle of links. Put the file itself there');
  // A socket, or a device without a driver.
  if (code === 'ENXIO' || code === 'ENODEV') return refuse('not-regular', 'is not a regular file');
  // Whoever holds a lease on it (fcntl F_SETLEASE) would keep an ordinary open waiting.
  if (code === 'EAGAIN') return refuse('unreadable', 'cannot be read: another process holds it');
  return refuse(
    'unreadable',
    `cannot be read: ${code ?? (error instanceof Error ? error.message : String(error))}`,
  );
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function sizeText(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.floor(bytes / 1024 / 1024)} MiB`;
  return bytes >= 1024 ? `${Math.floor(bytes / 1024)} KiB` : `${bytes} bytes`;
}

import {inspectDirectory} from './inspect-directory.ts';
import {makeDirectories} from './make-directories.ts';
import {type Refusal, refusalOf} from './refusal-of.ts';

/** Makes the directory if need be; afterwards it is real, ours, closed to others and writable. Nothing that stands there is changed. */
export function ensurePrivateDirectory(directory: string, uid: number): void {
  const before = inspectDirectory(directory, uid);
  const refusal = refusalOf(directory, before);
  if (refusal !== undefined) throw new UnsafeDirectoryError(directory, refusal);
  if (before.at === 'directory') return;
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw new UnsafeDirectoryError(directory, {
      got: String(error),
      advice: `Look at the directories above ${directory}.`,
    });
  }

  // Whoever creates it between the look and the call does not win: it is looked at again.
  const late = refusalOf(directory, inspectDirectory(directory, uid));
  if (late !== undefined) throw new UnsafeDirectoryError(directory, late);
}

export class UnsafeDirectoryError extends Error {
  override readonly name = 'UnsafeDirectoryError';

  constructor(directory: string, refusal: Refusal) {
    super(
      `${directory}: expected a private directory of your own (mode 0700), got ${refusal.got}. ${refusal.advice}`,
    );
  }
}

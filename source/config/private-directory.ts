import path from 'node:path';
import {accessSync, constants, lstatSync, readlinkSync, statSync} from 'node:fs';
import {errorCode} from '../shared/index.ts';
import {makeDirectories} from '../files/index.ts';

/**
 * Makes the directory if it is missing. Afterwards it is a real directory of this user, closed to
 * others and writable. An existing one is not changed.
 */
export function ensurePrivateDirectory(directory: string, uid: number): void {
  const before = inspectDirectory(directory, uid);
  const refusal = findDirectoryRefusal(directory, before);
  if (refusal !== undefined) throw new UnsafeDirectoryError(directory, refusal);
  if (before.at === 'directory') return;
  try {
    makeDirectories(directory);
  } catch (error) {
    throw new UnsafeDirectoryError(directory, {
      got: String(error),
      advice: `Check the directories above ${directory}.`,
    });
  }

  // Another user may have created it meanwhile, so it is checked again.
  const late = findDirectoryRefusal(directory, inspectDirectory(directory, uid));
  if (late !== undefined) throw new UnsafeDirectoryError(directory, late);
}

export class UnsafeDirectoryError extends Error {
  override readonly name = 'UnsafeDirectoryError';

  constructor(directory: string, refusal: DirectoryRefusal) {
    super(
      `${directory}: expected a private directory of your own (mode 0700), got ${refusal.got}. ${refusal.advice}`,
    );
  }
}

export type DirectoryFacts =
  /** `nearest` is the closest existing parent. */
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

/** Uses `lstat`: in a shared directory another user may have created a link. */
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
      writable: checkWritable(directory),
    };
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    return code === 'ENOENT' ? inspectMissing(path.dirname(directory)) : {at: 'unreachable', code};
  }
}

function inspectMissing(ancestor: string): DirectoryFacts {
  try {
    return {
      at: 'missing',
      nearest: ancestor,
      owner: statSync(ancestor).uid,
      writable: checkWritable(ancestor),
    };
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    return code === 'ENOENT' ? inspectMissing(path.dirname(ancestor)) : {at: 'unreachable', code};
  }
}

function checkWritable(directory: string): Writable {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return 'yes';
  } catch (error) {
    return errorCode(error) === 'EROFS' ? 'read-only-file-system' : 'no';
  }
}

/**
 * Why a directory may not be used, as the second half of "expected a private directory of your own,
 * got …".
 */
export type DirectoryRefusal = {
  readonly got: string;
  readonly advice: string;
};

export function findDirectoryRefusal(
  directory: string,
  facts: DirectoryFacts,
): DirectoryRefusal | undefined {
  switch (facts.at) {
    case 'missing': {
      return facts.writable === 'yes'
        ? undefined
        : {
            got: `nothing, and it cannot be created: ${facts.nearest} ${formatNotWritable(facts.writable)}`,
            advice: `See who may write there: ls -ld ${facts.nearest}`,
          };
    }

    case 'symlink': {
      return {
        got: `a symbolic link to ${facts.target}`,
        advice: `Remove the link: rm ${directory}`,
      };
    }

    case 'not-a-directory': {
      return {got: 'something that is not a directory', advice: `Move ${directory} away.`};
    }

    case 'unreachable': {
      return {
        got: `${facts.code} when looking at it`,
        advice: `Check the directories above ${directory}.`,
      };
    }

    case 'directory': {
      if (!facts.isOurs)
        return {
          got: `a directory of another user (uid ${facts.owner})`,
          advice: `Move ${directory} away, or ask its owner to.`,
        };
      if (!facts.isPrivate)
        return {
          got: `mode ${formatMode(facts.mode)}, open to other users`,
          advice: `Close it: chmod 700 ${directory}`,
        };
      if (facts.writable !== 'yes')
        return {
          got: `a directory that ${formatNotWritable(facts.writable)}`,
          advice: `See who may write there: ls -ld ${directory}`,
        };
      return undefined;
    }
  }
}

function formatNotWritable(writable: Writable): string {
  return writable === 'no' ? 'is not writable' : 'is on a read-only file system';
}

function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

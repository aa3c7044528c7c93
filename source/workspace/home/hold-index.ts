import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import {dateAs} from '../git/copy-index.ts';
import {liveGitIn, nameOf} from '../worktree/live-git.ts';
import {quoted} from './words.ts';

export type HeldIndex = {
  /** Puts another index in place of the one that is held, and lets go. */
  readonly replace: (index: string) => void;
  readonly release: () => void;
};

const pause = 50;

/**
 * Holds a checkout's index as git does, by its lock file. The lock is a second name of a file of ours: after a crash the
 * same inode under both names proves whose it is.
 */
export async function holdIndex(
  {directory, gitDirectory}: {readonly directory: string; readonly gitDirectory: string},
  patience: number,
): Promise<HeldIndex | {readonly refused: string}> {
  const {lock, own} = namesIn(gitDirectory);
  dropHold(gitDirectory);
  mkdirSync(path.dirname(own), {recursive: true, mode: 0o700});
  writeFileSync(own, '');
  for (let waited = 0; !tryLink(own, lock); waited += pause) {
    if (waited >= patience) {
      rmSync(own, {force: true});
      const holders = liveGitIn([directory, gitDirectory]);
      const who =
        holders.length === 0
          ? `no git process is seen that holds it. If none runs, remove it: rm ${quoted(lock)}`
          : `${nameOf(holders)} may hold it. Wait for it or end it`;
      return {refused: `${quoted(lock)} is in the way: ${who}. Then accept again.`};
    }

    await pass(pause);
  }

  return {
    replace: (index) => {
      const bytes = bytesOrThrow(index, readRegularFile(index, {maxBytes: 4 * 1024 ** 3}));
      const descriptor = openSync(lock, 'w');
      try {
        const before = statSync(path.join(gitDirectory, 'index'), {throwIfNoEntry: false});
        if (before !== undefined) fchmodSync(descriptor, before.mode & 0o777);
        writeFileSync(descriptor, bytes);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }

      dateAs(index, lock);
      renameSync(lock, path.join(gitDirectory, 'index'));
      rmSync(own, {force: true});
    },
    release: () => {
      dropHold(gitDirectory);
    },
  };
}

/** Lets go of what is ours, in whatever state a crash left it. */
export function dropHold(gitDirectory: string): void {
  const {lock, own} = namesIn(gitDirectory);
  const [theirs, ours] = [lock, own].map((file) => lstatSync(file, {throwIfNoEntry: false}));
  if (ours === undefined) return;
  if (theirs?.ino === ours.ino && theirs.dev === ours.dev) rmSync(lock, {force: true});
  rmSync(own, {force: true});
}

function namesIn(gitDirectory: string): {readonly lock: string; readonly own: string} {
  return {
    lock: path.join(gitDirectory, 'index.lock'),
    own: path.join(gitDirectory, 'orchestra-home', 'held'),
  };
}

function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

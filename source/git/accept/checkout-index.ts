import path from 'node:path';
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
  existsSync,
} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import {
  type CheckoutPaths,
  copyIndex,
  copyIndexTime,
  runInCheckout,
  splitByNul,
  withTemporaryIndex,
} from '../client/plumbing.ts';
import {formatProcesses, liveGitIn} from '../worktrees/live-git.ts';
import {shellWord} from '../../shared/index.ts';
import type {Difference, TreeEntry} from '../changes/differences.ts';
import type {Workspace} from '../open-workspace.ts';

export type HeldIndex = {
  /** Replaces the held index and releases it. */
  readonly replace: (index: string) => void;
  readonly release: () => void;
};

const pause = 50;

/**
 * Locks a checkout's index with git's own lock file. The lock is a hard link to a file of ours:
 * after a crash, the same inode under both names proves that the lock is ours.
 */
export async function holdIndex(
  {directory, gitDirectory}: {readonly directory: string; readonly gitDirectory: string},
  lockTimeoutMs: number,
): Promise<HeldIndex | {readonly rejected: string}> {
  const {lock, own} = getLockPaths(gitDirectory);
  dropHold(gitDirectory);
  mkdirSync(path.dirname(own), {recursive: true, mode: 0o700});
  writeFileSync(own, '');
  for (let waited = 0; !tryLink(own, lock); waited += pause) {
    if (waited >= lockTimeoutMs) {
      rmSync(own, {force: true});
      const holders = liveGitIn([directory, gitDirectory]);
      const who =
        holders.length === 0
          ? `no git process seems to hold it. If none runs, remove it: rm ${shellWord(lock)}`
          : `${formatProcesses(holders)} may hold it. Wait for it or end it`;
      return {rejected: `${shellWord(lock)} is in the way: ${who}. Then accept again.`};
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

      copyIndexTime(index, lock);
      renameSync(lock, path.join(gitDirectory, 'index'));
      rmSync(own, {force: true});
    },
    release: () => {
      dropHold(gitDirectory);
    },
  };
}

/** Releases a lock of ours, in whatever state a crash left it. */
export function dropHold(gitDirectory: string): void {
  const {lock, own} = getLockPaths(gitDirectory);
  const [theirs, ours] = [lock, own].map((file) => lstatSync(file, {throwIfNoEntry: false}));
  if (ours === undefined) return;
  if (theirs?.ino === ours.ino && theirs.dev === ours.dev) rmSync(lock, {force: true});
  rmSync(own, {force: true});
}

function getLockPaths(gitDirectory: string): {readonly lock: string; readonly own: string} {
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

/** `entry` is the new entry of a path; null removes it. */
export type IndexEntry = {readonly path: string; readonly entry: TreeEntry | null};

/**
 * Changes the entries of these paths in a checkout's index; entries that the person staged for
 * other paths stay. `before` is the last step while the index is locked; when it returns false, the
 * index stays unchanged and locked.
 */
export function writeIndex(
  workspace: Workspace,
  place: CheckoutPaths,
  held: HeldIndex,
  entries: readonly IndexEntry[],
  before: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  return withTemporaryIndex(workspace, async (index) => {
    const own = path.join(place.gitDirectory, 'index');
    if (existsSync(own)) copyIndex(own, index);
    const run = (argv: readonly string[], input?: string): Promise<string> =>
      runInCheckout(workspace, place, ['-c', 'core.splitIndex=false', ...argv], {
        index,
        ...(input === undefined ? {} : {input}),
      });
    const nothing = '0'.repeat((await run(['rev-parse', 'HEAD'])).trim().length);
    const gone = entries
      .filter(({entry}) => entry === null)
      .map(({path: file}) => `0 ${nothing}\t${file}\0`);
    const there = entries.flatMap(({path: file, entry}) =>
      entry === null ? [] : [`${entry.mode} ${entry.object}\t${file}\0`],
    );
    await run(['update-index', '-z', '--index-info'], [...gone, ...there].join(''));
    await run(['update-index', '-q', '--refresh']);
    if (!(await before())) return false;
    held.replace(index);
    return true;
  });
}

/** The differences whose paths still have their old index entry. */
export async function findOldEntries(
  workspace: Workspace,
  place: CheckoutPaths,
  differences: readonly Difference[],
): Promise<readonly Difference[]> {
  const entries = await readEntries(workspace, place);
  return differences.filter((one) => entries.get(one.path) === formatEntry(one.old));
}

/** Paths with neither the old nor the new index entry: the person staged something. */
export async function findStrangeEntries(
  workspace: Workspace,
  place: CheckoutPaths,
  differences: readonly Difference[],
): Promise<readonly string[]> {
  const entries = await readEntries(workspace, place);
  return differences
    .filter((one) => ![formatEntry(one.old), formatEntry(one.new)].includes(entries.get(one.path)))
    .map(({path: file}) => file);
}

async function readEntries(
  workspace: Workspace,
  place: CheckoutPaths,
): Promise<ReadonlyMap<string, string>> {
  const lines = splitByNul(
    await runInCheckout(workspace, place, ['ls-files', '-s', '-z'], {isRead: true}),
  );
  return new Map(
    lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]),
  );
}

function formatEntry(entry: TreeEntry | null): string | undefined {
  return entry === null ? undefined : `${entry.mode} ${entry.object} 0`;
}

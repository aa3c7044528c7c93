import path from 'node:path';
import {
  constants,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import {copyFile, readdir} from 'node:fs/promises';
import {isPathPrefix} from '../worktrees/paths.ts';

export type ShareWay = 'reflink' | 'hard-link' | 'copy';

export type TreeCopy = {
  readonly from: string;
  readonly to: string;
  /** The checkout. Links that lead out of it are not copied. */
  readonly root: string;
  readonly how: ShareWay;
  /** Called often; throws to cancel the copy. */
  readonly goOn?: () => void;
  /**
   * Called with the bytes written since the last call, so that the caller can stop before the disk
   * is full.
   */
  readonly onWritten?: (bytes: number) => Promise<void>;
};

export type CopiedTree = {
  /** Links that lead out of the checkout and files that could not be read, relative to `from`. */
  readonly leftOut: readonly {readonly path: string; readonly why: 'link' | 'unreadable'}[];
  /** Directories whose files may contain the checkout's path: virtualenvs, and scripts of pnpm. */
  readonly pathBound: readonly string[];
};

/**
 * Files to copy at the same time. Dependencies are many small files, so most of the time is waiting
 * for the kernel.
 */
const maxConcurrency = 16;
/** Bytes between two calls of `onWritten`. */
const reportEveryBytes = 64 * 1024 * 1024;

/**
 * Copies a dependency directory from the person's checkout. Asynchronous, so that the daemon is not
 * blocked.
 */
export async function copyTree({
  from,
  to,
  root,
  how,
  goOn = () => undefined,
  onWritten = () => Promise.resolve(),
}: TreeCopy): Promise<CopiedTree> {
  const leftOut: {path: string; why: 'link' | 'unreadable'}[] = [];
  const pathBound: string[] = [];
  const running = new Set<Promise<void>>();
  let failure: {readonly error: unknown} | undefined;
  let unreportedBytes = 0;

  const copyOne = async (source: string, target: string): Promise<void> => {
    try {
      if (how === 'hard-link') linkSync(source, target);
      else {
        await copyFile(
          source,
          target,
          how === 'reflink' ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE,
        );
        const {atime, mtime, size} = lstatSync(source);
        // Python and cargo compare times to decide whether compiled files are fresh.
        lutimesSync(target, atime, mtime);
        unreportedBytes += size;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      leftOut.push({path: path.relative(from, source), why: 'unreadable'});
    }
  };
  const begin = async (source: string, target: string): Promise<void> => {
    if (running.size >= maxConcurrency) await Promise.race(running);
    const mine: Promise<void> = copyOne(source, target)
      .catch((error: unknown) => {
        failure ??= {error};
      })
      .finally(() => {
        running.delete(mine);
      });
    running.add(mine);
    if (unreportedBytes >= reportEveryBytes) {
      const bytes = unreportedBytes;
      unreportedBytes = 0;
      await onWritten(bytes);
    }
  };
  const link = (source: string, target: string, isEnvironment: boolean): void => {
    const found = copiedLink({root, source, isEnvironment});
    if (found === undefined) leftOut.push({path: path.relative(from, source), why: 'link'});
    else symlinkSync(found, target);
  };
  const visit = async (
    source: string,
    target: string,
    isProgramsOfEnvironment: boolean,
  ): Promise<void> => {
    goOn();
    if (failure !== undefined) throw failure.error;
    mkdirSync(target, {mode: lstatSync(source).mode | 0o700});
    const entries = await readdir(source, {withFileTypes: true});
    const isEnvironment = entries.some((entry) => entry.isFile() && entry.name === 'pyvenv.cfg');
    if (
      isEnvironment ||
      (path.basename(source) === '.bin' && entries.some((entry) => entry.isFile()))
    )
      pathBound.push(path.relative(from, source));
    for (const entry of entries) {
      const [one, other] = [path.join(source, entry.name), path.join(target, entry.name)];
      if (entry.isDirectory())
        await visit(one, other, isEnvironment && programDirectories.has(entry.name));
      else if (entry.isSymbolicLink()) link(one, other, isProgramsOfEnvironment);
      else if (entry.isFile()) await begin(one, other);
    }
  };

  try {
    await visit(from, to, false);
  } finally {
    await Promise.all(running);
  }

  if (failure !== undefined) throw failure.error;
  goOn();
  return {leftOut, pathBound};
}

const programDirectories: ReadonlySet<string> = new Set(['bin', 'Scripts']);

/**
 * The target of a link in the copy; undefined when the link is left out. An absolute target inside
 * of the checkout becomes relative, so that it leads into the worktree. Only the interpreter of a
 * virtualenv may lead out: without it nothing runs.
 */
function copiedLink({
  root,
  source,
  isEnvironment,
}: {
  readonly root: string;
  readonly source: string;
  readonly isEnvironment: boolean;
}): string | undefined {
  const link = readlinkSync(source);
  const target = path.resolve(path.dirname(source), link);
  if (isPathPrefix(root, target))
    return path.isAbsolute(link) ? path.relative(path.dirname(source), target) : link;
  const isInterpreter =
    isEnvironment &&
    path.isAbsolute(link) &&
    /^(?:python|pypy)[\d.]*(?:\.exe)?$/.test(path.basename(source));
  return isInterpreter && statSync(target, {throwIfNoEntry: false})?.isFile() === true
    ? link
    : undefined;
}

/** A file of another user, or one that was just removed, does not stop the copy of the others. */
function isUnreadable(error: unknown): boolean {
  const {code, syscall} = error as NodeJS.ErrnoException;
  return (
    (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') &&
    (syscall === 'copyfile' || syscall === 'link' || syscall === 'lstat')
  );
}

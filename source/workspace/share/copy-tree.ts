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
import path from 'node:path';
import {isInside} from '../worktree/names.ts';

export type ShareWay = 'reflink' | 'hard-link' | 'copy';

export type TreeCopy = {
  readonly from: string;
  readonly to: string;
  /** The checkout: a link that leads out of it is not copied. */
  readonly root: string;
  readonly how: ShareWay;
  /** Asked again and again: whoever no longer wants the copy throws here. */
  readonly goOn?: () => void;
  /** Called with the bytes that were written since the last call; a full disk is noticed before it is full. */
  readonly wrote?: (bytes: number) => Promise<void>;
};

export type CopiedTree = {
  /** Links that lead out of the checkout, and files that could not be read, by their path below the top. */
  readonly leftOut: readonly {readonly path: string; readonly why: 'link' | 'unreadable'}[];
  /** Directories whose texts may name the checkout's own path: virtualenvs, and scripts of pnpm. */
  readonly pathBound: readonly string[];
};

/** So many files are copied side by side. Dependencies are many small files: most of the time is waiting for the kernel. */
const sideBySide = 16;
/** How many bytes are written between two looks at the disk. */
const lookEvery = 64 * 1024 * 1024;

/** Copies a directory of dependencies from the person's own checkout. The daemon goes on with other work meanwhile. */
export async function copyTree({
  from,
  to,
  root,
  how,
  goOn = () => undefined,
  wrote = () => Promise.resolve(),
}: TreeCopy): Promise<CopiedTree> {
  const leftOut: {path: string; why: 'link' | 'unreadable'}[] = [];
  const pathBound: string[] = [];
  const going = new Set<Promise<void>>();
  let failure: {readonly error: unknown} | undefined;
  let unseen = 0;

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
        // Python and cargo compare times before they believe what was compiled before.
        lutimesSync(target, atime, mtime);
        unseen += size;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      leftOut.push({path: path.relative(from, source), why: 'unreadable'});
    }
  };
  const begin = async (source: string, target: string): Promise<void> => {
    if (going.size >= sideBySide) await Promise.race(going);
    const mine: Promise<void> = copyOne(source, target)
      .catch((error: unknown) => {
        failure ??= {error};
      })
      .finally(() => {
        going.delete(mine);
      });
    going.add(mine);
    if (unseen >= lookEvery) {
      const bytes = unseen;
      unseen = 0;
      await wrote(bytes);
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
    await Promise.all(going);
  }

  if (failure !== undefined) throw failure.error;
  goOn();
  return {leftOut, pathBound};
}

const programDirectories: ReadonlySet<string> = new Set(['bin', 'Scripts']);

/**
 * What a link says in the copy; nothing when it is left out. A full path inside of the checkout becomes a relative one, so that the
 * copy leads into its own worktree. The interpreter of a virtualenv is the one link that may lead out: without it nothing runs.
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
  if (isInside(root, target))
    return path.isAbsolute(link) ? path.relative(path.dirname(source), target) : link;
  const isInterpreter =
    isEnvironment &&
    path.isAbsolute(link) &&
    /^(?:python|pypy)[\d.]*(?:\.exe)?$/.test(path.basename(source));
  return isInterpreter && statSync(target, {throwIfNoEntry: false})?.isFile() === true
    ? link
    : undefined;
}

/** Files of another user, and what was removed a moment ago, are no reason to go without all the others. */
function isUnreadable(error: unknown): boolean {
  const {code, syscall} = error as NodeJS.ErrnoException;
  return (
    (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') &&
    (syscall === 'copyfile' || syscall === 'link' || syscall === 'lstat')
  );
}

import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {existsSync, realpathSync} from 'node:fs';
import {isLive, selectRuns, selectSession, type SessionId} from '../../domain/index.ts';
import {isWithin, readRegularFile, writeFileAtomic} from '../../files/index.ts';
import {type GivenFile, maxGivenBytes, maxGivenFiles, type Question} from '../../protocol/index.ts';
import {detectImageType} from '../../shared/index.ts';
import type {
  DaemonDirectory,
  RepositoryAccess,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {getExchange} from '../launch/exchange.ts';
import {replacesTemporary} from '../launch/sandbox-launch.ts';

type GiveContext = StateReader & SessionFiles & DaemonDirectory & Pick<RepositoryAccess, 'root'>;

/**
 * Gives files of the person to the program of a session: those that its sandbox hides are copied
 * into its exchange directory, under a name of ours. Says for each file which path to type.
 */
export function giveFiles(
  context: GiveContext,
  session: SessionId,
  {files, copies}: Pick<Extract<Question, {about: 'give-files'}>, 'files' | 'copies'>,
): {readonly files: readonly GivenFile[]} {
  checkFiles(files);
  const known = selectSession(context.state(), session);
  if (known === undefined) throw new Error(`there is no session ${session}`);
  if (!isLive(known)) throw new Error(`${session} has ended; it was given nothing`);
  return {
    files: files.map((file) => {
      if (copies === 'all' || isHidden(context, session, file)) return copy(context, session, file);
      return existsSync(file) ? {at: 'shown', path: file} : {at: 'missing', path: file};
    }),
  };
}

function checkFiles(files: unknown): asserts files is readonly string[] {
  const isPath = (file: unknown): boolean =>
    typeof file === 'string' &&
    path.isAbsolute(file) &&
    file.length <= maxPathLength &&
    !file.includes('\0');
  if (!Array.isArray(files) || files.length === 0 || !files.every(isPath))
    throw new Error('expected a list of absolute paths such as ["/data/shot.png"]');
  if (files.length > maxGivenFiles)
    throw new Error(`expected at most ${maxGivenFiles} files at once, got ${files.length}`);
}

/** PATH_MAX of Linux. */
const maxPathLength = 4096;

function copy(context: GiveContext, session: SessionId, file: string): GivenFile {
  const reading = readRegularFile(file, {maxBytes: maxGivenBytes});
  if (reading.at === 'refused')
    return reading.why === 'missing'
      ? {at: 'missing', path: file}
      : {at: 'refused', path: file, why: reading.message};
  const {given, below} = getExchange(context, session);
  const target = path.join(given, nameCopy(file, reading.bytes));
  writeFileAtomic(target, reading.bytes, {below, isNew: true});
  return {at: 'copied', path: target};
}

/** The name of a file may be anything; only a plain ending of it is kept. */
function nameCopy(file: string, bytes: Uint8Array): string {
  const image = detectImageType(bytes);
  const random = randomBytes(4).toString('hex');
  if (image !== undefined) return `image-${random}.${image}`;
  const ending = /\.([\da-z]{1,8})$/i.exec(path.basename(file))?.[1]?.toLowerCase();
  return ending === undefined ? `file-${random}` : `file-${random}.${ending}`;
}

/**
 * Whether the sandbox of the session replaces the directory that the file is in. The daemon's own
 * files are hidden as well, but are nobody's to give away; and in a place where agents write, what
 * looks hidden may be behind a link that one of them made.
 */
function isHidden(context: GiveContext, session: SessionId, file: string): boolean {
  if (!context.store.isConfined(session) || !replacesTemporary(context.root)) return false;
  const real = resolveDirectory(file);
  if (real === undefined || !isWithin(realpathSync('/tmp'), real)) return false;
  const worktrees = selectRuns(context.state()).flatMap((run) =>
    run.worktrees.map((worktree) => worktree.path),
  );
  const places = [context.root, context.stateDirectory, ...worktrees];
  return !places.some(
    (place) => isWithin(place, path.resolve(file)) || isWithin(resolveLinks(place), real),
  );
}

/** The path without links in its directory; undefined if that is not there. */
function resolveDirectory(file: string): string | undefined {
  try {
    return path.join(realpathSync(path.dirname(path.resolve(file))), path.basename(file));
  } catch {
    return undefined;
  }
}

function resolveLinks(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

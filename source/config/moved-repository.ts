import path from 'node:path';
import {existsSync, statSync} from 'node:fs';
import {namesIn, tryReadText, writeFileAtomic} from '../files/index.ts';

/**
 * Identifies the repository of a state directory: the path of git's common directory, and its
 * identity in the kernel.
 */
type RepositoryRecord = {readonly commonDirectory: string; readonly identity: string};

const recordFile = 'repository.json';
const maxBytes = 64 * 1024;
const maxStates = 10_000;

/**
 * Every daemon records this at its start, so that the state is found again when the repository is
 * moved.
 */
export function recordRepository(stateDirectory: string, commonDirectory: string): void {
  const identity = readIdentity(commonDirectory);
  if (identity === undefined) return;
  const file = path.join(stateDirectory, recordFile);
  writeFileAtomic(
    file,
    `${JSON.stringify({commonDirectory, identity} satisfies RepositoryRecord)}\n`,
  );
}

export type MovedState = {
  readonly stateDirectory: string;
  /** The former path of git's common directory. */ readonly was: string;
};

/**
 * Finds the state that this repository had at a former path; `undefined` if it has a state at its
 * present path. A copy has another identity, and nothing that is written into a repository can give
 * it the identity of another one.
 */
export function findMovedState({
  stateHome,
  stateDirectory,
  commonDirectory,
}: {
  readonly stateHome: string;
  readonly stateDirectory: string;
  readonly commonDirectory: string;
}): MovedState | undefined {
  const identity = readIdentity(commonDirectory);
  if (identity === undefined || existsSync(path.join(stateDirectory, 'journal.jsonl')))
    return undefined;
  for (const name of namesIn(stateHome, {maxEntries: maxStates})) {
    const directory = path.join(stateHome, name);
    const record =
      directory === stateDirectory ? undefined : readRecord(path.join(directory, recordFile));
    if (
      record?.identity === identity &&
      record.commonDirectory !== commonDirectory &&
      readIdentity(record.commonDirectory) !== identity
    )
      return {stateDirectory: directory, was: record.commonDirectory};
  }

  return undefined;
}

/**
 * A rename keeps all three. A new directory can get the inode of a removed one, but not its time of
 * birth.
 */
function readIdentity(directory: string): string | undefined {
  try {
    const {dev, ino, birthtimeNs} = statSync(directory, {bigint: true});
    return [dev, ino, birthtimeNs].join(' ');
  } catch {
    return undefined;
  }
}

function readRecord(file: string): RepositoryRecord | undefined {
  try {
    const {commonDirectory, identity} = JSON.parse(
      tryReadText(file, {maxBytes}) ?? '{}',
    ) as Partial<RepositoryRecord>;
    return typeof commonDirectory === 'string' && typeof identity === 'string'
      ? {commonDirectory, identity}
      : undefined;
  } catch {
    return undefined;
  }
}

import {existsSync, statSync} from 'node:fs';
import path from 'node:path';
import {namesIn, tryReadText, writeWhole} from '../files/index.ts';

/** Which repository a state is of: where git's common directory is, and which directory that is to the kernel. */
type RepositoryRecord = {readonly commonDirectory: string; readonly identity: string};

const recordFile = 'repository.json';
const maxBytes = 64 * 1024;
const maxStates = 10_000;

/** Written by each daemon that starts, so that the state is recognised when the repository is moved. */
export function recordRepository(stateDirectory: string, commonDirectory: string): void {
  const identity = identityOf(commonDirectory);
  if (identity === undefined) return;
  const file = path.join(stateDirectory, recordFile);
  writeWhole(file, `${JSON.stringify({commonDirectory, identity} satisfies RepositoryRecord)}\n`);
}

export type MovedState = {
  readonly stateDirectory: string;
  /** Where git's common directory was. */ readonly was: string;
};

/**
 * The state that this repository had at another path, where it is no longer; nothing when it has a state here. A copy has
 * another identity, and nothing that is written into a repository can give it the identity of another one.
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
  const identity = identityOf(commonDirectory);
  if (identity === undefined || existsSync(path.join(stateDirectory, 'journal.jsonl')))
    return undefined;
  for (const name of namesIn(stateHome, {maxEntries: maxStates})) {
    const directory = path.join(stateHome, name);
    const record =
      directory === stateDirectory ? undefined : readRecord(path.join(directory, recordFile));
    if (
      record?.identity === identity &&
      record.commonDirectory !== commonDirectory &&
      identityOf(record.commonDirectory) !== identity
    )
      return {stateDirectory: directory, was: record.commonDirectory};
  }

  return undefined;
}

/** A rename keeps all three. An inode is given to a new directory when the old one is gone, but not with the same moment of birth. */
function identityOf(directory: string): string | undefined {
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

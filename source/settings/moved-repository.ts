import {existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** Which repository a state is of: where git's common directory is, and which directory that is to the kernel. */
type RepositoryRecord = {readonly commonDirectory: string; readonly identity: string};

const recordFile = 'repository.json';
const maxBytes = 64 * 1024;

/** Written by each daemon that starts, so that the state is recognised when the repository is moved. */
export function recordRepository(stateDirectory: string, commonDirectory: string): void {
  const identity = identityOf(commonDirectory);
  if (identity === undefined) return;
  const file = path.join(stateDirectory, recordFile);
  writeFileSync(`${file}.tmp`, `${JSON.stringify({commonDirectory, identity} satisfies RepositoryRecord)}\n`, {mode: 0o600});
  renameSync(`${file}.tmp`, file);
}

export type MovedState = {readonly stateDirectory: string; /** Where git's common directory was. */ readonly was: string};

/**
 * The state that this repository had at another path, where it is no longer; nothing when it has a state here. A copy has
 * another identity, and nothing that is written into a repository can give it the identity of another one.
 */
export function findMovedState({stateHome, stateDirectory, commonDirectory}: {readonly stateHome: string; readonly stateDirectory: string; readonly commonDirectory: string}): MovedState | undefined {
  const identity = identityOf(commonDirectory);
  if (identity === undefined || existsSync(path.join(stateDirectory, 'journal.jsonl'))) return undefined;
  for (const name of namesIn(stateHome)) {
    const directory = path.join(stateHome, name);
    const record = directory === stateDirectory ? undefined : readRecord(path.join(directory, recordFile));
    if (record?.identity === identity && record.commonDirectory !== commonDirectory && identityOf(record.commonDirectory) !== identity) return {stateDirectory: directory, was: record.commonDirectory};
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
    const facts = statSync(file);
    if (!facts.isFile() || facts.size > maxBytes) return undefined;
    const {commonDirectory, identity} = JSON.parse(readFileSync(file, 'utf8')) as Partial<RepositoryRecord>;
    return typeof commonDirectory === 'string' && typeof identity === 'string' ? {commonDirectory, identity} : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

import path from 'node:path';
import {existsSync} from 'node:fs';
import {
  type Account,
  findDirectoryRefusal,
  inspectDirectory,
  type Places,
} from '../../config/index.ts';
import {isKnownEvent} from '../../domain/index.ts';
import {namesIn} from '../../files/index.ts';
import {describeEnding, inspectJournal} from '../../journal/index.ts';
import type {DoctorFacts} from '../../reports/index.ts';
import {readFileSystem, type System} from '../../system/index.ts';

/**
 * Reports the directory of all state if it cannot be used, otherwise this repository's directory in
 * it.
 */
export function stateFacts(
  {stateHome, repository}: Places,
  account: Account,
  system: System,
): DoctorFacts['state'] {
  const home = directoryFacts(stateHome, account, system);
  return repository === undefined || home.refusal !== undefined
    ? home
    : directoryFacts(repository.stateDirectory, account, system);
}

export function directoryFacts(
  directory: string,
  {uid}: Account,
  {platform}: System,
): DoctorFacts['state'] {
  const facts = inspectDirectory(directory, uid);
  const refusal = findDirectoryRefusal(directory, facts);
  return {
    path: directory,
    exists: facts.at !== 'missing',
    ...(refusal === undefined ? {} : {refusal}),
    fileSystem: readFileSystem(directory, platform),
  };
}

type Journals = NonNullable<DoctorFacts['journals']>;

export function inspectJournals(stateHome: string): Journals {
  if (!existsSync(stateHome)) return [];
  const directories = namesIn(stateHome, {maxEntries: 100_000, links: 'follow'}).map((name) =>
    path.join(stateHome, name),
  );
  return directories
    .filter((directory) => existsSync(path.join(directory, 'journal.jsonl')))
    .map((directory) => inspectOne(directory));
}

function inspectOne(directory: string): Journals[number] {
  try {
    const {records, ending, blobs, damagedBlobs} = inspectJournal({directory, knows: isKnownEvent});
    return {
      at: 'read',
      path: directory,
      records,
      ending: ending.kind,
      said: describeEnding(ending) ?? '',
      blobs,
      damagedBlobs,
    };
  } catch (error) {
    return {at: 'unreadable', path: directory, said: String(error)};
  }
}

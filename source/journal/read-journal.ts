import {type Disk, realDisk} from './disk.ts';
import type {Entry} from './entry.ts';
import {filesOf} from './files-of.ts';
import {readFile} from './read-file.ts';
import type {Ending} from './read-records.ts';

export type ReadOptions = {
  readonly directory: string;
  readonly knows: (type: string) => boolean;
  readonly visit: (entry: Entry) => void;
  /** @default the real one */
  readonly disk?: Disk;
};

/** Visits every entry that can be trusted, in order. Writes nothing and needs no lock; beside a live daemon its end is a moment. */
export function readJournal({directory, knows, visit, disk = realDisk}: ReadOptions): Ending {
  return readFile(disk, filesOf(directory).journal, knows, visit).ending;
}

import type {ChangedFile} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {aside} from './aside.ts';

/** One path in which two trees differ. */
export type Difference = ChangedFile & {
  readonly old: Entry | null;
  readonly new: Entry | null;
  /** Git sees bytes in it and not lines; `added` and `removed` are 0 then. */
  readonly isBinary: boolean;
};

export type Entry = {readonly mode: string; readonly object: string};

/** Its bytes are not UTF-8, so that the text which we have of it is no name that git knows. */
export function isUnspeakable(file: string): boolean {
  return file.includes('\uFFFD');
}

/** What is larger is not read line by line. */
export const largeFile = 4 * 1024 * 1024;

export async function differencesOf(
  workspace: Workspace,
  from: string,
  to: string,
): Promise<readonly Difference[]> {
  return readDifferences(
    await aside(
      workspace,
      [
        '-c',
        `core.bigFileThreshold=${largeFile}`,
        'diff-tree',
        '-r',
        '-z',
        '--raw',
        '--numstat',
        '--no-renames',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        `${from}^{tree}`,
        `${to}^{tree}`,
      ],
      {isRead: true},
    ),
  );
}

/** Git's `--raw --numstat -z`: first all entries, then all counts, in the same order. */
export function readDifferences(text: string): readonly Difference[] {
  const parts = text.split('\0');
  const found: Difference[] = [];
  const counts: {readonly added: number; readonly removed: number; readonly isBinary: boolean}[] =
    [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const raw =
      /^:(?<oldMode>\d+) (?<newMode>\d+) (?<oldObject>[\da-f]+) (?<newObject>[\da-f]+) [A-Z]\d*$/.exec(
        part,
      )?.groups;
    if (raw !== undefined && counts.length === 0) {
      const [before, after] = [
        entryOf(raw['oldMode'], raw['oldObject']),
        entryOf(raw['newMode'], raw['newObject']),
      ];
      found.push({
        path: parts[++at] ?? '',
        how: before === null ? 'added' : after === null ? 'deleted' : 'modified',
        added: 0,
        removed: 0,
        old: before,
        new: after,
        isBinary: false,
      });
      continue;
    }

    const count = /^(?<added>\d+|-)\t(?<removed>\d+|-)\t(?<path>[\s\S]+)$/.exec(part)?.groups;
    if (count !== undefined)
      counts.push({
        added: Number(count['added']) || 0,
        removed: Number(count['removed']) || 0,
        isBinary: count['added'] === '-',
      });
  }

  // By their place: two names whose bytes are not UTF-8 may read the same.
  return found.map((one, place) => ({...one, ...counts[place]}));
}

function entryOf(mode: string | undefined, object: string | undefined): Entry | null {
  return mode === undefined || object === undefined || mode === '000000' ? null : {mode, object};
}

import {existsSync} from 'node:fs';
import path from 'node:path';
import {partsOf} from '../change/aside.ts';
import type {Difference, Entry} from '../change/differences-of.ts';
import {withIndex} from '../change/with-index.ts';
import {copyIndex} from '../git/copy-index.ts';
import type {Workspace} from '../open-workspace.ts';
import type {HeldIndex} from './hold-index.ts';
import {runIn, type Place} from './run-in.ts';

/** `entry` is what a path has afterwards; null when it is gone. */
export type IndexEntry = {readonly path: string; readonly entry: Entry | null};

/**
 * Gives these paths, and only these, other entries in a checkout's index. What the person staged elsewhere stays as it is.
 * `before` is the last step while the index is still held; when it says no, the index stays as it was and is held on.
 */
export function writeIndex(
  workspace: Workspace,
  place: Place,
  held: HeldIndex,
  entries: readonly IndexEntry[],
  before: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  return withIndex(workspace, async (index) => {
    const own = path.join(place.gitDirectory, 'index');
    if (existsSync(own)) copyIndex(own, index);
    const run = (argv: readonly string[], input?: string): Promise<string> =>
      runIn(workspace, place, ['-c', 'core.splitIndex=false', ...argv], {
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

/** Which of these paths still have the entry that they had. */
export async function oldEntries(
  workspace: Workspace,
  place: Place,
  differences: readonly Difference[],
): Promise<readonly Difference[]> {
  const entries = await entriesIn(workspace, place);
  return differences.filter((one) => entries.get(one.path) === textOf(one.old));
}

/** Paths whose entries are neither as they were nor as they are to be: the person staged something. */
export async function strangeEntries(
  workspace: Workspace,
  place: Place,
  differences: readonly Difference[],
): Promise<readonly string[]> {
  const entries = await entriesIn(workspace, place);
  return differences
    .filter((one) => ![textOf(one.old), textOf(one.new)].includes(entries.get(one.path)))
    .map(({path: file}) => file);
}

async function entriesIn(workspace: Workspace, place: Place): Promise<ReadonlyMap<string, string>> {
  const lines = partsOf(await runIn(workspace, place, ['ls-files', '-s', '-z'], {isRead: true}));
  return new Map(
    lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]),
  );
}

function textOf(entry: Entry | null): string | undefined {
  return entry === null ? undefined : `${entry.mode} ${entry.object} 0`;
}

import type {Workspace} from '../open-workspace.ts';
import {runOnObjects, splitByNul} from '../client/plumbing.ts';
import type {ChangedFile} from '../../domain/index.ts';

/** Objects whose content does not match their hash: the object store was tampered with. */
export class TamperedObjects extends Error {
  override readonly name = 'TamperedObjects';

  constructor(found: readonly NamedObject[]) {
    const shown = found
      .slice(0, 5)
      .map(({id, path}) => (path === undefined ? id : `${path} (${id})`))
      .join(', ');
    super(
      'expected the content of every object in .git/objects to match its hash, got other ' +
        `content for ${shown}${found.length > 5 ? ` and ${found.length - 5} more` : ''}. ` +
        `Somebody wrote into the repository's objects; nothing was merged. Look with "git ` +
        'fsck --full", restore the objects from a clone, then resume.',
    );
  }
}

type NamedObject = {readonly id: string; readonly path?: string};

/** Verifies the files on both sides of a change. Throws when one does not match its hash. */
export function verifyDifferences(
  workspace: Workspace,
  differences: readonly Difference[],
): Promise<void> {
  const objects = differences.flatMap((one) =>
    [one.old, one.new].flatMap((entry) =>
      entry === null || entry.mode === '160000' ? [] : [{id: entry.object, path: one.path}],
    ),
  );
  return verifyAll(workspace, objects);
}

/** Verifies every commit, directory and file that `to` has and `from` has not. */
export async function verifyRange(
  workspace: Workspace,
  {from, to}: {readonly from: string; readonly to: string},
): Promise<void> {
  const lines = (
    await runOnObjects(workspace, ['rev-list', '--objects', '--no-object-names', to, `^${from}`], {
      isRead: true,
    })
  ).split('\n');
  await verifyAll(
    workspace,
    lines.filter((line) => line !== '').map((id) => ({id})),
  );
}

/** Verifies all files and directories of a commit, also the unchanged ones. */
export async function verifyTree(workspace: Workspace, commit: string): Promise<void> {
  const lines = splitByNul(
    await runOnObjects(workspace, ['ls-tree', '-r', '-t', '-z', '--full-tree', commit], {
      isRead: true,
    }),
  );
  const entries = lines.map((line) => ({
    id: line.split(/[ \t]/, 3)[2] ?? '',
    path: line.slice(line.indexOf('\t') + 1),
    isLink: line.startsWith('160000'),
  }));
  await verifyAll(workspace, [
    {id: commit},
    ...entries.filter(({isLink}) => !isLink).map(({id, path}) => ({id, path})),
  ]);
}

async function verifyAll(workspace: Workspace, objects: readonly NamedObject[]): Promise<void> {
  const byId = new Map(objects.map((one) => [one.id, one]));
  const ids = [...byId.keys()];
  const names = await workspace.hashObjects(workspace.commonDirectory, ids);
  // A missing object (partial clone) is left to git, which fetches it or fails.
  const wrong = ids
    .filter((id, index) => names[index] !== undefined && names[index] !== id)
    .flatMap((id) => byId.get(id) ?? []);
  if (wrong.length > 0) throw new TamperedObjects(wrong);
}

/** A path in which two trees differ. */
export type Difference = ChangedFile & {
  readonly old: TreeEntry | null;
  readonly new: TreeEntry | null;
  /** Git treats it as binary; `added` and `removed` are 0 then. */
  readonly isBinary: boolean;
};

export type TreeEntry = {readonly mode: string; readonly object: string};

/**
 * Whether a path has bytes that are not UTF-8. Decoding replaced them, so git does not know the
 * decoded path.
 */
export function isNotUtf8(file: string): boolean {
  return file.includes('\uFFFD');
}

/** Larger files are not read line by line. */
export const maxTextBytes = 4 * 1024 * 1024;

export async function computeDifferences(
  workspace: Workspace,
  from: string,
  to: string,
): Promise<readonly Difference[]> {
  return parseDifferences(
    await runOnObjects(
      workspace,
      [
        '-c',
        `core.bigFileThreshold=${maxTextBytes}`,
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

/** Parses `--raw --numstat -z`: first all entries, then all counts, in the same order. */
export function parseDifferences(text: string): readonly Difference[] {
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
        toEntry(raw['oldMode'], raw['oldObject']),
        toEntry(raw['newMode'], raw['newObject']),
      ];
      found.push({
        path: parts[++at] ?? '',
        how: toChangeKind(before, after),
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

  // Matched by position: two paths that are not UTF-8 can decode to the same text.
  return found.map((one, place) => ({...one, ...counts[place]}));
}

function toChangeKind(before: TreeEntry | null, after: TreeEntry | null): Difference['how'] {
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'modified';
}

function toEntry(mode: string | undefined, object: string | undefined): TreeEntry | null {
  return mode === undefined || object === undefined || mode === '000000' ? null : {mode, object};
}

export type DiffOptions = {
  readonly from: string;
  readonly to: string;
  readonly paths?: readonly string[];
  /** Unchanged lines around each change; git's default is 3. */
  readonly context?: number;
};

/**
 * The patch between two commits or trees, as `git apply` takes it. External diff programs of the
 * repository are off.
 */
export async function computeDiff(
  workspace: Workspace,
  {from, to, paths = [], context}: DiffOptions,
): Promise<string> {
  await verifyDifferences(workspace, await computeDifferences(workspace, from, to));
  return runOnObjects(
    workspace,
    [
      '--literal-pathspecs',
      '-c',
      `core.bigFileThreshold=${maxTextBytes}`,
      'diff-tree',
      '-r',
      '-p',
      '-M',
      ...(context === undefined ? [] : [`-U${context}`]),
      '--full-index',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      `${from}^{tree}`,
      `${to}^{tree}`,
      ...(paths.length === 0 ? [] : ['--', ...paths]),
    ],
    {isRead: true},
  );
}

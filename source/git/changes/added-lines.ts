import type {AddedLine, UnreadFile} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {runOnObjects} from '../client/plumbing.ts';
import {type Difference, isNotUtf8, maxTextBytes} from './differences.ts';

export type AddedLines = {
  readonly addedLines: readonly AddedLine[];
  readonly unread: readonly UnreadFile[];
};

const limits = {
  /** Characters of one line; a longer one is truncated, and its file is listed in `unread`. */
  line: 20_000,
  /** Characters of all lines together. */
  total: 16 * 1024 * 1024,
  /** Files and characters of names in one call of git. */
  files: 200,
  names: 32_000,
};

export async function readAddedLines(
  workspace: Workspace,
  {
    from,
    to,
    differences,
  }: {readonly from: string; readonly to: string; readonly differences: readonly Difference[]},
): Promise<AddedLines> {
  const files = differences.filter((one) => isFile(one.new?.mode));
  const sizes = await readSizes(
    workspace,
    files.map((one) => one.new?.object ?? ''),
  );
  const getSize = (one: Difference): number => sizes.get(one.new?.object ?? '') ?? 0;
  const unread: UnreadFile[] = [];
  const addedLines: AddedLine[] = [];
  let total = 0;
  const readable = files.filter((one) => {
    const isTooLarge = getSize(one) > maxTextBytes;
    if (isTooLarge || one.isBinary)
      unread.push({path: one.path, why: isTooLarge ? 'too large' : 'binary'});
    return !isTooLarge && !one.isBinary && one.added > 0;
  });
  for (const batch of splitIntoBatches(readable, getSize)) {
    if (total > limits.total) {
      unread.push(...batch.map(({path}) => ({path, why: 'too large'}) as const));
      continue;
    }

    for (const {path, lines} of await readLines(workspace, from, to, batch)) {
      for (const {line, text} of lines) {
        total += text.length;
        addedLines.push({path, line, text: text.slice(0, limits.line)});
        if (text.length > limits.line && unread.at(-1)?.path !== path)
          unread.push({path, why: 'a line too long'});
      }
    }
  }

  return {addedLines, unread};
}

type FileLines = {
  readonly path: string;
  readonly lines: readonly {readonly line: number; readonly text: string}[];
};

/**
 * Reads a batch with one git call when its output can be assigned to files, otherwise file by file.
 */
async function readLines(
  workspace: Workspace,
  from: string,
  to: string,
  batch: readonly Difference[],
): Promise<readonly FileLines[]> {
  if (!batch.some(({path}) => isNotUtf8(path))) {
    const parts = parsePatch(await readPatch(workspace, from, to, batch));
    // A file that became a link, or a link that became a file, gives two parts: a deletion and an
    // addition.
    const owners = batch.flatMap((one) => (isOtherKind(one) ? [one, one] : [one]));
    if (parts.length === owners.length)
      return owners.map(({path}, at) => ({path, lines: parts[at] ?? []}));
  }

  // A pathspec also matches a directory: a file that replaced a directory would include its
  // content. Objects have no paths.
  const found: FileLines[] = [];
  for (const one of batch) found.push({path: one.path, lines: await linesByObject(workspace, one)});
  return found;
}

async function linesByObject(workspace: Workspace, one: Difference): Promise<FileLines['lines']> {
  const object = one.new?.object ?? '';
  if (one.old !== null && !isOtherKind(one) && one.old.object !== object)
    return (
      parsePatch(
        await runOnObjects(workspace, [...getPatchArgv('diff'), one.old.object, object], {
          isRead: true,
        }),
      )[0] ?? []
    );
  if (one.old !== null && !isOtherKind(one)) return [];
  const lines = (await runOnObjects(workspace, ['cat-file', 'blob', object], {isRead: true})).split(
    '\n',
  );
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map((text, at) => ({
    line: at + 1,
    text,
  }));
}

function isOtherKind({old, new: now}: Difference): boolean {
  return old !== null && old.mode.slice(0, 2) !== now?.mode.slice(0, 2);
}

function isFile(mode: string | undefined): boolean {
  return mode?.startsWith('100') === true;
}

async function readSizes(
  workspace: Workspace,
  objects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (objects.length === 0) return new Map();
  const text = await runOnObjects(workspace, ['cat-file', '--batch-check'], {
    input: objects.map((object) => `${object}\n`).join(''),
    isRead: true,
  });
  return new Map(
    text
      .split('\n')
      .map((line) => line.split(' '))
      .map(([object, , size]) => [object ?? '', Number(size ?? 0)]),
  );
}

function* splitIntoBatches(
  files: readonly Difference[],
  sizeOf: (one: Difference) => number,
): Iterable<readonly Difference[]> {
  let batch: Difference[] = [];
  let [size, names] = [0, 0];
  for (const one of files) {
    if (
      batch.length > 0 &&
      (batch.length >= limits.files ||
        size + sizeOf(one) > limits.total ||
        names + one.path.length > limits.names)
    ) {
      yield batch;
      batch = [];
      [size, names] = [0, 0];
    }

    batch.push(one);
    size += sizeOf(one);
    names += one.path.length;
  }

  if (batch.length > 0) yield batch;
}

function readPatch(
  workspace: Workspace,
  from: string,
  to: string,
  files: readonly Difference[],
): Promise<string> {
  return runOnObjects(
    workspace,
    [
      '--literal-pathspecs',
      ...getPatchArgv('diff-tree', '-r'),
      `${from}^{tree}`,
      `${to}^{tree}`,
      '--',
      ...files.map(({path}) => path),
    ],
    {isRead: true},
  );
}

function getPatchArgv(...command: readonly string[]): string[] {
  return [
    '-c',
    `core.bigFileThreshold=${maxTextBytes}`,
    ...command,
    '-p',
    '-U0',
    '--inter-hunk-context=0',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--full-index',
  ];
}

/** The added lines of one file in a patch. */
export type PatchPart = readonly {readonly line: number; readonly text: string}[];

/**
 * Parses a patch without context (`-U0`) into one part per file, in order. File names are not
 * parsed, because a name can look like a patch; the order identifies the file. A line cannot pass
 * for a header, because hunks state their number of lines.
 */
export function parsePatch(text: string): readonly PatchPart[] {
  const parts: {line: number; text: string}[][] = [];
  let at = 0;
  const next = (): string => {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    return line;
  };

  while (at < text.length) {
    const line = next();
    if (line.startsWith('diff --git ')) {
      parts.push([]);
      continue;
    }

    const hunk = /^@@ -\d+(?:,(?<removed>\d+))? \+(?<from>\d+)(?:,(?<added>\d+))? @@/.exec(
      line,
    )?.groups;
    if (hunk === undefined) continue;
    const from = Number(hunk['from']);
    const [removed, added] = [Number(hunk['removed'] ?? 1), Number(hunk['added'] ?? 1)];
    for (
      let seen = {removed: 0, added: 0};
      (seen.removed < removed || seen.added < added) && at < text.length;
    ) {
      const content = next();
      if (content.startsWith('-')) seen = {...seen, removed: seen.removed + 1};
      if (!content.startsWith('+')) continue;
      parts.at(-1)?.push({line: from + seen.added, text: content.slice(1)});
      seen = {...seen, added: seen.added + 1};
    }
  }

  return parts;
}

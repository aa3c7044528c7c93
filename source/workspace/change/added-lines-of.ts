import type {Workspace} from '../open-workspace.ts';
import {aside} from './aside.ts';
import {type Difference, isUnspeakable, largeFile} from './differences-of.ts';
import {readPatch} from './read-patch.ts';

export type AddedLine = {readonly path: string; readonly line: number; readonly text: string};

/** A changed file whose added lines could not all be read: a rule about lines can't be called kept there. */
export type Unread = {
  readonly path: string;
  readonly why: 'binary' | 'too large' | 'a line too long';
};

export type AddedLines = {
  readonly addedLines: readonly AddedLine[];
  readonly unread: readonly Unread[];
};

const limits = {
  /** Characters of one line; the rest is cut off and the file is named. */
  line: 20_000,
  /** Characters of all lines together. */
  total: 16 * 1024 * 1024,
  /** Files and characters of names in one call of git. */
  files: 200,
  names: 32_000,
};

export async function addedLinesOf(
  workspace: Workspace,
  {
    from,
    to,
    differences,
  }: {readonly from: string; readonly to: string; readonly differences: readonly Difference[]},
): Promise<AddedLines> {
  const files = differences.filter((one) => isFile(one.new?.mode));
  const sizes = await sizesOf(
    workspace,
    files.map((one) => one.new?.object ?? ''),
  );
  const sizeOf = (one: Difference): number => sizes.get(one.new?.object ?? '') ?? 0;
  const unread: Unread[] = [];
  const addedLines: AddedLine[] = [];
  let total = 0;
  const readable = files.filter((one) => {
    const why = sizeOf(one) > largeFile ? 'too large' : one.isBinary ? 'binary' : undefined;
    if (why !== undefined) unread.push({path: one.path, why});
    return why === undefined && one.added > 0;
  });
  for (const batch of batchesOf(readable, sizeOf)) {
    if (total > limits.total) {
      unread.push(...batch.map(({path}) => ({path, why: 'too large'}) as const));
      continue;
    }

    for (const {path, lines} of await linesOf(workspace, from, to, batch)) {
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

/** In one call of git where that can be told apart again, else file by file. */
async function linesOf(
  workspace: Workspace,
  from: string,
  to: string,
  batch: readonly Difference[],
): Promise<readonly FileLines[]> {
  if (!batch.some(({path}) => isUnspeakable(path))) {
    const parts = readPatch(await patchOf(workspace, from, to, batch));
    // A file that became a link, or a link a file, is two parts: what was, and what is.
    const owners = batch.flatMap((one) => (isOtherKind(one) ? [one, one] : [one]));
    if (parts.length === owners.length)
      return owners.map(({path}, at) => ({path, lines: parts[at] ?? []}));
  }

  // Git takes a name for a folder, too: a file that stands where a folder was brings along what was in it. Objects have no names.
  const found: FileLines[] = [];
  for (const one of batch) found.push({path: one.path, lines: await linesByObject(workspace, one)});
  return found;
}

async function linesByObject(workspace: Workspace, one: Difference): Promise<FileLines['lines']> {
  const object = one.new?.object ?? '';
  if (one.old !== null && !isOtherKind(one) && one.old.object !== object)
    return (
      readPatch(
        await aside(workspace, [...patch('diff'), one.old.object, object], {isRead: true}),
      )[0] ?? []
    );
  if (one.old !== null && !isOtherKind(one)) return [];
  const lines = (await aside(workspace, ['cat-file', 'blob', object], {isRead: true})).split('\n');
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

async function sizesOf(
  workspace: Workspace,
  objects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (objects.length === 0) return new Map();
  const text = await aside(workspace, ['cat-file', '--batch-check'], {
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

function* batchesOf(
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

function patchOf(
  workspace: Workspace,
  from: string,
  to: string,
  files: readonly Difference[],
): Promise<string> {
  return aside(
    workspace,
    [
      '--literal-pathspecs',
      ...patch('diff-tree', '-r'),
      `${from}^{tree}`,
      `${to}^{tree}`,
      '--',
      ...files.map(({path}) => path),
    ],
    {isRead: true},
  );
}

function patch(...command: readonly string[]): string[] {
  return [
    '-c',
    `core.bigFileThreshold=${largeFile}`,
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

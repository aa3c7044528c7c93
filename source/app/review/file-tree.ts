import {memoizeByObject} from '../../shared/index.ts';
import type {DiffComment} from '../model/model.ts';
import type {ChangeLetter, DiffFile, DiffLine} from './parse-diff.ts';
import {selectViewedPaths, type ViewedMark} from './viewed.ts';

export type TreeRow = DirectoryRow | FileRow;

export type DirectoryRow = {
  readonly kind: 'directory';
  /** With a slash at its end. */
  readonly path: string;
};

export type FileRow = {
  readonly kind: 'file';
  readonly path: string;
  /** The path without its directory. */
  readonly name: string;
  readonly how: ChangeLetter;
  /** The number of the task that changed it last. */
  readonly task?: number;
  readonly added: number;
  readonly removed: number;
  readonly isViewed: boolean;
  readonly comments: number;
  readonly isGone: boolean;
};

export type FileTreeOptions = {
  readonly comments: readonly DiffComment[];
  readonly viewed: readonly ViewedMark[];
  /** From `selectFileTasks`. */
  readonly taskOf: (path: string) => number | undefined;
};

/** The rows of the tree, of files in the order of `orderFiles`. */
export function buildFileTree(
  files: readonly DiffFile[],
  {comments, viewed, taskOf}: FileTreeOptions,
): readonly TreeRow[] {
  const viewedPaths = selectViewedPaths(viewed, files);
  const commentCounts = new Map<string, number>();
  for (const {path} of comments) commentCounts.set(path, (commentCounts.get(path) ?? 0) + 1);
  const rows: TreeRow[] = [];
  let directory = '';
  for (const file of files) {
    const own = toDirectory(file.path);
    if (own !== directory) rows.push({kind: 'directory', path: own});
    directory = own;
    const task = taskOf(file.path);
    rows.push({
      kind: 'file',
      path: file.path,
      name: file.path.slice(own.length),
      how: file.how,
      ...(task !== undefined && {task}),
      added: countLines(file, 'added'),
      removed: countLines(file, 'removed'),
      isViewed: viewedPaths.has(file.path),
      comments: commentCounts.get(file.path) ?? 0,
      isGone: file.isGone === true,
    });
  }

  return rows;
}

/**
 * The order in which files are shown and walked: those without a directory first, then directory by
 * directory. Git's own order goes into a directory and comes back.
 */
export function orderFiles(files: readonly DiffFile[]): readonly DiffFile[] {
  return files
    .map((file) => ({file, directory: toDirectory(file.path)}))
    .sort(
      (one, other) =>
        compareText(one.directory, other.directory) || compareText(one.file.path, other.file.path),
    )
    .map(({file}) => file);
}

/** The files, then those that only have comments: these are sent too, so they are shown. */
export function addCommentedFiles(
  files: readonly DiffFile[],
  comments: readonly DiffComment[],
): readonly DiffFile[] {
  const known = new Set(files.map(({path}) => path));
  const gone = new Set(comments.map(({path}) => path).filter((path) => !known.has(path)));
  if (gone.size === 0) return files;
  return [
    ...files,
    ...[...gone].map((path): DiffFile => ({path, how: 'M', notices: [], hunks: [], isGone: true})),
  ];
}

export function countLines(file: DiffFile, kind: DiffLine['kind']): number {
  return countKinds(file)[kind];
}

/** Once for each file: a screen shows it with every key. */
const countKinds = memoizeByObject(({hunks}: DiffFile) => {
  const counts = {context: 0, added: 0, removed: 0};
  for (const {lines} of hunks) for (const {kind} of lines) counts[kind] += 1;
  return counts;
});

/** `8 files +43 -1` */
export const formatChangeSize = memoizeByObject((files: readonly DiffFile[]): string => {
  if (files.length === 0) return '';
  const sum = (kind: DiffLine['kind']): number =>
    files.reduce((lines, file) => lines + countLines(file, kind), 0);
  const noun = files.length === 1 ? 'file' : 'files';
  return `${files.length} ${noun} +${sum('added')} -${sum('removed')}`;
});

function toDirectory(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** By code units: the order is the same in every locale. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

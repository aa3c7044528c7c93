import {isRecord, memoizeByObject, toSha256} from '../../shared/index.ts';
import type {DiffFile} from './parse-diff.ts';

/**
 * A file that the person has viewed. `hash` is of what changed in it: a file that changes later has
 * another hash, so it counts as not viewed. The same change in another diff (the task's, the run's)
 * counts as viewed.
 */
export type ViewedMark = {readonly path: string; readonly hash: string};

export function isViewed(marks: readonly ViewedMark[], file: DiffFile): boolean {
  return isIn(marks, toMark(file));
}

/** Marks a file as viewed, or takes its mark back. */
export function toggleViewed(marks: readonly ViewedMark[], file: DiffFile): readonly ViewedMark[] {
  const mark = toMark(file);
  return isIn(marks, mark)
    ? marks.filter((one) => !isSameMark(one, mark))
    : [...marks, mark].slice(-maxMarks);
}

export function countViewed(marks: readonly ViewedMark[], files: readonly DiffFile[]): number {
  return selectViewedPaths(marks, files).size;
}

/** The paths of all viewed files. One pass, for lists of many files. */
export function selectViewedPaths(
  marks: readonly ViewedMark[],
  files: readonly DiffFile[],
): ReadonlySet<string> {
  const hashes = new Map<string, readonly string[]>();
  for (const {path, hash} of marks) hashes.set(path, [...(hashes.get(path) ?? []), hash]);
  return new Set(
    files
      .filter((file) => hashes.get(file.path)?.includes(toMark(file).hash) === true)
      .map(({path}) => path),
  );
}

/** The next file that is not viewed, after the one at `path` and then from the start. */
export function nextUnviewed(
  marks: readonly ViewedMark[],
  files: readonly DiffFile[],
  path: string | undefined,
): DiffFile | undefined {
  const at = files.findIndex((file) => file.path === path) + 1;
  const viewed = selectViewedPaths(marks, files);
  return [...files.slice(at), ...files.slice(0, at)].find(
    (file) => file.path !== path && !viewed.has(file.path),
  );
}

/** Reads saved marks and drops invalid ones. */
export function parseViewedMarks(value: unknown): readonly ViewedMark[] {
  return (Array.isArray(value) ? value : [])
    .slice(-maxMarks)
    .flatMap((mark: unknown): ViewedMark[] => {
      if (!isRecord(mark)) return [];
      const {path, hash} = mark;
      return typeof path === 'string' && typeof hash === 'string' ? [{path, hash}] : [];
    });
}

/** The oldest are dropped: marks are saved with the state of the app. */
const maxMarks = 1000;

/** Git's names of the contents identify a change; a renamed file or a new mode has no contents. */
const toMark = memoizeByObject(
  ({path, before = '', how, objects, notices, hunks}: DiffFile): ViewedMark => {
    const change = JSON.stringify([how, before, notices, objects ?? hunks]);
    return {path, hash: toSha256(change).slice(0, hashLength)};
  },
);

/** 128 bits. */
const hashLength = 32;

function isIn(marks: readonly ViewedMark[], mark: ViewedMark): boolean {
  return marks.some((one) => isSameMark(one, mark));
}

function isSameMark(one: ViewedMark, other: ViewedMark): boolean {
  return one.path === other.path && one.hash === other.hash;
}

import {diffComments} from './diff-comments.ts';
import type {Model} from './model.ts';
import type {DiffFile} from './read-diff.ts';

/** What is said of a file that the change had when the person wrote about it, and has no longer. */
export const goneWords = 'not in the change any more';

/** The files of the change in view. Behind them stand those that only comments of the person's are about: they are sent, so they are seen. */
export function reviewFiles(
  model: Pick<Model, 'answers' | 'comments' | 'subject'>,
): readonly DiffFile[] {
  const {diff} = model.answers;
  if (diff === undefined || !('value' in diff)) return [];
  const {read} = diff.value;
  const own = diff.of === model.subject ? diffComments(model) : [];
  if (own.length === 0) return read;
  const known = new Set(read.map(({path}) => path));
  const gone = [...new Set(own.map(({path}) => path))].filter((path) => !known.has(path));
  return [
    ...read,
    ...gone.map((path): DiffFile => ({path, before: '', words: goneWords, lines: []})),
  ];
}

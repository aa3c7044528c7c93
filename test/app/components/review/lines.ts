import {type LineItem, toLineItems} from '../../../../source/app/review/diff-lines.ts';
import {type DiffFile, parseDiff} from '../../../../source/app/review/parse-diff.ts';
import {toDiff} from '../../screens/review-fixture.ts';

/** A file of a diff with these lines, each with its sign. */
export function fileOf(lines: readonly string[], path = 'src/a.ts'): DiffFile {
  const [file] = parseDiff(toDiff(path, lines));
  if (file === undefined) throw new Error('expected a file in the diff');
  return file;
}

/** Its lines as the components get them. */
export function linesOf(...lines: readonly string[]): readonly LineItem[] {
  return toLineItems(fileOf(lines)).flatMap((hunk) => hunk.lines);
}

export function lineOf(line: string): LineItem {
  const [item] = linesOf(line);
  if (item === undefined) throw new Error('expected a line in the diff');
  return item;
}

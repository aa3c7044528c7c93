import type {Line} from '../model/line.ts';
import type {DiffFile, DiffLine} from '../model/parse-diff.ts';
import type {Highlight} from './highlight.ts';

export type Coloured = ReadonlyMap<DiffLine, Line>;

/**
 * Old and new text are highlighted separately, so that a comment that begins in one does not extend
 * into the other.
 */
export function colourLines(
  {lines, path}: DiffFile,
  seen: readonly DiffLine[],
  highlight: Highlight,
): Coloured {
  const wanted = new Set(seen);
  const side = (hunk: readonly DiffLine[], kind: 'added' | 'removed'): [DiffLine, Line][] => {
    const own = hunk.filter((line) => line.kind === kind || line.kind === 'context');
    const first = own.findIndex((line) => wanted.has(line));
    if (first === -1) return [];
    // Start some lines before the visible ones, which may be the end of a comment.
    const part = own.slice(
      Math.max(0, first - linesBefore),
      own.findLastIndex((line) => wanted.has(line)) + 1,
    );
    const spans = highlight(
      part.map(({text}) => text),
      path,
    );
    return part.map((line, index) => [line, spans[index] ?? []]);
  };

  return new Map(
    splitHunks(lines).flatMap((hunk) => [...side(hunk, 'removed'), ...side(hunk, 'added')]),
  );
}

const linesBefore = 100;

/** Lines from one `@@` to the next. */
function splitHunks(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  for (const line of lines) {
    if (line.kind === 'hunk' || hunks.length === 0) hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }

  return hunks;
}

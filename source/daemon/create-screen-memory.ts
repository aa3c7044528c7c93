import {Buffer} from 'node:buffer';
import {readEnd, readExtent, readLog} from '../keeper/index.ts';
import {catchUp, checkpointOf, type Checkpoint, type Mark, type Screen} from '../terminal/index.ts';
import type {Size} from '../protocol/index.ts';

/** Remembers the screens that were looked at, so that the next look draws only what came since. */
export type ScreenMemory = {
  /** The screen as the log in this directory draws it now: on the session's own size, or as it would be on another. Whoever looks closes it. */
  readonly look: (directory: string, own: Size, wanted?: Size) => Screen;
  /** The same as text. If nothing came since the last look, nothing is drawn. */
  readonly picture: (directory: string, own: Size, wanted: Size) => Checkpoint;
};

export type ScreenMemoryOptions = {
  /** In milliseconds. */
  readonly now?: () => number;
  readonly read?: typeof readLog;
};

type Remembered = {readonly at: number; readonly end: number; readonly checkpoint: Checkpoint};

/** For so long nobody looks, and for so many at most: a screen as text is some ten kilobytes. */
const forgetMs = 60_000;
const mostRemembered = 64;
/** A mark is some hundred bytes, and spares whoever comes back after hours the whole log. */
const mostMarked = 200;

export function createScreenMemory({
  now = () => performance.now(),
  read: readPieces = readLog,
}: ScreenMemoryOptions = {}): ScreenMemory {
  // In the order in which they were looked at last.
  const remembered = new Map<string, Remembered>();
  const marked = new Map<string, readonly Mark[]>();

  const remember = (directory: string, one: Omit<Remembered, 'at'>): void => {
    const at = now();
    remembered.delete(directory);
    remembered.set(directory, {...one, at});
    for (const [name, {at: lookedAt}] of remembered) {
      if (at - lookedAt > forgetMs || remembered.size > mostRemembered) remembered.delete(name);
    }
  };

  const mark = (directory: string, marks: readonly Mark[]): void => {
    marked.delete(directory);
    marked.set(directory, marks);
    const [oldest] = marked.keys();
    if (marked.size > mostMarked && oldest !== undefined) marked.delete(oldest);
  };

  const look: ScreenMemory['look'] = (directory, own, {columns, rows} = own) => {
    const {start, end} = readExtent(directory);
    const known = remembered.get(directory);
    // A log that is shorter than what was drawn of it is another one.
    const isUsable = known !== undefined && known.checkpoint.offset <= end;
    const marks = (marked.get(directory) ?? []).every(({offset}) => offset <= end)
      ? (marked.get(directory) ?? [])
      : [];
    const {screen} = catchUp({
      columns,
      rows,
      start,
      end,
      read: (from, to) =>
        Buffer.concat([...readPieces(directory, from, to)].map(({bytes}) => bytes)),
      marks: isUsable ? [...marks, known.checkpoint] : marks,
      ...(isUsable && {checkpoint: known.checkpoint}),
    });
    // On a smaller size something may be cut off that is still there on its own.
    if (isSame(own, {columns, rows})) remember(directory, {end, checkpoint: checkpointOf(screen)});
    mark(directory, [...screen.marks(), screen.mark()]);
    return screen;
  };

  return {
    look,
    picture: (directory, own, wanted) => {
      const known = remembered.get(directory);
      if (known?.end === readEnd(directory).end && isSame(known.checkpoint, wanted)) {
        remember(directory, known);
        return known.checkpoint;
      }

      const screen = look(directory, own, wanted);
      const checkpoint = checkpointOf(screen);
      screen.close();
      return checkpoint;
    },
  };
}

function isSame(one: Size, other: Size): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

import {Buffer} from 'node:buffer';
import {readEnd, readExtent, readLog} from '../../keeper/index.ts';
import {
  catchUp,
  type Checkpoint,
  type Mark,
  type Screen,
  toCheckpoint,
} from '../../terminal/index.ts';
import type {TerminalSize} from '../../protocol/index.ts';

/** Remembers the screens that were read, so that the next read draws only new output. */
export type ScreenCache = {
  /**
   * The screen that the log in this directory draws now, at the session's own size or another. The
   * caller closes it.
   */
  readonly look: (directory: string, own: TerminalSize, wanted?: TerminalSize) => Screen;
  /** The same as text. Draws nothing if there is no new output. */
  readonly picture: (directory: string, own: TerminalSize, wanted: TerminalSize) => Checkpoint;
};

export type ScreenCacheOptions = {
  /** In milliseconds. */
  readonly now?: () => number;
  readonly read?: typeof readLog;
};

type Remembered = {readonly at: number; readonly end: number; readonly checkpoint: Checkpoint};

/**
 * Entries are dropped after this time without a read, and above this count: a screen as text is
 * about 10 kB.
 */
const forgetMs = 60_000;
const maxRemembered = 64;
/** A mark is a few hundred bytes and saves reading the whole log again after hours. */
const maxMarked = 200;

export function createScreenCache({
  now = () => performance.now(),
  read: readPieces = readLog,
}: ScreenCacheOptions = {}): ScreenCache {
  // Ordered by last use.
  const remembered = new Map<string, Remembered>();
  const marked = new Map<string, readonly Mark[]>();

  const remember = (directory: string, one: Omit<Remembered, 'at'>): void => {
    const at = now();
    remembered.delete(directory);
    remembered.set(directory, {...one, at});
    for (const [name, {at: lookedAt}] of remembered) {
      if (at - lookedAt > forgetMs || remembered.size > maxRemembered) remembered.delete(name);
    }
  };

  const mark = (directory: string, marks: readonly Mark[]): void => {
    marked.delete(directory);
    marked.set(directory, marks);
    const [oldest] = marked.keys();
    if (marked.size > maxMarked && oldest !== undefined) marked.delete(oldest);
  };

  const look: ScreenCache['look'] = (directory, own, {columns, rows} = own) => {
    const {start, end} = readExtent(directory);
    const known = remembered.get(directory);
    // A log that is shorter than what was drawn was replaced.
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
    // Only at its own size: a smaller screen may cut off content.
    if (isSame(own, {columns, rows})) remember(directory, {end, checkpoint: toCheckpoint(screen)});
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
      const checkpoint = toCheckpoint(screen);
      screen.close();
      return checkpoint;
    },
  };
}

function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

import {createScreen, type Screen, type ScreenOptions} from './create-screen.ts';
import {createTracker, type Mark} from './create-tracker.ts';
import {initialState} from './tracked-state.ts';

/** A screen that was drawn once, stored as text. */
export type Checkpoint = Mark & {
  readonly columns: number;
  readonly rows: number;
  readonly picture: string;
  readonly isExact: boolean;
};

export type CatchUpOptions = Omit<ScreenOptions, 'from'> & {
  /** The bytes of the session's log from one offset up to another. */
  readonly read: (from: number, to: number) => Uint8Array;
  /** The first byte that can be read. @default 0 */
  readonly start?: number;
  readonly end: number;
  /**
   * The marks of the session's tracker. @default modes are read from the start of the log, at some
   * 100 MB/s
   */
  readonly marks?: readonly Mark[];
  /** The latest checkpoint. */
  readonly checkpoint?: Checkpoint;
};

export type CaughtUp = {
  readonly screen: Screen;
  /** The offset where drawing began. */
  readonly from: number;
  /** Whether the screen looks as if the whole log had been drawn. */
  readonly isExact: boolean;
};

const kilobyte = 1024;
/**
 * How much of the log's end is drawn: the smallest window that leaves no unknown cell on the
 * screen.
 */
const windows = [256 * kilobyte, 1024 * kilobyte, 4096 * kilobyte, 16_384 * kilobyte];
/** Each piece costs a listing of the log's directory: at 64 kB that was a sixth of the time. */
const pieceSize = 256 * kilobyte;

/**
 * Builds the screen of a session from its log without drawing all of it;
 * docs/decisions/0006-screens.md explains why that works.
 */
export function catchUp(options: CatchUpOptions): CaughtUp {
  let drawn: CaughtUp | undefined;
  for (const beginning of listBeginnings(options)) {
    drawn?.screen.close();
    drawn = drawFrom(options, beginning);
    if (drawn.isExact) return drawn;
  }

  return drawn ?? drawFrom(options, startMark(options));
}

/** Saves a screen that is no longer shown, so that `catchUp` can start from it. */
export function toCheckpoint(screen: Screen): Checkpoint {
  const {columns, rows} = screen;
  return {
    ...screen.mark(),
    columns,
    rows,
    picture: screen.serialize({history: Infinity}),
    isExact: screen.isWhole(),
  };
}

/** Where drawing may begin, the latest place first. */
function* listBeginnings(options: CatchUpOptions): Generator<Mark | Checkpoint> {
  const {start = 0, end, marks = [], checkpoint, read} = options;
  let known: readonly Mark[] = [startMark(options), ...marks];
  let last = end;
  for (const place of new Set(windows.map((size) => Math.max(start, end - size)))) {
    if (checkpoint !== undefined && checkpoint.offset >= place && checkpoint.offset <= last)
      yield checkpoint;
    const from = known
      .filter(({offset}) => offset >= start && offset <= place)
      .reduce((one, other) => (other.offset > one.offset ? other : one));
    const tracker = createTracker({from});
    forEachPiece(read, from.offset, place, tracker.write);
    known = [...known, ...tracker.marks()];
    last = place - 1;
    yield tracker.mark();
  }
}

function startMark({start = 0}: CatchUpOptions): Mark {
  return {offset: start, state: initialState};
}

function drawFrom(options: CatchUpOptions, mark: Mark | Checkpoint): CaughtUp {
  const {columns, rows, read, end, onReply} = options;
  let isLive = false;
  const checkpoint = 'picture' in mark ? mark : undefined;
  const screen = createScreen({
    ...options,
    ...(checkpoint !== undefined && {columns: checkpoint.columns, rows: checkpoint.rows}),
    from: mark,
    // Queries in the log were answered, or not, in the past.
    onReply(reply) {
      if (isLive) onReply?.(reply);
    },
  });
  screen.resize(columns, rows);
  forEachPiece(read, mark.offset, end, screen.write);
  isLive = true;
  return {screen, from: mark.offset, isExact: checkpoint?.isExact ?? screen.isWhole()};
}

function forEachPiece(
  read: CatchUpOptions['read'],
  from: number,
  to: number,
  visit: (bytes: Uint8Array, at: number) => void,
): void {
  for (let at = from; at < to; at += pieceSize) {
    const end = Math.min(to, at + pieceSize);
    const bytes = read(at, end);
    // A piece that is shorter than requested lacks its beginning.
    visit(bytes, end - bytes.length);
  }
}

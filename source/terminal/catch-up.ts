import {type Screen, type ScreenOptions, createScreen} from './create-screen.ts';
import {type Mark, createTracker} from './create-tracker.ts';
import {initialState} from './tracked-state.ts';

/** A screen that was drawn once, kept as text. */
export type Checkpoint = Mark & {readonly columns: number; readonly rows: number; readonly picture: string; readonly isExact: boolean};

export type CatchUpOptions = Omit<ScreenOptions, 'from' | 'picture'> & {
  /** The bytes of the session's log from one offset up to another. */
  readonly read: (from: number, to: number) => Uint8Array;
  /** The first byte that can be read. @default 0 */
  readonly start?: number;
  readonly end: number;
  /** Those of the session's tracker. @default modes are looked for from the start of the log, at some 300 MB/s */
  readonly marks?: readonly Mark[];
  /** The latest one. */
  readonly checkpoint?: Checkpoint;
};

export type CaughtUp = {
  readonly screen: Screen;
  /** Where in the log drawing began. */
  readonly from: number;
  /** Whether the screen looks as if the whole log had been drawn. */
  readonly isExact: boolean;
};

/** How much of the log's end is drawn: the least that leaves nothing on the screen unknown. */
const windows = [256 * 1024, 1024 * 1024, 4 * 1024 * 1024];
/** A checkpoint nearer than the one is the first choice, one farther than the other is none. */
const nearby = 1024 * 1024;
const farthest = 16 * 1024 * 1024;
const pieceSize = 64 * 1024;

/** Builds the screen of a session from its log without drawing all of it; docs/decisions/0006-screens.md says why that works. */
export function catchUp(options: CatchUpOptions): CaughtUp {
  const {start = 0, end, checkpoint} = options;
  const distance = end - (checkpoint?.offset ?? -Infinity);
  if (checkpoint !== undefined && distance <= nearby) return drawFrom(options, checkpoint);

  const places = [...new Set(windows.map((size) => Math.max(start, end - size)))];
  const attempts: (Mark | Checkpoint)[] = marksAt(options, places);
  if (checkpoint !== undefined && distance <= farthest) attempts.push(checkpoint);
  return attempts.slice(1).reduce((drawn, mark) => {
    if (drawn.isExact) return drawn;
    drawn.screen.close();
    return drawFrom(options, mark);
  }, drawFrom(options, attempts[0] ?? {offset: start, state: initialState}));
}

/** To be kept when nobody looks at a screen any more, so that it can be caught up with from there. */
export function checkpointOf(screen: Screen): Checkpoint {
  const {columns, rows} = screen;
  return {...screen.mark(), columns, rows, picture: screen.serialize({history: screen.history}), isExact: screen.isWhole()};
}

/** What the stream had said at each of the places, which come last to first, found by listening from the nearest mark before them. */
function marksAt({read, start = 0, marks = [], checkpoint}: CatchUpOptions, places: readonly number[]): Mark[] {
  const first = places.at(-1) ?? start;
  const known = [{offset: start, state: initialState}, ...(checkpoint === undefined ? [] : [checkpoint]), ...marks].filter(({offset}) => offset >= start && offset <= first);
  const from = known.reduce((latest, mark) => (mark.offset > latest.offset ? mark : latest));
  const tracker = createTracker({from: {offset: from.offset, state: from.state}});
  let at = from.offset;
  return places
    .toReversed()
    .map((place) => {
      forEachPiece(read, at, place, tracker.write);
      at = place;
      return tracker.mark();
    })
    .reverse();
}

function drawFrom(options: CatchUpOptions, mark: Mark | Checkpoint): CaughtUp {
  const {columns, rows, read, end, onReply} = options;
  let isLive = false;
  const checkpoint = 'picture' in mark ? mark : undefined;
  const screen = createScreen({
    ...options,
    ...(checkpoint !== undefined && {columns: checkpoint.columns, rows: checkpoint.rows, picture: checkpoint.picture}),
    from: {offset: mark.offset, state: mark.state},
    // What the log asks was asked, and answered or not, in the past.
    onReply(reply) {
      if (isLive) onReply?.(reply);
    },
  });
  if (checkpoint !== undefined) screen.resize(columns, rows);
  forEachPiece(read, mark.offset, end, screen.write);
  isLive = true;
  return {screen, from: mark.offset, isExact: checkpoint?.isExact ?? screen.isWhole()};
}

function forEachPiece(read: CatchUpOptions['read'], from: number, to: number, visit: (bytes: Uint8Array, at: number) => void): void {
  for (let at = from; at < to; at += pieceSize) {
    const end = Math.min(to, at + pieceSize);
    const bytes = read(at, end);
    // A piece that is shorter than asked for has lost its beginning.
    visit(bytes, end - bytes.length);
  }
}

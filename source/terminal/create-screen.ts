import {
  type Cells,
  clearClusters,
  createCells,
  type Match,
  type RowSpan,
  rowText,
  searchRows,
} from './cells.ts';
import {createEmulator} from './create-emulator.ts';
import {createTracker, type Mark, type TrackerOptions} from './create-tracker.ts';
import {
  countHistory,
  type EmulatorLine,
  hasUnknownCell,
  packLine,
  unknownFill,
} from './emulator-core.ts';
import type {Modes} from './modes.ts';
import type {ProgramStatus} from './program-status.ts';
import type {Cursor, ThemeColours} from './reply-to.ts';
import {serializeNormalScreen, serializeScreen} from './serialize-screen.ts';
import {stateSequence} from './tracked-state.ts';

/** The text in the line drawing character set; sequences in it stay unchanged. */
export function drawGraphics(text: string): string {
  return text.replaceAll(/\u001B\[[^@-~]*[@-~]|\u001B[ -/]*[0-~]|[_-~]/g, (part) =>
    part.length > 1 ? part : glyphs.charAt(part.charCodeAt(0) - 0x5f),
  );
}

/** For `_` to `~`. */
const glyphs = ' ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

export type ScreenOptions = {
  readonly columns: number;
  readonly rows: number;
  /** Lines of scrollback. Older ones are in the session's log. @default 200 */
  readonly scrollback?: number;
  /**
   * Where in the stream reading begins. Earlier output is unknown, unless there is a picture of it,
   * made by `serialize`.
   */
  readonly from?: Mark & {readonly picture?: string};
  readonly onReply?: TrackerOptions['onReply'];
  readonly theme?: ThemeColours;
};

/**
 * The screen of one session. Rows count from 0 at the top of the screen; the scrollback has -1, -2
 * and so on.
 */
export type Screen = {
  /**
   * Draws synchronously. `at` is the offset of the bytes in the stream, if earlier ones are
   * missing.
   */
  readonly write: (bytes: Uint8Array, at?: number) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly columns: number;
  readonly rows: number;
  /** Lines of scrollback at present. */
  readonly history: number;
  /** Increases with every change: a viewer that has shown this version has nothing to do. */
  readonly version: number;
  readonly cursor: Cursor;
  readonly modes: Modes;
  /** The title that the program set, as a label. */
  readonly title: string;
  readonly statuses: readonly ProgramStatus[];
  readonly bells: number;
  /** Whether every cell of the screen was drawn since reading began. */
  readonly isWhole: () => boolean;
  /** Fills `into` if it has the right size. @default the rows of the screen */
  readonly readCells: (first?: number, count?: number, into?: Cells) => Cells;
  /**
   * Updates cells of an earlier call, and returns the rows that were read again because they were
   * drawn to.
   */
  readonly refresh: (cells?: Cells) => {readonly cells: Cells; readonly rows: RowSpan};
  /** Rows as text without trailing blanks. @default the rows of the screen */
  readonly text: (first?: number, count?: number) => string[];
  /** Where a text occurs, on the screen and in the scrollback, oldest first. */
  readonly search: (wanted: string) => Match[];
  /**
   * Redraws everything on a terminal of this size: the screen, `history` lines of scrollback, the
   * cursor, the modes. `only: 'normal'` draws the normal screen alone, also while the alternate
   * one covers it.
   */
  readonly serialize: (options?: {readonly history?: number; readonly only?: 'normal'}) => string;
  /** Where reading may continue. */
  readonly mark: () => Mark;
  readonly marks: () => readonly Mark[];
  readonly close: () => void;
};

export function createScreen({
  columns,
  rows,
  scrollback = 200,
  from,
  onReply,
  theme,
}: ScreenOptions): Screen {
  const emulator = createEmulator(clamp(columns, 2), clamp(rows, 1), scrollback);
  let version = 0;

  const cursor = (): Cursor => {
    tracker.flush();
    const {x, y} = emulator.active();
    return {
      row: y,
      column: Math.min(x, emulator.columns() - 1),
      isWrapPending: x >= emulator.columns(),
    };
  };

  const tracker = createTracker({
    ...(onReply !== undefined && {onReply}),
    ...(theme !== undefined && {theme}),
    cursor,
    target: {
      draw(text, isGraphics) {
        emulator.write(isGraphics ? drawGraphics(text) : text);
        version++;
      },
      // Line drawing characters are translated; the emulator has no character sets.
      control: () => '',
      escape: (body) => (/^[()]/.test(body) ? '' : undefined),
      sequence: (name, numbers) =>
        name.endsWith('J') && numbers === '1' && isAtEnd() ? '\u001B[2J' : undefined,
      max: () => Math.max(emulator.columns(), emulator.rows()),
    },
  });

  /**
   * In the last cell of a screen with nothing above it, xterm.js 6 fails on `CSI 1 J` (test:
   * "erasing up to the last cell").
   */
  const isAtEnd = (): boolean => {
    const {row, column} = cursor();
    return row === emulator.rows() - 1 && column === emulator.columns() - 1;
  };

  const lineAt = (row: number): EmulatorLine | undefined =>
    emulator.active().lines.get(emulator.active().ybase + row);

  const readCells = (first = 0, count = emulator.rows(), into?: Cells): Cells => {
    const isReusable = into?.columns === emulator.columns() && into.rows === count;
    const cells = isReusable ? into : createCells(emulator.columns(), count);
    cells.clusters.clear();
    for (let row = 0; row < count; row++) packLine(lineAt(first + row), cells, row);
    return cells;
  };

  if (from?.picture !== undefined) tracker.write(new TextEncoder().encode(from.picture));
  // Most streams write at the bottom; the others position the cursor.
  else if (from !== undefined && from.offset > 0)
    emulator.write(
      `${stateSequence(from.state, unknownFill(emulator.columns(), emulator.rows()))}\u001B[9999;1H`,
    );
  if (from !== undefined) tracker.adopt({offset: from.offset, state: from.state});

  return {
    write: tracker.write,
    resize(newColumns, newRows) {
      if (newColumns === emulator.columns() && newRows === emulator.rows()) return;
      emulator.resize(clamp(newColumns, 2), clamp(newRows, 1));
      tracker.resized();
      version++;
    },
    get columns() {
      return emulator.columns();
    },
    get rows() {
      return emulator.rows();
    },
    get history() {
      return countHistory(emulator.active());
    },
    get version() {
      return version;
    },
    get cursor() {
      return cursor();
    },
    get modes() {
      return tracker.state().modes;
    },
    get title() {
      return tracker.state().title;
    },
    get statuses() {
      return tracker.state().statuses;
    },
    get bells() {
      return tracker.state().bells;
    },
    isWhole() {
      for (let row = 0; row < emulator.rows(); row++) if (hasUnknownCell(lineAt(row))) return false;
      return true;
    },
    readCells,
    refresh(before) {
      const touched = emulator.takeTouched();
      const isKnown = before?.columns === emulator.columns() && before.rows === emulator.rows();
      if (!isKnown) return {cells: readCells(), rows: {first: 0, end: emulator.rows()}};
      clearClusters(before, touched);
      for (let row = touched.first; row < touched.end; row++) packLine(lineAt(row), before, row);
      return {cells: before, rows: touched};
    },
    text: (first, count) => {
      const cells = readCells(first, count);
      return Array.from({length: cells.rows}, (_, row) => rowText(cells, row));
    },
    search(wanted) {
      const above = countHistory(emulator.active());
      const matches = searchRows(
        readCells(-above, above + emulator.rows()),
        (row) => lineAt(row - above)?.isWrapped === true,
        wanted,
      );
      return matches.map(({row, column}) => ({row: row - above, column}));
    },
    serialize: ({history: lines = 0, only} = {}) =>
      (only === 'normal' ? serializeNormalScreen : serializeScreen)(
        emulator,
        tracker.state(),
        lines,
      ),
    mark: tracker.mark,
    marks: tracker.marks,
    close: emulator.close,
  };
}

/** xterm.js needs two columns for a wide character; the upper bound excludes absurd sizes. */
function clamp(size: number, min: number): number {
  return Math.min(1000, Math.max(min, size));
}

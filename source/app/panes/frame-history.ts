import {type Cells, rowSequence, type RowSpan, rowText, type Screen} from '../../terminal/index.ts';

/**
 * What a program has shown on the alternate screen and is no longer there. Terminals have no
 * scrollback for that screen.
 */
export type FrameHistory = {
  /** Call before output is drawn: the screen may be a whole frame then. */
  readonly beforeOutput: (screen: Screen) => void;
  /** Takes the screen as it is now for a frame. */
  readonly capture: (screen: Screen) => void;
  /** Rows that were shown earlier, oldest first, as text with styles. */
  readonly rows: () => readonly string[];
};

/** A program that pauses this long has finished its frame, in milliseconds. */
const pauseMs = 150;
/** A program that never pauses is looked at this often. */
const intervalMs = 1000;
const maxRows = 1000;

/**
 * Compares the screens between which a program pauses. That costs a copy of a screen a few times a
 * second, and only while the pane is in view.
 */
export function createFrameHistory(now: () => number): FrameHistory {
  let rows: string[] = [];
  let last: {readonly cells: Cells; readonly text: readonly string[]} | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let capturedAt = Number.NEGATIVE_INFINITY;

  const capture = (screen: Screen): void => {
    capturedAt = now();
    if (!screen.modes.alternateScreen) {
      // Its own scrollback counts again.
      last = undefined;
      rows = [];
      return;
    }

    const cells = screen.readCells();
    const text = Array.from({length: cells.rows}, (_, row) => rowText(cells, row));
    if (last !== undefined) {
      const {first, end} = departedRows(last.text, text);
      const isWhole = first === 0 && end === last.text.length;
      for (let row = first; row < end; row++) rows.push(rowSequence(last.cells, row));
      if (isWhole) rows.push(frameRule(last.cells.columns));
      if (rows.length > maxRows) rows = rows.slice(-maxRows);
    }

    last = {cells, text};
  };

  return {
    beforeOutput(screen) {
      const at = now();
      const [sinceDrawn, sinceCaptured] = [at - drawnAt, at - capturedAt];
      drawnAt = at;
      if (screen.modes.synchronizedOutput) return;
      if (sinceDrawn >= pauseMs || sinceCaptured >= intervalMs || sinceCaptured < 0)
        capture(screen);
    },
    capture,
    rows: () => rows,
  };
}

/** Between two screens that have nothing in common. */
export function frameRule(columns: number): string {
  return `\u001B[2m${'─'.repeat(columns)}\u001B[m`;
}

/**
 * Which rows of a frame are gone in the next one: those that scrolled out above, or all of them if
 * most were replaced. Rows that were only updated, such as a clock or an input line, are not gone.
 */
export function departedRows(before: readonly string[], after: readonly string[]): RowSpan {
  const first = before.findIndex((row, index) => row !== after[index]);
  if (first === -1) return nothing;
  const shift = findShift(before, after, first);
  if (shift > 0) return {first, end: first + shift};
  const remaining = new Set(after);
  const shown = before.filter((row) => row !== '');
  const gone = shown.filter((row) => !remaining.has(row));
  return gone.length > 2 && gone.length * 2 > shown.length
    ? {first: 0, end: before.length}
    : nothing;
}

const nothing: RowSpan = {first: 0, end: 0};

/**
 * By how many rows the content below the first changed row moved up; 0 if it did not. What stands
 * below may be fixed, as an input line is.
 */
function findShift(before: readonly string[], after: readonly string[], first: number): number {
  for (let shift = 1; first + shift < before.length; shift++) {
    let moved = 0;
    let row = first;
    while (row + shift < before.length && before[row + shift] === after[row]) {
      if (after[row] !== '') moved++;
      row++;
    }

    const isEnough = moved >= 3 || (moved === 2 && shift <= moved);
    if (isEnough) return shift;
  }

  return 0;
}

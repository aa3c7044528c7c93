/**
 * Terminal emulation. All output of agents reaches a person through this module: as cells of a
 * screen, through the output filter, or as a label.
 *
 * - `createTracker` tracks any session: modes, title, program statuses, bells, and replies to
 * queries;
 * - `createScreen` also draws it; `catchUp` builds such a screen later, from the session's log;
 * - `createOutputFilter` filters a session's output for a person's own terminal, `resetSequence`
 * restores the terminal.
 *
 * Not here: files, processes, sockets: the log is read through a given function. Timers: nothing
 * repaints or parses by itself.
 */
export {
  catchUp,
  type CatchUpOptions,
  type CaughtUp,
  type Checkpoint,
  toCheckpoint,
} from './catch-up.ts';
export {applySgr, cellsOfText, plainBits, type StyleBits} from './cells-of-text.ts';
export {
  type Cells,
  cellText,
  cellWidth,
  clearClusters,
  createCells,
  isCluster,
  isSameCell,
  type Match,
  type RowSpan,
  rowText,
  type Style,
  styleSequence,
  toStyle,
} from './cells.ts';
export {createOutputFilter, type OutputFilter} from './create-output-filter.ts';
export {createScreen, type Screen, type ScreenOptions} from './create-screen.ts';
export {createTracker, type Mark, type Tracker, type TrackerOptions} from './create-tracker.ts';
export {type Modes, resetSequence} from './modes.ts';
export type {ProgramStatus} from './program-status.ts';
export {
  asksTerminal,
  type Cursor,
  isStatusReport,
  type Rgb,
  type ThemeColours,
} from './reply-to.ts';
export {preserveStyles, sanitizeLine} from './sanitize.ts';
export {rowSequence} from './serialize-screen.ts';
export {clusterProperties, textWidth} from './text-width.ts';
export type {TrackedState} from './tracked-state.ts';

/**
 * The screen that a byte stream draws. Whatever an agent sends comes to a person through here: as cells of a screen, through the
 * output filter, or as a label.
 *
 * - `createTracker` listens to any session: modes, title, program statuses, bells, and the answers to what programs ask terminals;
 * - `createScreen` also draws it; `catchUp` makes such a screen late, from the session's log;
 * - `createOutputFilter` stands between a session and a person's own terminal, `resetSequence` gives the terminal back.
 *
 * Not here: files, processes, sockets. The log is read by a function that is given. Timers: nothing repaints or parses by itself.
 */
export {asksTerminal, tellsStatus} from './asks-terminal.ts';
export {catchUp, checkpointOf} from './catch-up.ts';
export type {CatchUpOptions, CaughtUp, Checkpoint} from './catch-up.ts';
export {
  cellText,
  cellWidth,
  clearClusters,
  createCells,
  isCluster,
  isSameCell,
  rowText,
} from './cells.ts';
export type {Cells, RowSpan} from './cells.ts';
export {cellsOfText} from './cells-of-text.ts';
export {createOutputFilter} from './create-output-filter.ts';
export type {OutputFilter} from './create-output-filter.ts';
export {createScreen} from './create-screen.ts';
export type {Screen, ScreenOptions} from './create-screen.ts';
export {createTracker} from './create-tracker.ts';
export type {Mark, Tracker, TrackerOptions} from './create-tracker.ts';
export {keepStyles} from './keep-styles.ts';
export type {Modes} from './modes.ts';
export type {ProgramStatus} from './program-status.ts';
export type {Cursor, Rgb, Theme} from './reply-to.ts';
export {resetSequence} from './reset-sequence.ts';
export {sanitizeLine} from './sanitize-line.ts';
export type {Match} from './search-rows.ts';
export {styleOf, styleSequence} from './style-of.ts';
export type {Style} from './style-of.ts';
export type {TrackedState} from './tracked-state.ts';

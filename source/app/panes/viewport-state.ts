import type {Match} from '../../terminal/index.ts';

/**
 * What a pane shows of its screen and scrollback, as data. Row 0 is the top of the screen;
 * scrollback rows are -1, -2 and so on.
 */
export type ViewportState = {
  /** Lines above the end. */
  readonly scroll: number;
  readonly search?: {
    readonly text: string;
    readonly matches: readonly Match[];
    /** Index of the current match; -1 for none. */ readonly current: number;
  };
  readonly copy?: {
    readonly row: number;
    readonly column: number;
    readonly anchor?: {
      readonly row: number;
      readonly column: number;
      readonly whole: 'characters' | 'lines';
    };
  };
};

/** The size of screen and scrollback. */
export type Extent = {readonly history: number; readonly rows: number; readonly columns: number};

/** At the end, without search or copy mode: the pane shows what the program draws. */
export const following: ViewportState = {scroll: 0};

export function isFollowing({scroll, search, copy}: ViewportState): boolean {
  return scroll === 0 && search === undefined && copy === undefined;
}

export function scrollViewport(
  viewport: ViewportState,
  {to, times = 1}: Stride,
  extent: Extent,
): ViewportState {
  const page = Math.max(1, extent.rows - 1);
  const half = Math.max(1, Math.floor(extent.rows / 2));
  const lines: Partial<Record<Stride['to'], number>> = {
    up: 1,
    down: -1,
    'page-up': page,
    'page-down': -page,
    'half-page-up': half,
    'half-page-down': -half,
    top: extent.history,
    bottom: -Infinity,
  };
  return {
    ...viewport,
    scroll: clamp(viewport.scroll + (lines[to] ?? 0) * times, 0, extent.history),
  };
}

export function afterSearch(
  viewport: ViewportState,
  text: string,
  matches: readonly Match[],
  extent: Extent,
): ViewportState {
  if (text === '')
    return {scroll: viewport.scroll, ...(viewport.copy !== undefined && {copy: viewport.copy})};
  return scrollIntoView(
    {...viewport, search: {text, matches, current: matches.length - 1}},
    matches.at(-1),
    extent,
  );
}

export function afterSearchStep(
  viewport: ViewportState,
  direction: 'older' | 'newer',
  extent: Extent,
): ViewportState {
  const {search} = viewport;
  if (search === undefined || search.matches.length === 0) return viewport;
  const count = search.matches.length;
  const current = (search.current + (direction === 'older' ? count - 1 : 1)) % count;
  return scrollIntoView(
    {...viewport, search: {...search, current}},
    search.matches[current],
    extent,
  );
}

/**
 * Copy mode starts at the current match, else at the program's cursor, or in the last visible row
 * if scrolled.
 */
export function afterCopyMode(
  viewport: ViewportState,
  isOn: boolean,
  cursor: {readonly row: number; readonly column: number},
  extent: Extent,
): ViewportState {
  if (!isOn)
    return {
      scroll: viewport.scroll,
      ...(viewport.search !== undefined && {search: viewport.search}),
    };
  const found = viewport.search?.matches[viewport.search.current];
  const {row, column} =
    found ?? (viewport.scroll === 0 ? cursor : {row: extent.rows - 1 - viewport.scroll, column: 0});
  return scrollIntoView({...viewport, copy: {row, column}}, {row}, extent);
}

export function afterCopyMove(
  viewport: ViewportState,
  {to, times = 1}: Stride,
  extent: Extent,
): ViewportState {
  if (viewport.copy === undefined) return viewport;
  const {row, column} = viewport.copy;
  const page = Math.max(1, extent.rows - 1);
  const half = Math.max(1, Math.floor(extent.rows / 2));
  // A page scrolls the view and keeps the cursor at its place in it. The cursor moves only where
  // nothing is left to scroll.
  const turned = to.includes('page') ? scrollViewport(viewport, {to, times}, extent) : viewport;
  if (turned.scroll !== viewport.scroll)
    return {...turned, copy: {...viewport.copy, row: row - (turned.scroll - viewport.scroll)}};
  const rows: Partial<Record<Stride['to'], number>> = {
    up: -1,
    down: 1,
    'page-up': -page,
    'page-down': page,
    'half-page-up': -half,
    'half-page-down': half,
    top: -Infinity,
    bottom: Infinity,
  };
  const columns: Partial<Record<Stride['to'], number>> = {
    left: -1,
    right: 1,
    'line-start': -Infinity,
    'line-end': Infinity,
  };
  const next = {
    row: clamp(row + (rows[to] ?? 0) * times, -extent.history, extent.rows - 1),
    column: clamp(column + (columns[to] ?? 0) * times, 0, extent.columns - 1),
  };
  return scrollIntoView({...viewport, copy: {...viewport.copy, ...next}}, next, extent);
}

export function afterCopyAnchor(
  viewport: ViewportState,
  whole: 'characters' | 'lines' | 'nothing',
): ViewportState {
  if (viewport.copy === undefined) return viewport;
  const {row, column} = viewport.copy;
  return {
    ...viewport,
    copy: whole === 'nothing' ? {row, column} : {row, column, anchor: {row, column, whole}},
  };
}

/** Scrolls as little as necessary to show a row. */
function scrollIntoView(
  viewport: ViewportState,
  place: {readonly row: number} | undefined,
  extent: Extent,
): ViewportState {
  if (place === undefined) return viewport;
  const top = -viewport.scroll;
  if (place.row < top) return {...viewport, scroll: clamp(-place.row, 0, extent.history)};
  if (place.row > top + extent.rows - 1)
    return {...viewport, scroll: clamp(extent.rows - 1 - place.row, 0, extent.history)};
  return viewport;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/**
 * What the chrome shows of a pane. Changes of the person are reported at once, those of the program
 * at most once a second.
 */
export type PaneView = {
  /** The title that the program set, sanitized. */
  readonly title: string;
  /** Lines above the end; 0 follows the program. */
  readonly scroll: number;
  /** Lines of scrollback, while it is scrolled. */
  readonly history?: number;
  readonly bells: number;
  readonly search?: {
    readonly text: string;
    readonly matches: number;
    /** Counts from 1, the newest last; 0 if there is no match. */ readonly current: number;
  };
  readonly copying?: {readonly lines: number; readonly isSelecting: boolean};
  /** Whether the program wants the mouse. */
  readonly wantsMouse: boolean;
  readonly connection: 'opening' | 'live' | 'ended' | 'failed';
  /** Why it is not live. */
  readonly text?: string;
};

/** One movement of the viewport or of the copy cursor. */
export type Stride = {
  readonly to:
    | 'up'
    | 'down'
    | 'left'
    | 'right'
    | 'half-page-up'
    | 'half-page-down'
    | 'page-up'
    | 'page-down'
    | 'top'
    | 'bottom'
    | 'line-start'
    | 'line-end';
  readonly times?: number;
};

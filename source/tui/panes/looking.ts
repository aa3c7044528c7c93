import type {Match} from '../../terminal/index.ts';
import type {Stride} from './pane-view.ts';

/** How a person looks at what a pane has shown, as data. Rows count from 0 at the top of the screen; the lines above it are -1, -2 and so on. */
export type Looking = {
  /** How many lines above the end. */
  readonly scroll: number;
  readonly search?: {
    readonly words: string;
    readonly matches: readonly Match[];
    /** Which of them; -1 for none. */ readonly current: number;
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

/** How much there is to look at. */
export type Extent = {readonly history: number; readonly rows: number; readonly columns: number};

/** At the end, nothing sought and nothing copied: the pane shows what the program draws. */
export const following: Looking = {scroll: 0};

export function isFollowing({scroll, search, copy}: Looking): boolean {
  return scroll === 0 && search === undefined && copy === undefined;
}

export function afterScroll(looking: Looking, {to, times = 1}: Stride, extent: Extent): Looking {
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
  return {...looking, scroll: clamp(looking.scroll + (lines[to] ?? 0) * times, 0, extent.history)};
}

export function afterSearch(
  looking: Looking,
  words: string,
  matches: readonly Match[],
  extent: Extent,
): Looking {
  if (words === '')
    return {scroll: looking.scroll, ...(looking.copy !== undefined && {copy: looking.copy})};
  return shown(
    {...looking, search: {words, matches, current: matches.length - 1}},
    matches.at(-1),
    extent,
  );
}

export function afterSearchStep(
  looking: Looking,
  direction: 'older' | 'newer',
  extent: Extent,
): Looking {
  const {search} = looking;
  if (search === undefined || search.matches.length === 0) return looking;
  const count = search.matches.length;
  const current = (search.current + (direction === 'older' ? count - 1 : 1)) % count;
  return shown({...looking, search: {...search, current}}, search.matches[current], extent);
}

/** Copy mode begins where the program's cursor is, or at what was found, else in the last row that is shown. */
export function afterCopyMode(
  looking: Looking,
  isOn: boolean,
  cursor: {readonly row: number; readonly column: number},
  extent: Extent,
): Looking {
  if (!isOn)
    return {scroll: looking.scroll, ...(looking.search !== undefined && {search: looking.search})};
  const found = looking.search?.matches[looking.search.current];
  const {row, column} =
    found ?? (looking.scroll === 0 ? cursor : {row: extent.rows - 1 - looking.scroll, column: 0});
  return shown({...looking, copy: {row, column}}, {row}, extent);
}

export function afterCopyMove(looking: Looking, {to, times = 1}: Stride, extent: Extent): Looking {
  if (looking.copy === undefined) return looking;
  const {row, column} = looking.copy;
  const page = Math.max(1, extent.rows - 1);
  const half = Math.max(1, Math.floor(extent.rows / 2));
  // A page is turned at once, and the cursor stays where it is on it; only where there is nothing left to turn does it move.
  const turned = to.includes('page') ? afterScroll(looking, {to, times}, extent) : looking;
  if (turned.scroll !== looking.scroll)
    return {...turned, copy: {...looking.copy, row: row - (turned.scroll - looking.scroll)}};
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
  return shown({...looking, copy: {...looking.copy, ...next}}, next, extent);
}

export function afterCopyAnchor(
  looking: Looking,
  whole: 'characters' | 'lines' | 'nothing',
): Looking {
  if (looking.copy === undefined) return looking;
  const {row, column} = looking.copy;
  return {
    ...looking,
    copy: whole === 'nothing' ? {row, column} : {row, column, anchor: {row, column, whole}},
  };
}

/** Scrolls no further than it takes to show a row. */
function shown(
  looking: Looking,
  place: {readonly row: number} | undefined,
  extent: Extent,
): Looking {
  if (place === undefined) return looking;
  const top = -looking.scroll;
  if (place.row < top) return {...looking, scroll: clamp(-place.row, 0, extent.history)};
  if (place.row > top + extent.rows - 1)
    return {...looking, scroll: clamp(extent.rows - 1 - place.row, 0, extent.history)};
  return looking;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

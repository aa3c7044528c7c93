import {
  isTaskId,
  type Need,
  selectLiveSessions,
  selectSession,
  type SessionId,
  type State,
} from '../../domain/index.ts';
import {isTooSmall} from '../render/frame.ts';
import type {Model} from './model.ts';
import {formatTerminal, selectTerminal} from './select-terminals.ts';
import {type SidebarRow, sidebarRows} from './sidebar-rows.ts';
import {fixedRows, listColumns, listModeOf} from './size-class.ts';

/** One pane: the session it shows, and its place in the grid. */
export type PaneSlot = {
  readonly key: string;
  readonly session: SessionId;
  /** The number of its task; undefined for other sessions. */
  readonly number: number | undefined;
  readonly isFocused: boolean;
  readonly isLive: boolean;
  readonly row: SidebarRow;
  /** The label of the terminal if it is not the one shown by default. */
  readonly terminal: string;
  readonly column: number;
  readonly line: number;
};

type PaneGridLayout = {
  readonly columns: number;
  readonly lines: number;
  readonly panes: readonly PaneSlot[];
};

const noPanes: PaneGridLayout = {columns: 1, lines: 1, panes: []};
const grids = new WeakMap<Model, {readonly state: State; readonly grid: PaneGridLayout}>();

/** A row that can be shown in a pane. */
export type SlotCandidate = {
  readonly key: string;
  /** It is at work. Others give way to those that are. */
  readonly isLive: boolean;
};

/** The panes of the screen. */
export function selectPaneGrid(model: Model, state: State): PaneGridLayout {
  const known = grids.get(model);
  if (known?.state === state) return known.grid;
  const grid = computeGrid(model, state);
  grids.set(model, {state, grid});
  return grid;
}

function computeGrid(model: Model, state: State): PaneGridLayout {
  if (isTooSmall(model.size) || (model.isScreenReader && !model.isZoomed)) return noPanes;
  if (model.screen === 'needs') return gridOfNeed(model.need, state);
  if (model.screen !== 'workers') return noPanes;
  const rows = sidebarRows(state, state.at);
  const chosen = rows.find(({key}) => key === model.selected);
  // A selected row without a session shows a card instead.
  if (chosen !== undefined && sessionOf(chosen, model) === undefined) return noPanes;
  const shown = model.isZoomed
    ? rows.filter(({key}) => key === model.selected)
    : selectSlots(model, state).flatMap((key) => rows.filter((row) => row.key === key));
  const {columns, lines} = toShape(model, shown.length);
  return {
    columns,
    lines,
    panes: shown.flatMap((row, index) => {
      const session = sessionOf(row, model);
      if (session === undefined) return [];
      return {
        key: row.key,
        session,
        number: row.number,
        isFocused: row.key === model.selected,
        isLive: state.live.includes(session),
        row: {...row, session},
        terminal: formatTerminalLabel(state, row, session),
        column: index % columns,
        line: Math.floor(index / columns),
      };
    }),
  };
}

/** The selected row shows the terminal that the person chose, other rows their own. */
function sessionOf(row: SidebarRow, {selected, terminal}: Model): SessionId | undefined {
  return row.key === selected && terminal !== undefined ? terminal : row.session;
}

/** The keys of the rows in panes, by place. */
export function selectSlots(model: Model, state: State): readonly string[] {
  const candidates = sidebarRows(state, state.at)
    .filter(
      ({key, session, isPane}) =>
        session !== undefined && (isPane || key === model.selected || model.slots.includes(key)),
    )
    .map(({key, session, isPane}) => ({
      key,
      isLive: isPane && session !== undefined && state.live.includes(session),
    }));
  const capacity = Math.min(maxPanes(model), Math.max(1, candidates.length));
  return assignSlots(model.slots, candidates, capacity, model.selected);
}

function formatTerminalLabel(state: State, {key}: SidebarRow, session: SessionId): string {
  const shown = selectSession(state, session);
  if (shown === undefined || !isTaskId(key)) return '';
  const isDefault = shown.purpose.for === 'attempt' && selectTerminal(state, key)?.id === session;
  return isDefault ? '' : formatTerminal(shown);
}

/** A pane must have this much inside, unless the person chose the number of panes. */
const minInside = {columns: 40, rows: 12};
const frameCells = 2;

/** How many panes fit, or as many as the person chose. */
function maxPanes({grid, size, listModes}: Model): number {
  if (grid !== 'auto') return grid;
  const main = size.columns - listColumns(size, listModeOf({size, listModes}));
  const across = Math.min(
    size.columns >= 190 ? 3 : 2,
    Math.floor(main / (minInside.columns + frameCells)),
  );
  const down = Math.floor((size.rows - fixedRows(size)) / (minInside.rows + frameCells));
  return Math.max(1, Math.min(6, Math.max(1, across) * Math.max(1, down)));
}

/** How many panes are side by side, and how many lines of them there are. */
function toShape(
  {size, listModes, isZoomed}: Model,
  count: number,
): {readonly columns: number; readonly lines: number} {
  const main = size.columns - (isZoomed ? 0 : listColumns(size, listModeOf({size, listModes})));
  const isWide = main >= 2 * (minInside.columns + frameCells);
  if (count <= 1) return {columns: 1, lines: 1};
  if (count === 2) return isWide ? {columns: 2, lines: 1} : {columns: 1, lines: 2};
  const columns = count > 4 && main >= 3 * minInside.columns ? 3 : 2;
  return {columns, lines: Math.ceil(count / columns)};
}

/** A need of a session that can be typed into is shown with its pane. */
function gridOfNeed(need: Need | undefined, state: State): PaneGridLayout {
  const isAboutPane =
    need?.kind === 'question' ||
    need?.kind === 'uncertain-input' ||
    need?.kind === 'unstoppable' ||
    need?.kind === 'draft' ||
    need?.kind === 'turn';
  if (!isAboutPane || !state.live.includes(need.session)) return noPanes;
  const row = rowOfNeed(need, state) ?? {
    key: need.session,
    kind: 'session',
    name: need.session,
    title: '',
    mark: '?',
    word: 'asks',
    text: 'asks',
    tone: 'needs',
    session: need.session,
    isPane: true,
    since: need.since,
  };
  return {
    columns: 1,
    lines: 1,
    panes: [
      {
        key: row.key,
        session: need.session,
        number: row.number,
        isFocused: true,
        isLive: true,
        row,
        terminal: '',
        column: 0,
        line: 0,
      },
    ],
  };
}

/** The pane that has the focus, if one is in view. */
export function focusedPane(model: Model, state: State): PaneSlot | undefined {
  return selectPaneGrid(model, state).panes.find(({isFocused}) => isFocused);
}

export function isLiveSession(state: State, session: SessionId): boolean {
  return selectLiveSessions(state).some(({id}) => id === session);
}

export function selectedRow(model: Model, state: State): SidebarRow | undefined {
  return sidebarRows(state, state.at).find(({key}) => key === model.selected);
}

/** The row of the session that a need is about. */
export function rowOfNeed(need: Need | undefined, state: State): SidebarRow | undefined {
  const session = need !== undefined && 'session' in need ? need.session : undefined;
  return session === undefined
    ? undefined
    : sidebarRows(state, state.at).find((row) => row.session === session);
}

/**
 * The row that gets the focus when the focused one is gone: a live pane, else any pane, else the
 * first row.
 */
export function firstRow(state: State): string {
  const rows = sidebarRows(state, state.at);
  const isLive = ({session}: SidebarRow): boolean =>
    session !== undefined && state.live.includes(session);
  const first =
    rows.find((row) => row.isPane && isLive(row)) ?? rows.find(({isPane}) => isPane) ?? rows[0];
  return first?.key ?? '';
}

/**
 * Which row each pane shows, by the place of the pane. A row keeps its place for as long as it can;
 * one that is over stays until another needs its place; the selected row always has one. When a
 * pane is added, all of them are in the order of the list.
 */
export function assignSlots(
  before: readonly string[],
  candidates: readonly SlotCandidate[],
  capacity: number,
  selected: string,
): readonly string[] {
  const order = candidates.map(({key}) => key);
  const known = new Map(candidates.map((candidate) => [candidate.key, candidate]));
  const slots = before.filter((key) => known.has(key)).slice(0, capacity);
  const retained = slots.length;
  const isFree = (key: string): boolean => key !== selected && known.get(key)?.isLive !== true;
  const place = (key: string, otherwise?: number): void => {
    if (slots.includes(key)) return;
    const free = slots.length < capacity ? slots.length : slots.findIndex(isFree);
    const at = free === -1 ? otherwise : free;
    if (at !== undefined) slots[at] = key;
  };

  if (known.has(selected))
    place(selected, candidates.findIndex(({key}) => key === selected) % capacity);
  for (const {key, isLive} of candidates) if (isLive) place(key);
  for (const {key} of candidates) if (slots.length < capacity) place(key);
  // One more pane moves the others anyway: then they are in the order of the list.
  if (slots.length > retained) slots.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return isSameList(slots, before) ? before : slots;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

import {
  isTaskId,
  type Need,
  selectLiveSessions,
  selectSession,
  type SessionId,
  type State,
} from '../../domain/index.ts';
import {isTooSmall, type Rect, type Size} from '../render/frame.ts';
import {needsBody} from '../screens/needs-body.ts';
import {type SidebarRow, sidebarRows} from './sidebar-rows.ts';
import type {Model} from './model.ts';
import {formatTerminal, selectTerminal} from './select-terminals.ts';

/** Where a session is shown: the frame with its title, and the rectangle inside for its cells. */
export type PaneLayout = {
  readonly key: string;
  readonly session: SessionId;
  readonly number: number;
  readonly frame: Rect;
  readonly inside: Rect;
  readonly isFocused: boolean;
  readonly isLive: boolean;
  readonly row: SidebarRow;
  /** The label of the terminal if it is not the one shown by default. */ readonly terminal: string;
};

export type ScreenLayout = {
  readonly header: Rect;
  readonly list: Rect | undefined;
  readonly main: Rect;
  readonly status: Rect;
  readonly panes: readonly PaneLayout[];
};

/** The rectangles of the screen. Titles and status of panes do not affect their places. */
export function computeLayout(size: Size, model: Model, state: State): ScreenLayout {
  const {columns, rows} = size;
  const rowsInside = Math.max(0, rows - 2);
  // A zoomed row without a terminal keeps the list, otherwise the screen would be empty.
  const hasList =
    model.screen === 'workers' &&
    !model.isScreenReader &&
    !(
      model.isZoomed &&
      sidebarRows(state, state.at).find(({key}) => key === model.selected)?.session !== undefined
    );
  const listColumns = hasList ? Math.max(26, Math.min(40, Math.floor(columns * 0.34))) : 0;
  const column = hasList ? listColumns + 1 : 0;
  const main: Rect = {row: 1, column, columns: columns - column, rows: rowsInside};
  const hasPanes = !isTooSmall(size) && (!model.isScreenReader || model.isZoomed);
  return {
    header: {row: 0, column: 0, columns, rows: 1},
    list: hasList ? {row: 1, column: 0, columns: listColumns, rows: rowsInside} : undefined,
    main,
    status: {row: rows - 1, column: 0, columns, rows: 1},
    panes: hasPanes ? selectPanes(model, state, main) : [],
  };
}

function selectPanes(model: Model, state: State, main: Rect): PaneLayout[] {
  if (model.screen === 'needs') return paneOfNeed(model, state, main);
  if (model.screen !== 'workers') return [];
  const rows = withTerminal(sidebarRows(state, state.at), model);
  const shown = paneRows(model, rows);
  const chosen = rows.find(({key}) => key === model.selected);
  // A selected row without a session shows a card instead.
  if (shown.length === 0 || (chosen !== undefined && chosen.session === undefined)) return [];
  const focused = Math.max(
    0,
    shown.findIndex(({key}) => key === model.selected),
  );
  const many = model.isZoomed ? 1 : gridFor(model, main, shown.length);
  const page = selectPage(shown, focused, many, (row) => isLiveRow(row, state));
  const places = placesFor(
    main,
    many < roundUp(page.length) ? many : roundUp(page.length),
    page.length,
  );
  return page.flatMap((row, index) => {
    const frame = places[index];
    if (row.session === undefined || frame === undefined) return [];
    return [
      {
        key: row.key,
        session: row.session,
        number: shown.indexOf(row) + 1,
        frame,
        inside: toInside(frame),
        isFocused: row.key === shown[focused]?.key,
        isLive: isLiveRow(row, state),
        row,
        terminal: formatTerminalLabel(state, row),
      },
    ];
  });
}

/**
 * The selected row shows the terminal that the person chose, the other rows their active session.
 */
export function withTerminal(
  rows: readonly SidebarRow[],
  {selected, terminal}: Pick<Model, 'selected' | 'terminal'>,
): readonly SidebarRow[] {
  return terminal === undefined
    ? rows
    : rows.map((row) => (row.key === selected ? {...row, session: terminal} : row));
}

/** Empty for the agent's own terminal if it is the one shown by default. */
function formatTerminalLabel(state: State, {key, session}: SidebarRow): string {
  const shown = session === undefined ? undefined : selectSession(state, session);
  if (shown === undefined || !isTaskId(key)) return '';
  return shown.purpose.for === 'attempt' && selectTerminal(state, key)?.id === session
    ? ''
    : formatTerminal(shown);
}

/** The rows shown as panes: those that always are, and the selected one if it has a session. */
export function paneRows(
  {selected}: Pick<Model, 'selected'>,
  rows: readonly SidebarRow[],
): SidebarRow[] {
  return rows.filter(
    ({key, session, isPane}) => session !== undefined && (isPane || key === selected),
  );
}

/**
 * The page of panes with the focused one. A focused pane that has ended must not hide live ones: it
 * takes one place, and live panes fill the others, first those that need the person.
 */
export function selectPage(
  shown: readonly SidebarRow[],
  focused: number,
  many: number,
  isLive: (row: SidebarRow) => boolean,
): readonly SidebarRow[] {
  const first = Math.floor(focused / many) * many;
  const page = shown.slice(first, first + many);
  const chosen = shown[focused];
  if (chosen === undefined || (isLive(chosen) && chosen.isPane)) return page;
  const live = shown.filter((row) => row !== chosen && isLive(row));
  const areSeen =
    page.filter((row) => live.includes(row)).length >= Math.min(many - 1, live.length);
  if (areSeen) return page;
  const beside = [
    ...live.filter(({tone}) => tone === 'needs'),
    ...live.filter(({tone}) => tone !== 'needs'),
  ].slice(0, many - 1);
  return shown.filter((row) => row === chosen || beside.includes(row));
}

function isLiveRow({session}: SidebarRow, {live}: State): boolean {
  return session !== undefined && live.includes(session);
}

/** A question is shown with the pane of the session that asks it. */
function paneOfNeed(model: Model, state: State, main: Rect): PaneLayout[] {
  const {need} = model;
  if (need?.kind !== 'question' && need?.kind !== 'uncertain-input') return [];
  if (!state.live.includes(need.session)) return [];
  const rows = Math.max(4, main.rows - questionRows(model, state, main));
  const frame = {...main, row: main.row + main.rows - rows, rows};
  const row = sidebarRows(state, state.at).find(({session}) => session === need.session) ?? {
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
  return [
    {
      key: row.key,
      session: need.session,
      number: 1,
      frame,
      inside: toInside(frame),
      isFocused: true,
      isLive: true,
      row,
      terminal: '',
    },
  ];
}

/** Rows of the question above its pane: as many as it needs, up to 60 % of the screen. */
function questionRows(model: Model, state: State, main: Rect): number {
  const {head, rows} = needsBody({model, state, size: main, now: state.at});
  // A question that an agent asks through a tool is not on its screen, so it may take more rows.
  const isAsked = model.need?.kind === 'question' && model.need.asked !== undefined;
  return Math.min(
    isAsked ? main.rows - 4 : Math.max(6, Math.floor(main.rows * 0.6)),
    head.length + rows.length + 1,
  );
}

function gridFor({grid}: Model, main: Rect, wanted: number): 1 | 2 | 4 | 6 {
  if (grid !== 'auto') return grid;
  const fitting = ([6, 4, 2, 1] as const).filter(
    (many) =>
      many === 1 ||
      placesFor(main, many).every(
        ({columns, rows}) => columns >= minPaneSize.columns && rows >= minPaneSize.rows,
      ),
  );
  const needed = roundUp(wanted);
  return fitting.find((many) => many <= needed) ?? 1;
}

/** Smaller panes are used only if the person chose the grid. */
const minPaneSize: Size = {columns: 48, rows: 12};

function roundUp(count: number): 1 | 2 | 4 | 6 {
  if (count <= 1) return 1;
  if (count === 2) return 2;
  return count <= 4 ? 4 : 6;
}

/**
 * Equal places, side by side where they are wide enough. The last one taken gets the rest of its
 * row. One cell between columns is for the line.
 */
export function placesFor(main: Rect, many: 1 | 2 | 4 | 6, taken: number = many): Rect[] {
  const across = columnsOfGrid(many, main.columns);
  const down = many / across;
  return Array.from({length: many}, (_, index) => {
    const [column, row] = [index % across, Math.floor(index / across)];
    const end = index === taken - 1 ? across : column + 1;
    const [left, right] = [
      edgeAt(main.columns + 1, across, column),
      edgeAt(main.columns + 1, across, end) - 1,
    ];
    const [top, bottom] = [edgeAt(main.rows, down, row), edgeAt(main.rows, down, row + 1)];
    return {
      row: main.row + top,
      column: main.column + left,
      columns: right - left,
      rows: bottom - top,
    };
  });
}

function columnsOfGrid(many: 1 | 2 | 4 | 6, columns: number): 1 | 2 | 3 {
  switch (many) {
    case 1:
      return 1;
    case 2:
      return columns >= 100 ? 2 : 1;
    case 4:
      return 2;
    case 6:
      return columns >= 150 ? 3 : 2;
  }
}

function edgeAt(length: number, parts: number, index: number): number {
  return Math.floor((length * index) / parts);
}

/** The first row of a frame is its title. */
function toInside({row, column, columns, rows}: Rect): Rect {
  return {row: row + 1, column, columns, rows: Math.max(0, rows - 1)};
}

/** The rectangle of a screen's own text: the main part without the pane of a question. */
export function selectBodyRect({main, panes}: ScreenLayout, screen: Model['screen']): Rect {
  const [pane] = panes;
  return screen === 'needs' && pane !== undefined
    ? {...main, rows: pane.frame.row - main.row}
    : main;
}

/** The pane that has the focus, if one is in view. */
export function focusedPane(model: Model, state: State): PaneLayout | undefined {
  return computeLayout(model.size, model, state).panes.find(({isFocused}) => isFocused);
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
  return (
    (
      rows.find((row) => row.isPane && isLiveRow(row, state)) ??
      rows.find(({isPane}) => isPane) ??
      rows[0]
    )?.key ?? ''
  );
}

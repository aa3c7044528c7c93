import {isTaskId, sessionOf, type SessionId, type State} from '../../domain/index.ts';
import type {Rect, Size} from '../render/rect.ts';
import {needsBody} from '../screens/needs-body.ts';
import {houseRows, type HouseRow} from './house-rows.ts';
import type {Model} from './model.ts';
import {terminalInWords, terminalOf} from './terminals-of.ts';

/** Where a session is shown: its frame with the title, and the cells inside that are the session's own. */
export type Framed = {
  readonly key: string;
  readonly session: SessionId;
  readonly number: number;
  readonly frame: Rect;
  readonly inside: Rect;
  readonly isFocused: boolean;
  readonly isLive: boolean;
  readonly row: HouseRow;
  /** Which of its terminals it is, if that is not told by how it fares. */ readonly terminal: string;
};

export type Plot = {
  readonly isTooSmall: boolean;
  readonly header: Rect;
  readonly list: Rect | undefined;
  readonly main: Rect;
  readonly status: Rect;
  readonly panes: readonly Framed[];
};

export const leastSize: Size = {columns: 60, rows: 15};

/** Where everything goes. What a pane is called and how it fares changes nothing about its place. */
export function plotOf(size: Size, model: Model, state: State): Plot {
  const {columns, rows} = size;
  const rowsInside = Math.max(0, rows - 2);
  const isTooSmall = columns < leastSize.columns || rows < leastSize.rows;
  // What is zoomed and has no terminal would leave nothing to go on from.
  const hasList =
    model.screen === 'workers' &&
    !model.isReader &&
    !(
      model.isZoomed &&
      houseRows(state, state.at).find(({key}) => key === model.selected)?.session !== undefined
    );
  const listColumns = hasList ? Math.max(26, Math.min(40, Math.floor(columns * 0.34))) : 0;
  const column = hasList ? listColumns + 1 : 0;
  const main: Rect = {row: 1, column, columns: columns - column, rows: rowsInside};
  return {
    isTooSmall,
    header: {row: 0, column: 0, columns, rows: 1},
    list: hasList ? {row: 1, column: 0, columns: listColumns, rows: rowsInside} : undefined,
    main,
    status: {row: rows - 1, column: 0, columns, rows: 1},
    panes: isTooSmall || (model.isReader && !model.isZoomed) ? [] : panesOf(model, state, main),
  };
}

function panesOf(model: Model, state: State, main: Rect): Framed[] {
  if (model.screen === 'needs') return paneOfNeed(model, state, main);
  if (model.screen !== 'workers') return [];
  const rows = withTerminal(houseRows(state, state.at), model);
  const shown = paneRows(model, rows);
  const chosen = rows.find(({key}) => key === model.selected);
  // What is chosen and has no session is told in words instead.
  if (shown.length === 0 || (chosen !== undefined && chosen.session === undefined)) return [];
  const focused = Math.max(
    0,
    shown.findIndex(({key}) => key === model.selected),
  );
  const many = model.isZoomed ? 1 : gridFor(model, main, shown.length);
  const page = pageOf(shown, focused, many, (row) => isLiving(row, state));
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
        inside: insideOf(frame),
        isFocused: row.key === shown[focused]?.key,
        isLive: isLiving(row, state),
        row,
        terminal: terminalWordsOf(state, row),
      },
    ];
  });
}

/** The chosen row shows the terminal that the person asked for; the others whoever is at work. */
export function withTerminal(
  rows: readonly HouseRow[],
  {selected, terminal}: Pick<Model, 'selected' | 'terminal'>,
): readonly HouseRow[] {
  return terminal === undefined
    ? rows
    : rows.map((row) => (row.key === selected ? {...row, session: terminal} : row));
}

/** Said where it is not the agent's own terminal, or not the one that would be shown by itself. */
function terminalWordsOf(state: State, {key, session}: HouseRow): string {
  const shown = session === undefined ? undefined : sessionOf(state, session);
  if (shown === undefined || !isTaskId(key)) return '';
  return shown.purpose.for === 'attempt' && terminalOf(state, key)?.id === session
    ? ''
    : terminalInWords(shown);
}

/** The rows that have their place among the panes, and the chosen one, which can be read whatever it is. */
export function paneRows(
  {selected}: Pick<Model, 'selected'>,
  rows: readonly HouseRow[],
): HouseRow[] {
  return rows.filter(
    ({key, session, isPane}) => session !== undefined && (isPane || key === selected),
  );
}

/**
 * The panes beside the focused one. One that has ended, or that has no place of its own, takes a single place: what lives is not
 * hidden by it, and of what lives those that need the person come first.
 */
export function pageOf(
  shown: readonly HouseRow[],
  focused: number,
  many: number,
  lives: (row: HouseRow) => boolean,
): readonly HouseRow[] {
  const first = Math.floor(focused / many) * many;
  const page = shown.slice(first, first + many);
  const chosen = shown[focused];
  if (chosen === undefined || (lives(chosen) && chosen.isPane)) return page;
  const living = shown.filter((row) => row !== chosen && lives(row));
  const areSeen =
    page.filter((row) => living.includes(row)).length >= Math.min(many - 1, living.length);
  if (areSeen) return page;
  const beside = [
    ...living.filter(({tone}) => tone === 'needs'),
    ...living.filter(({tone}) => tone !== 'needs'),
  ].slice(0, many - 1);
  return shown.filter((row) => row === chosen || beside.includes(row));
}

function isLiving({session}: HouseRow, {live}: State): boolean {
  return session !== undefined && live.includes(session);
}

/** A question is answered with the screen that asks it in view. */
function paneOfNeed(model: Model, state: State, main: Rect): Framed[] {
  const {need} = model;
  if (need?.kind !== 'question' && need?.kind !== 'uncertain-input') return [];
  if (!state.live.includes(need.session)) return [];
  const rows = Math.max(4, main.rows - questionRows(model, state, main));
  const frame = {...main, row: main.row + main.rows - rows, rows};
  const row = houseRows(state, state.at).find(({session}) => session === need.session) ?? {
    key: need.session,
    kind: 'session',
    name: need.session,
    title: '',
    mark: '?',
    word: 'asks',
    words: 'asks',
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
      inside: insideOf(frame),
      isFocused: true,
      isLive: true,
      row,
      terminal: '',
    },
  ];
}

/** How many rows the question itself has above its pane: what it takes, but never most of the screen. */
function questionRows(model: Model, state: State, main: Rect): number {
  const {head, rows} = needsBody({model, state, size: main, now: state.at});
  // What an agent asks by its tools is not on its screen: the question goes first.
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
        ({columns, rows}) => columns >= leastPane.columns && rows >= leastPane.rows,
      ),
  );
  const needed = roundUp(wanted);
  return fitting.find((many) => many <= needed) ?? 1;
}

/** A pane below this is no use to anybody unless they ask for it. */
const leastPane: Size = {columns: 48, rows: 12};

function roundUp(count: number): 1 | 2 | 4 | 6 {
  return count <= 1 ? 1 : count === 2 ? 2 : count <= 4 ? 4 : 6;
}

/** Equal places, side by side where they are wide enough to be read; the last one taken has the rest of its row. Between two columns one cell is left for the line. */
export function placesFor(main: Rect, many: 1 | 2 | 4 | 6, taken: number = many): Rect[] {
  const across =
    many === 1
      ? 1
      : many === 2
        ? main.columns >= 100
          ? 2
          : 1
        : many === 4
          ? 2
          : main.columns >= 150
            ? 3
            : 2;
  const down = many / across;
  return Array.from({length: many}, (_, index) => {
    const [column, row] = [index % across, Math.floor(index / across)];
    const end = index === taken - 1 ? across : column + 1;
    const [left, right] = [
      edge(main.columns + 1, across, column),
      edge(main.columns + 1, across, end) - 1,
    ];
    const [top, bottom] = [edge(main.rows, down, row), edge(main.rows, down, row + 1)];
    return {
      row: main.row + top,
      column: main.column + left,
      columns: right - left,
      rows: bottom - top,
    };
  });
}

function edge(length: number, parts: number, index: number): number {
  return Math.floor((length * index) / parts);
}

/** The first row of a frame is its title. */
function insideOf({row, column, columns, rows}: Rect): Rect {
  return {row: row + 1, column, columns, rows: Math.max(0, rows - 1)};
}

/** What a screen's own text has: the main part without the pane of a question. */
export function bodyRectOf({main, panes}: Plot, screen: Model['screen']): Rect {
  const [pane] = panes;
  return screen === 'needs' && pane !== undefined
    ? {...main, rows: pane.frame.row - main.row}
    : main;
}

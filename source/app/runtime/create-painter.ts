import {type Cells, cellsOfText, type RowSpan} from '../../terminal/index.ts';
import {
  type Frame,
  type FrameCursor,
  isSameRect,
  isTooSmall,
  minSize,
  type Rect,
  type Size,
} from '../render/frame.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import {compose, type Layer} from '../render/compose.ts';
import {createChrome} from '../render/create-chrome.ts';
import type {DiffWriter} from '../render/create-diff-writer.ts';
import type {App, Layout, View} from '../app-contract.ts';

/** Shown instead of the app in a terminal that is too small: the lines that fit. */
export function tooSmallCells(size: Size): Cells {
  const {columns, rows} = size;
  const lines = [
    'too small',
    `${columns}×${rows}, at least ${minSize.columns}×${minSize.rows}`,
    'q leaves; everything goes on',
  ];
  return cellsOfText(
    lines
      .filter((line) => line.length <= columns || line === lines[0])
      .map((line) => line.slice(0, columns))
      .join('\n'),
    size,
  );
}

export type Painter<Model> = {
  /** Whether anything changed. */
  readonly paint: (view: View<Model>, layout: Layout, panes: PaneSet) => boolean;
  /** Renders the chrome again with the next frame, because time has passed. */
  readonly timePassed: () => void;
  /** The last frame; undefined while the terminal is too small. */
  readonly shown: () => Cells | undefined;
};

/**
 * Composes chrome and panes into one frame. The chrome is rendered again only if model, state, size
 * or time changed.
 */
export function createPainter<Model, Action>(
  app: Pick<App<Model, Action>, 'screenOf'>,
  writer: DiffWriter,
): Painter<Model> {
  const chrome = createChrome();
  let drawn:
    | {readonly view: View<Model>; readonly below: Layer; readonly over: readonly Layer[]}
    | undefined;
  let isStale = true;
  let screen: Cells | undefined;
  /** The layers of the last frame. */
  let layers: readonly Layer[] = [];

  return {
    paint(view, layout, panes) {
      const {size} = view;
      if (isTooSmall(size)) {
        screen = undefined;
        return writer.draw({cells: tooSmallCells(size)});
      }

      const last = drawn?.view;
      if (
        drawn === undefined ||
        isStale ||
        last?.model !== view.model ||
        last.state !== view.state ||
        last.size !== size
      ) {
        drawn = {view, ...chrome.draw(app.screenOf(view), size)};
        isStale = false;
      }

      let changed: RowSpan = noRows;
      const shown = layout.panes.flatMap(({session, rect}) => {
        const pane = panes.get(session);
        if (pane === undefined) return [];
        const {cells, rows} = pane.refresh();
        changed = joinSpans(changed, rows, rect);
        return [{cells, rect}];
      });
      const before = layers;
      layers = [drawn.below, ...shown, ...drawn.over];
      const isAsBefore = screen !== undefined && isSameStack(layers, before);
      screen = compose(size, layers, screen, isAsBefore ? changed : undefined);
      return writer.draw({
        ...toFrame(screen, selectCursor(layout, panes)),
        ...(isAsBefore && {changed}),
      });
    },
    timePassed() {
      isStale = true;
    },
    shown: () => screen,
  };
}

const noRows: RowSpan = {first: 0, end: 0};

/** Extends a span of screen rows by changed rows of a pane. */
function joinSpans(span: RowSpan, {first, end}: RowSpan, {row, rows}: Rect): RowSpan {
  const added = {first: row + first, end: row + Math.min(end, rows)};
  if (added.first >= added.end) return span;
  return span.first >= span.end
    ? added
    : {first: Math.min(span.first, added.first), end: Math.max(span.end, added.end)};
}

/** Whether the layers have the same cell objects at the same places. Their content may differ. */
function isSameStack(layers: readonly Layer[], others: readonly Layer[]): boolean {
  return (
    layers.length === others.length &&
    layers.every(
      ({cells, rect}, index) =>
        cells === others[index]?.cells && isSameRect(rect, others[index].rect),
    )
  );
}

function toFrame(cells: Cells, cursor: FrameCursor | undefined): Frame {
  const isOnScreen =
    cursor !== undefined && cursor.row < cells.rows && cursor.column < cells.columns;
  return isOnScreen ? {cells, cursor} : {cells};
}

/** The cursor of the pane that is typed into, or of a text field in the chrome. */
function selectCursor(
  {panes: places, typing, cursor}: Layout,
  panes: PaneSet,
): FrameCursor | undefined {
  if (typing === undefined) return cursor && {...cursor, shape: 0};
  const place = places.find(({session}) => session === typing);
  const inside = panes.get(typing)?.cursor();
  if (
    place === undefined ||
    inside === undefined ||
    inside.row >= place.rect.rows ||
    inside.column >= place.rect.columns
  )
    return undefined;
  return {
    row: place.rect.row + inside.row,
    column: place.rect.column + inside.column,
    shape: inside.shape,
  };
}

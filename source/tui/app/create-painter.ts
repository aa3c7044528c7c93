import type {Cells, RowSpan} from '../../terminal/index.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import {type Layer, compose} from '../render/compose.ts';
import {createChrome} from '../render/create-chrome.ts';
import type {DiffWriter} from '../render/create-diff-writer.ts';
import type {Frame, FrameCursor} from '../render/frame.ts';
import {type Rect, isSameRect} from '../render/rect.ts';
import type {App, Layout, View} from '../seam.ts';
import {isTooSmall, tooSmallCells} from './too-small.ts';

export type Painter<Model> = {
  /** Whether anything was different. */
  readonly paint: (view: View<Model>, layout: Layout, panes: PaneSet) => boolean;
  /** The chrome looks different though nothing has changed but the time. */
  readonly timePassed: () => void;
  /** What the terminal shows; nothing where there is no room for the app. */
  readonly shown: () => Cells | undefined;
};

/** Makes one frame of the chrome and the panes. The chrome is asked for anew only if something that it shows may have changed. */
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
  /** What the screen was composed of. */
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
        changed = spanOf(changed, rows, rect);
        return [{cells, rect}];
      });
      const before = layers;
      layers = [drawn.below, ...shown, ...drawn.over];
      const isAsBefore = screen !== undefined && isSameStack(layers, before);
      screen = compose(size, layers, screen, isAsBefore ? changed : undefined);
      return writer.draw({
        ...frameOf(screen, cursorOf(layout, panes)),
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

/** With the rows of a pane, where they are on the screen. */
function spanOf(span: RowSpan, {first, end}: RowSpan, {row, rows}: Rect): RowSpan {
  const added = {first: row + first, end: row + Math.min(end, rows)};
  if (added.first >= added.end) return span;
  return span.first >= span.end
    ? added
    : {first: Math.min(span.first, added.first), end: Math.max(span.end, added.end)};
}

/** The same cells in the same places; what is in them may be different. */
function isSameStack(layers: readonly Layer[], others: readonly Layer[]): boolean {
  return (
    layers.length === others.length &&
    layers.every(
      ({cells, rect}, index) =>
        cells === others[index]?.cells && isSameRect(rect, others[index].rect),
    )
  );
}

function frameOf(cells: Cells, cursor: FrameCursor | undefined): Frame {
  const isOnScreen =
    cursor !== undefined && cursor.row < cells.rows && cursor.column < cells.columns;
  return isOnScreen ? {cells, cursor} : {cells};
}

/** The cursor is in the pane that is typed into, or in a field of the chrome; nowhere else. */
function cursorOf(
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

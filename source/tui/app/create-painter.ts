import type {Cells} from '../../terminal/index.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import {type Layer, compose} from '../render/compose.ts';
import {createChrome} from '../render/create-chrome.ts';
import type {DiffWriter} from '../render/create-diff-writer.ts';
import type {Frame, FrameCursor} from '../render/frame.ts';
import type {App, Layout, View} from '../seam.ts';
import {isTooSmall, tooSmallCells} from './too-small.ts';

export type Painter<Model> = {
  /** Whether anything was different. */
  readonly paint: (view: View<Model>, layout: Layout, panes: PaneSet) => boolean;
  /** The chrome looks different though nothing has changed but the time. */
  readonly timePassed: () => void;
  /** What the terminal shows; nothing where there is no room for the app. */
  readonly shown: () => Cells | undefined;
  readonly close: () => void;
};

/** Makes one frame of the chrome and the panes. The chrome is asked for anew only if something that it shows may have changed. */
export function createPainter<Model, Action>(app: Pick<App<Model, Action>, 'screenOf'>, writer: DiffWriter): Painter<Model> {
  const chrome = createChrome();
  let drawn: {readonly view: View<Model>; readonly below: Layer; readonly over: readonly Layer[]} | undefined;
  let isStale = true;
  let screen: Cells | undefined;

  return {
    paint(view, layout, panes) {
      const {size} = view;
      if (isTooSmall(size)) {
        screen = undefined;
        return writer.draw({cells: tooSmallCells(size)});
      }

      const before = drawn?.view;
      if (drawn === undefined || isStale || before?.model !== view.model || before.state !== view.state || before.size !== size) {
        drawn = {view, ...chrome.draw(app.screenOf(view), size)};
        isStale = false;
      }

      const shown = layout.panes.flatMap(({session, rect}) => {
        const pane = panes.get(session);
        return pane === undefined ? [] : [{cells: pane.cells(), rect}];
      });
      screen = compose(size, [drawn.below, ...shown, ...drawn.over], screen);
      return writer.draw(frameOf(screen, cursorOf(layout, panes)));
    },
    timePassed() {
      isStale = true;
    },
    shown: () => screen,
    close: chrome.close,
  };
}

function frameOf(cells: Cells, cursor: FrameCursor | undefined): Frame {
  const isOnScreen = cursor !== undefined && cursor.row < cells.rows && cursor.column < cells.columns;
  return isOnScreen ? {cells, cursor} : {cells};
}

/** The cursor is in the pane that is typed into, or in a field of the chrome; nowhere else. */
function cursorOf({panes: places, typing, cursor}: Layout, panes: PaneSet): FrameCursor | undefined {
  if (typing === undefined) return cursor && {...cursor, shape: 0};
  const place = places.find(({session}) => session === typing);
  const inside = panes.get(typing)?.cursor();
  if (place === undefined || inside === undefined || inside.row >= place.rect.rows || inside.column >= place.rect.columns) return undefined;
  return {row: place.rect.row + inside.row, column: place.rect.column + inside.column, shape: inside.shape};
}


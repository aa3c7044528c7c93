import type {SessionId} from '../../domain/index.ts';
import type {Cells, RowSpan} from '../../terminal/index.ts';
import type {App, Layout, PanePlace, View} from '../app-contract.ts';
import {createInkHost, type InkHost} from '../ink/create-ink-host.tsx';
import type {Painted} from '../ink/create-tree-painter.ts';
import type {Viewport} from '../ink/region.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import type {DiffWriter} from '../render/create-diff-writer.ts';
import {type FrameCursor, isTooSmall} from '../render/frame.ts';
import {createStore, StoreContext} from '../store.tsx';
import {toLayoutPlaces} from './to-layout-places.ts';
import {tooSmallCells} from './too-small.ts';

export type FramePainter<Model> = {
  /**
   * Draws a frame. If the view has changed, React renders first, and the frame follows in a
   * microtask. Returns whether anything was drawn or is about to be.
   */
  readonly paint: (view: View<Model>) => boolean;
  /** Renders again with the next frame, because time has passed. */
  readonly timePassed: () => void;
  /** The last frame; undefined while the terminal is too small. */
  readonly shown: () => Cells | undefined;
  /** Where panes and targets are in the last frame. */
  readonly places: () => Pick<Layout, 'panes' | 'targets'>;
  /** How often React has committed. */
  readonly commits: () => number;
  readonly close: () => void;
};

export type FramePainterOptions<Model> = {
  readonly app: Pick<App<Model, never>, 'root' | 'isScreenReader'>;
  readonly writer: DiffWriter;
  readonly panes: PaneSet;
  /** The session that is typed into has the cursor. */
  readonly typing: () => SessionId | undefined;
  /** The places of panes may have changed: opens, resizes and closes panes. */
  readonly onPlaces: (panes: readonly PanePlace[]) => void;
  readonly onViewports: (viewports: Readonly<Record<string, Viewport>>) => void;
  /** Whether the cached frame stays on the terminal: nothing is written then. */
  readonly isHeld: () => boolean;
  /** After a frame that `paint` has announced. */
  readonly onFrame: () => void;
  /** A component has failed. */
  readonly onError: (error: unknown) => void;
};

/** Brings the component tree and the panes to the terminal. */
export function createFramePainter<Model>({
  app,
  writer,
  panes,
  typing,
  onPlaces,
  onViewports,
  isHeld,
  onFrame,
  onError,
}: FramePainterOptions<Model>): FramePainter<Model> {
  const store = createStore<View<Model> | undefined>(undefined);
  const paneCells = new Map<SessionId, {readonly cells: Cells; readonly rows: RowSpan}>();
  let host: InkHost | undefined;
  let view: View<Model> | undefined;
  let isStale = true;
  let isPending = false;
  let isClosed = false;
  let painted: Painted | undefined;
  let places: Pick<Layout, 'panes' | 'targets'> = {panes: []};
  let viewports = '';
  /** Frames were painted that the terminal has not got. */
  let hasUnwritten = false;

  const open = (first: View<Model>): InkHost => {
    store.set(first);
    return createInkHost(<StoreContext value={store as never}>{app.root}</StoreContext>, {
      size: first.size,
      cellsOf: (session) => paneCells.get(session)?.cells,
      isScreenReader: app.isScreenReader === true,
      onError,
    });
  };

  const paintTree = (current: InkHost, {size}: View<Model>): ReadonlySet<number> => {
    painted = current.paint(size);
    places = toLayoutPlaces(painted.places);
    const text = JSON.stringify(painted.viewports);
    if (text !== viewports) {
      viewports = text;
      onViewports(painted.viewports);
    }

    return painted.rows;
  };

  /** Takes over what panes have drawn since the last frame. Returns whether cells were replaced. */
  const refreshPanes = (): boolean => {
    let isReplaced = false;
    for (const {session} of places.panes) {
      const fresh = panes.get(session)?.refresh();
      if (fresh === undefined) isReplaced ||= paneCells.delete(session);
      else {
        isReplaced ||= paneCells.get(session)?.cells !== fresh.cells;
        paneCells.set(session, fresh);
      }
    }

    return isReplaced;
  };

  const drawFrame = (current: InkHost, shown: View<Model>): boolean => {
    const rows = new Set<number>();
    if (current.isStale() || painted === undefined) {
      for (const row of paintTree(current, shown)) rows.add(row);
      onPlaces(places.panes);
    }

    if (refreshPanes()) for (const row of paintTree(current, shown)) rows.add(row);
    const touched = new Set<number>();
    for (const {session, rect} of places.panes) {
      const changed = paneCells.get(session)?.rows ?? noRows;
      const end = Math.min(changed.end, rect.rows);
      for (let row = changed.first; row < end; row++) touched.add(rect.row + row);
    }

    current.repaint(touched);
    for (const row of touched) rows.add(row);
    if (painted === undefined) return false;
    if (isHeld()) {
      hasUnwritten = true;
      return false;
    }

    const isWhole = hasUnwritten;
    hasUnwritten = false;
    const cursor = selectCursor(painted, places.panes, typing(), panes);
    return writer.draw({
      cells: painted.cells,
      ...(cursor !== undefined && {cursor}),
      ...(isWhole ? {} : {changed: toSpan(rows)}),
    });
  };

  const finish = (): void => {
    isPending = false;
    if (isClosed || host === undefined || view === undefined || isTooSmall(view.size)) return;
    drawFrame(host, view);
    onFrame();
  };

  return {
    paint(next) {
      const before = view;
      view = next;
      if (isTooSmall(next.size)) {
        painted = undefined;
        return writer.draw({cells: tooSmallCells(next.size)});
      }

      const isChanged =
        isStale ||
        before?.model !== next.model ||
        before.state !== next.state ||
        before.size !== next.size;
      isStale = false;
      if (host === undefined) {
        host = open(next);
        return drawFrame(host, next);
      }

      if (isChanged) store.set(next);
      if (isPending) return true;
      if (!isChanged) return drawFrame(host, next);
      isPending = true;
      // React commits in a microtask that `set` has queued; this one comes after it.
      queueMicrotask(() => {
        try {
          finish();
        } catch (error) {
          onError(error);
        }
      });
      return true;
    },
    timePassed() {
      isStale = true;
    },
    shown: () => painted?.cells,
    places: () => places,
    commits: () => host?.commits() ?? 0,
    close() {
      isClosed = true;
      host?.close();
    },
  };
}

const noRows: RowSpan = {first: 0, end: 0};

function toSpan(rows: ReadonlySet<number>): RowSpan {
  if (rows.size === 0) return noRows;
  let [first, end] = [Number.POSITIVE_INFINITY, 0];
  for (const row of rows) {
    first = Math.min(first, row);
    end = Math.max(end, row + 1);
  }

  return {first, end};
}

/** The cursor of the pane that is typed into, or of a text field. */
function selectCursor(
  {places, cells}: Painted,
  panePlaces: readonly PanePlace[],
  typing: SessionId | undefined,
  panes: PaneSet,
): FrameCursor | undefined {
  if (typing === undefined) {
    const caret = places.findLast(({region}) => region.kind === 'caret')?.rect;
    const isOnScreen =
      caret !== undefined && caret.row < cells.rows && caret.column < cells.columns;
    return isOnScreen ? {row: caret.row, column: caret.column, shape: 0} : undefined;
  }

  const rect = panePlaces.find(({session}) => session === typing)?.rect;
  const inside = panes.get(typing)?.cursor();
  if (
    rect === undefined ||
    inside === undefined ||
    inside.row >= rect.rows ||
    inside.column >= rect.columns
  )
    return undefined;
  return {
    row: rect.row + inside.row,
    column: rect.column + inside.column,
    shape: inside.shape,
  };
}

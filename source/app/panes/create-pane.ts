import {errorText} from '../../shared/index.ts';
import type {SessionId} from '../../domain/index.ts';
import {
  type Cells,
  createScreen,
  type Modes,
  type RowSpan,
  sanitizeLine,
  type Screen,
} from '../../terminal/index.ts';
import {isSameSize} from '../../protocol/index.ts';
import type {FrameCursor, Size} from '../render/frame.ts';
import type {After, OpenPane, PaneSource} from '../app-contract.ts';
import {type OutputScheduler, throttle} from './create-output-scheduler.ts';
import {createSizeClaim} from './create-size-claim.ts';
import {createUpdateHold} from './create-update-hold.ts';
import {createFrameHistory} from './frame-history.ts';
import {freezeScreen} from './freeze-screen.ts';
import {toPaneView} from './to-pane-view.ts';
import {
  type Extent,
  following,
  isFollowing,
  type PaneView,
  scrollViewport,
  type ViewportState,
} from './viewport-state.ts';
import {invertMarked, selectionText, toSelection} from './selection.ts';

export type Pane = {
  readonly session: SessionId;
  /** Types into the session. */
  readonly write: (bytes: Uint8Array) => void;
  readonly resize: (size: Size) => void;
  /** Applies the size of this pane to the session, which another client may have resized. */
  readonly claimSize: (when: 'settled' | 'now') => void;
  readonly modes: () => Modes;
  /** Whether the program has printed nothing so far. */
  readonly isSilent: () => boolean;
  /**
   * Updates and returns the cells (always the same object), with the rows that may have changed
   * since the last call.
   */
  readonly refresh: () => {readonly cells: Cells; readonly rows: RowSpan};
  readonly cursor: () => FrameCursor | undefined;
  readonly view: () => PaneView;
  /** Changes scroll, search or selection. The screen is frozen until the viewport follows again. */
  readonly look: (
    change: (viewport: ViewportState, screen: Screen, extent: Extent) => ViewportState,
  ) => void;
  readonly selection: () => string;
  /** Opens it again if opening failed. */
  readonly retry: () => void;
  readonly close: () => void;
};

export type PaneOptions = {
  readonly session: SessionId;
  readonly size: Size;
  readonly scroll: number;
  readonly openPane: OpenPane;
  readonly outputScheduler: OutputScheduler;
  /** Whether the person types into it: its output is then drawn first. */
  readonly isUrgent: () => boolean;
  readonly now: () => number;
  readonly after: After;
  /** Called when there may be something new to draw. */
  readonly drawn: () => void;
  readonly viewed: (view: PaneView) => void;
  readonly ended: (text: string) => void;
};

/**
 * One session on the screen. A pane holds a connection and an emulator, so it exists only while it
 * is in view.
 */
export function createPane({
  session,
  size: firstSize,
  scroll,
  openPane,
  outputScheduler,
  isUrgent,
  now,
  after,
  drawn,
  viewed,
  ended,
}: PaneOptions): Pane {
  let screen = createScreen({...firstSize, scrollback});
  let source: PaneSource | undefined;
  let connection: PaneView['connection'] = 'opening';
  let message: string | undefined;
  /** Incremented with each opening, so that output of an earlier one is ignored. */
  let opening = 0;
  /** Output and sizes of the session before its snapshot is drawn. */
  let early: (Uint8Array | Size)[] = [];
  /** Input that was typed before the session was connected. */
  let typed: Uint8Array[] = [];
  let viewport = following;
  /** A copy of the screen and its scrollback while the viewport does not follow. */
  let frozenScreen: Screen | undefined;
  let liveShown: Cells | undefined;
  let frozenCells: Cells | undefined;
  let lastView: string | undefined;
  let hasPrinted = false;

  const report = throttle({
    ms: 1000,
    now,
    after,
    act: () => {
      notify();
    },
  });
  const frames = createFrameHistory(now);
  const hold = createUpdateHold({now, after, onTimeout: drawn});
  const sizing = createSizeClaim({
    size: firstSize,
    after,
    send: (size) => {
      source?.resize(size);
      frozenScreen?.resize(size.columns, size.rows);
      // The screen of a live session changes when the session has the size.
      if (source?.size === undefined || connection === 'ended') resizeScreen(size);
      else if (frozenScreen !== undefined) drawn();
    },
  });

  const view = (): PaneView =>
    toPaneView({
      screen,
      viewport,
      history: frozenScreen?.history ?? 0,
      connection,
      ...(message !== undefined && {message}),
    });

  const notify = (): void => {
    const next = view();
    const text = JSON.stringify(next);
    if (text === lastView) return;
    lastView = text;
    viewed(next);
  };

  const draw = (chunk: Uint8Array): void => {
    const {title, bells} = screen;
    const {mouseTracking} = screen.modes;
    frames.beforeOutput(screen);
    screen.write(chunk);
    hasPrinted ||= screen.modes.alternateScreen || screen.text().some((row) => row.trim() !== '');
    if (
      title !== screen.title ||
      bells !== screen.bells ||
      mouseTracking !== screen.modes.mouseTracking
    )
      report.ask(undefined);
    if (frozenScreen === undefined) drawn();
  };

  const become = (next: PaneView['connection'], why?: string): void => {
    connection = next;
    message = why === undefined ? undefined : sanitizeLine(why);
    notify();
    drawn();
  };

  const open = async (): Promise<void> => {
    const mine = ++opening;
    const isMine = (): boolean => mine === opening;
    early = [];
    try {
      const openedSize = sizing.size();
      const opened = await openPane(session, openedSize, {
        bytes: (chunk) => {
          if (!isMine()) return;
          if (source === undefined) early.push(chunk);
          else if (!outputScheduler.enqueue(draw, chunk, isUrgent())) resync();
        },
        resized: (size) => {
          if (!isMine()) return;
          if (source === undefined) early.push(size);
          else takeSize(size);
        },
        ended: (why) => {
          // The program and its keeper both end; only the first end is reported.
          if (!isMine() || connection === 'ended') return;
          become('ended', why);
          ended(message ?? '');
        },
      });
      if (!isMine()) {
        opened.close();
        return;
      }

      source = opened;
      screen.close();
      screen = createScreen({
        ...(opened.size ?? openedSize),
        scrollback,
        ...(opened.reply !== undefined && {onReply: opened.reply}),
      });
      for (const one of [opened.snapshot, ...early]) {
        if (one instanceof Uint8Array) draw(one);
        else takeSize(one);
      }

      early = [];
      if (connection === 'opening') become('live');
      if (scroll > 0 && mine === 1)
        look((current, _, extent) => scrollViewport(current, {to: 'up', times: scroll}, extent));
      sizing.claim();
      for (const bytes of typed) opened.write(bytes);
      typed = [];
    } catch (error) {
      if (!isMine()) return;
      typed = [];
      become('failed', errorText(error));
      screen.write(new TextEncoder().encode(`\u001B[H\u001B[2J${message ?? ''}`));
    }
  };

  /** The session sends more than can be drawn: drop the queue and take a new snapshot. */
  const resync = (): void => {
    outputScheduler.forget(draw);
    source?.close();
    source = undefined;
    void open();
  };

  const resizeScreen = (size: Size): void => {
    if (isSameSize(size, screen)) return;
    screen.resize(size.columns, size.rows);
    drawn();
  };

  /** The session has this size: its output is for a terminal of this size from now on. */
  const takeSize = (size: Size): void => {
    sizing.report(size);
    resizeScreen(size);
  };

  /** The first row in view: a session that is taller than the pane is shown around its cursor. */
  const firstRow = (): number => {
    const {rows} = sizing.size();
    return Math.max(0, Math.min(screen.cursor.row + 1, screen.rows) - rows);
  };

  const look: Pane['look'] = (change) => {
    if (frozenScreen === undefined) {
      frames.capture(screen);
      frozenScreen = freezeScreen(screen, {
        size: sizing.size(),
        earlier: frames.rows(),
        scrollback,
      });
    }

    viewport = change(viewport, frozenScreen, {
      history: frozenScreen.history,
      rows: frozenScreen.rows,
      columns: frozenScreen.columns,
    });
    if (isFollowing(viewport)) {
      frozenScreen.close();
      frozenScreen = undefined;
    }

    notify();
    drawn();
  };

  void open();

  return {
    session,
    write(bytes) {
      if (!isFollowing(viewport)) look(() => following);
      sizing.typed();
      if (source !== undefined) source.write(bytes);
      else if (connection === 'opening' && typed.length < maxTypedChunks) typed.push(bytes);
    },
    resize: sizing.change,
    claimSize: (when) => {
      if (when === 'now') sizing.claimNow();
      else sizing.claim();
    },
    modes: () => screen.modes,
    isSilent: () => !hasPrinted && connection !== 'failed',
    refresh() {
      if (frozenScreen !== undefined) {
        frozenCells = frozenScreen.readCells(-viewport.scroll, frozenScreen.rows, frozenCells);
        invertMarked(frozenCells, viewport);
        return {cells: frozenCells, rows: {first: 0, end: frozenScreen.rows}};
      }

      // An unfinished synchronized update is not shown.
      if (liveShown !== undefined && hold.isUnfinished(screen))
        return {cells: liveShown, rows: {first: 0, end: 0}};
      const {rows} = sizing.size();
      if (screen.rows > rows) {
        liveShown = screen.readCells(firstRow(), rows, liveShown);
        return {cells: liveShown, rows: {first: 0, end: rows}};
      }

      const refreshed = screen.refresh(liveShown);
      liveShown = refreshed.cells;
      return refreshed;
    },
    cursor() {
      if (frozenScreen !== undefined || connection !== 'live' || !screen.modes.cursorVisible)
        return undefined;
      const {row, column} = screen.cursor;
      return {row: row - firstRow(), column, shape: screen.modes.cursorShape};
    },
    view,
    look,
    selection: () => {
      const selected = frozenScreen && toSelection(viewport, frozenScreen.columns);
      return frozenScreen === undefined || selected === undefined
        ? ''
        : selectionText(frozenScreen, selected);
    },
    retry() {
      if (connection !== 'failed') return;
      become('opening');
      void open();
    },
    close() {
      opening++;
      outputScheduler.forget(draw);
      report.close();
      sizing.close();
      hold.close();
      source?.close();
      screen.close();
      frozenScreen?.close();
    },
  };
}

const scrollback = 1000;
const maxTypedChunks = 256;

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
import type {FrameCursor, Size} from '../render/frame.ts';
import type {After, OpenPane, PaneSource} from '../app-contract.ts';
import {type OutputScheduler, throttle} from './create-output-scheduler.ts';
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
  readonly claimSize: () => void;
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
  let size = firstSize;
  let screen = createScreen({...size, scrollback});
  let source: PaneSource | undefined;
  let connection: PaneView['connection'] = 'opening';
  let message: string | undefined;
  /** Incremented with each opening, so that output of an earlier one is ignored. */
  let opening = 0;
  let early: Uint8Array[] = [];
  /** Input that was typed before the session was connected. */
  let typed: Uint8Array[] = [];
  let viewport = following;
  /** A copy of the screen and its scrollback while the viewport does not follow. */
  let frozenScreen: Screen | undefined;
  let liveShown: Cells | undefined;
  let frozenCells: Cells | undefined;
  let heldSince: number | undefined;
  let stopHolding = (): void => undefined;
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
  const resizing = throttle({
    ms: 1000 / 30,
    now,
    after,
    act: (wanted: Size) => {
      applySize(wanted);
    },
  });

  const view = (): PaneView => ({
    title: screen.title,
    scroll: viewport.scroll,
    ...(viewport.scroll > 0 && {history: frozenScreen?.history ?? 0}),
    bells: screen.bells,
    ...(viewport.search !== undefined && {
      search: {
        text: viewport.search.text,
        matches: viewport.search.matches.length,
        current: viewport.search.current + 1,
      },
    }),
    ...(viewport.copy !== undefined && {
      copying: {lines: selectedLines(viewport), isSelecting: viewport.copy.anchor !== undefined},
    }),
    wantsMouse: screen.modes.mouseTracking !== 'off',
    connection,
    ...(message !== undefined && {text: message}),
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
    const openedSize = size;
    const isMine = (): boolean => mine === opening;
    early = [];
    try {
      const opened = await openPane(session, openedSize, {
        bytes: (chunk) => {
          if (!isMine()) return;
          if (source === undefined) early.push(chunk);
          else if (!outputScheduler.enqueue(draw, chunk, isUrgent())) resync();
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
        ...openedSize,
        scrollback,
        ...(opened.reply !== undefined && {onReply: opened.reply}),
      });
      for (const chunk of [opened.snapshot, ...early]) draw(chunk);
      early = [];
      if (connection === 'opening') become('live');
      if (scroll > 0 && mine === 1)
        look((current, _, extent) => scrollViewport(current, {to: 'up', times: scroll}, extent));
      if (openedSize !== size) resizing.ask(size);
      for (const bytes of typed) opened.write(bytes);
      typed = [];
    } catch (error) {
      if (!isMine()) return;
      typed = [];
      become('failed', errorText(error));
      screen.write(new TextEncoder().encode(`\u001B[H\u001B[2J${message ?? ''}`));
    }
  };

  /**
   * Whether the program is inside a synchronized update. After `maxHoldMs` it is taken to have
   * forgotten the end.
   */
  const isUnfinished = (): boolean => {
    if (!screen.modes.synchronizedOutput) {
      stopHolding();
      heldSince = undefined;
      return false;
    }

    if (heldSince === undefined) {
      heldSince = now();
      stopHolding = after(maxHoldMs, drawn);
    }

    return now() - heldSince < maxHoldMs;
  };

  /** The session sends more than can be drawn: drop the queue and take a new snapshot. */
  const resync = (): void => {
    outputScheduler.forget(draw);
    source?.close();
    source = undefined;
    void open();
  };

  const applySize = (wanted: Size): void => {
    screen.resize(wanted.columns, wanted.rows);
    frozenScreen?.resize(wanted.columns, wanted.rows);
    source?.resize(wanted);
    drawn();
  };

  const look: Pane['look'] = (change) => {
    frozenScreen ??= copyOfScreen(screen);
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
      if (source !== undefined) source.write(bytes);
      else if (connection === 'opening' && typed.length < maxTypedChunks) typed.push(bytes);
    },
    resize(wanted) {
      if (wanted.columns === size.columns && wanted.rows === size.rows) return;
      size = wanted;
      resizing.ask(wanted);
    },
    claimSize: () => source?.resize(size),
    modes: () => screen.modes,
    isSilent: () => !hasPrinted && connection !== 'failed',
    refresh() {
      if (frozenScreen !== undefined) {
        frozenCells = frozenScreen.readCells(-viewport.scroll, frozenScreen.rows, frozenCells);
        invertMarked(frozenCells, viewport);
        return {cells: frozenCells, rows: {first: 0, end: frozenScreen.rows}};
      }

      // An unfinished synchronized update is not shown.
      if (liveShown !== undefined && isUnfinished())
        return {cells: liveShown, rows: {first: 0, end: 0}};
      const refreshed = screen.refresh(liveShown);
      liveShown = refreshed.cells;
      return refreshed;
    },
    cursor() {
      if (frozenScreen !== undefined || connection !== 'live' || !screen.modes.cursorVisible)
        return undefined;
      const {row, column} = screen.cursor;
      return {row, column, shape: screen.modes.cursorShape};
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
      resizing.close();
      stopHolding();
      source?.close();
      screen.close();
      frozenScreen?.close();
    },
  };
}

const scrollback = 1000;
const maxHoldMs = 150;
const maxTypedChunks = 256;

function selectedLines({copy}: ViewportState): number {
  return copy?.anchor === undefined ? 0 : Math.abs(copy.anchor.row - copy.row) + 1;
}

function copyOfScreen(screen: Screen): Screen {
  const copy = createScreen({columns: screen.columns, rows: screen.rows, scrollback});
  copy.write(new TextEncoder().encode(screen.serialize({history: screen.history})));
  return copy;
}

import type {SessionId} from '../../domain/index.ts';
import {
  type Cells,
  type Modes,
  type RowSpan,
  type Screen,
  createScreen,
  sanitizeLine,
} from '../../terminal/index.ts';
import type {FrameCursor} from '../render/frame.ts';
import type {Size} from '../render/rect.ts';
import type {After, OpenPane, PaneSource} from '../seam.ts';
import type {Feeder} from './create-feeder.ts';
import {limitRate} from './limit-rate.ts';
import {type Extent, type Looking, afterScroll, following, isFollowing} from './looking.ts';
import type {PaneView} from './pane-view.ts';
import {highlight, selectionOf, selectionText} from './selection.ts';

export type Pane = {
  readonly session: SessionId;
  /** Types into the session. */
  readonly write: (bytes: Uint8Array) => void;
  readonly resize: (size: Size) => void;
  /** Its size counts again, though somebody else has the session in a larger or a smaller place. */
  readonly claimSize: () => void;
  readonly modes: () => Modes;
  /** What it shows now, and the rows of that which may be different from the last time. The same cells are brought up to date each time. */
  readonly refresh: () => {readonly cells: Cells; readonly rows: RowSpan};
  readonly cursor: () => FrameCursor | undefined;
  readonly view: () => PaneView;
  /** Changes how the person looks at it. What they look at stands still until they follow again. */
  readonly look: (change: (looking: Looking, screen: Screen, extent: Extent) => Looking) => void;
  readonly selection: () => string;
  /** Opens it once more, if that failed. */
  readonly retry: () => void;
  readonly close: () => void;
};

export type PaneOptions = {
  readonly session: SessionId;
  readonly size: Size;
  readonly scroll: number;
  readonly openPane: OpenPane;
  readonly feeder: Feeder;
  /** Whether the person types into it: its bytes are then drawn before those of others. */
  readonly isUrgent: () => boolean;
  readonly now: () => number;
  readonly after: After;
  /** There may be something new to draw. */
  readonly drawn: () => void;
  readonly viewed: (view: PaneView) => void;
  readonly ended: (words: string) => void;
};

/** One session on the screen: bytes become cells here. It holds a connection and an emulator, so it exists only while it is seen. */
export function createPane({
  session,
  size: firstSize,
  scroll,
  openPane,
  feeder,
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
  let words: string | undefined;
  /** Goes up with each opening: what an earlier one brings is not wanted any more. */
  let opening = 0;
  let early: Uint8Array[] = [];
  /** What was typed before there was anybody to take it. */
  let typed: Uint8Array[] = [];
  let looking = following;
  /** A copy of the screen and the lines above it, for as long as somebody looks at more than its end. */
  let still: Screen | undefined;
  let liveShown: Cells | undefined;
  let stillShown: Cells | undefined;
  let heldSince: number | undefined;
  let stopHolding = (): void => undefined;
  let lastView: string | undefined;

  const report = limitRate({
    ms: 1000,
    now,
    after,
    act: () => {
      tell();
    },
  });
  const resizing = limitRate({
    ms: 1000 / 30,
    now,
    after,
    act: (wanted: Size) => {
      applySize(wanted);
    },
  });

  const view = (): PaneView => ({
    title: screen.title,
    scroll: looking.scroll,
    ...(looking.scroll > 0 && {history: still?.history ?? 0}),
    bells: screen.bells,
    ...(looking.search !== undefined && {
      search: {
        words: looking.search.words,
        matches: looking.search.matches.length,
        current: looking.search.current + 1,
      },
    }),
    ...(looking.copy !== undefined && {
      copying: {lines: linesOf(looking), isSelecting: looking.copy.anchor !== undefined},
    }),
    wantsMouse: screen.modes.mouseTracking !== 'off',
    connection,
    ...(words !== undefined && {words}),
  });

  const tell = (): void => {
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
    if (
      title !== screen.title ||
      bells !== screen.bells ||
      mouseTracking !== screen.modes.mouseTracking
    )
      report.ask(undefined);
    if (still === undefined) drawn();
  };

  const become = (next: PaneView['connection'], why?: string): void => {
    connection = next;
    words = why === undefined ? undefined : sanitizeLine(why);
    tell();
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
          else if (!feeder.offer(draw, chunk, isUrgent())) resync();
        },
        ended: (why) => {
          // The end of the program and that of its keeper are one end.
          if (!isMine() || connection === 'ended') return;
          become('ended', why);
          ended(words ?? '');
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
        look((current, _, extent) => afterScroll(current, {to: 'up', times: scroll}, extent));
      if (openedSize !== size) resizing.ask(size);
      for (const bytes of typed) opened.write(bytes);
      typed = [];
    } catch (error) {
      if (!isMine()) return;
      typed = [];
      become('failed', error instanceof Error ? error.message : String(error));
      screen.write(new TextEncoder().encode(`\u001B[H\u001B[2J${words ?? ''}`));
    }
  };

  /** Whether the program is drawing a frame, and has not been for so long that it must have forgotten to end it. */
  const isUnfinished = (): boolean => {
    if (!screen.modes.synchronizedOutput) {
      stopHolding();
      heldSince = undefined;
      return false;
    }

    if (heldSince === undefined) {
      heldSince = now();
      stopHolding = after(longestHold, drawn);
    }

    return now() - heldSince < longestHold;
  };

  /** It sends more than we can draw: what is waiting is dropped, and the screen taken as it is then. */
  const resync = (): void => {
    feeder.forget(draw);
    source?.close();
    source = undefined;
    void open();
  };

  const applySize = (wanted: Size): void => {
    screen.resize(wanted.columns, wanted.rows);
    still?.resize(wanted.columns, wanted.rows);
    source?.resize(wanted);
    drawn();
  };

  const look: Pane['look'] = (change) => {
    still ??= copyOf(screen);
    looking = change(looking, still, {
      history: still.history,
      rows: still.rows,
      columns: still.columns,
    });
    if (isFollowing(looking)) {
      still.close();
      still = undefined;
    }

    tell();
    drawn();
  };

  void open();

  return {
    session,
    write(bytes) {
      if (!isFollowing(looking)) look(() => following);
      if (source !== undefined) source.write(bytes);
      else if (connection === 'opening' && typed.length < mostTyped) typed.push(bytes);
    },
    resize(wanted) {
      if (wanted.columns === size.columns && wanted.rows === size.rows) return;
      size = wanted;
      resizing.ask(wanted);
    },
    claimSize: () => source?.resize(size),
    modes: () => screen.modes,
    refresh() {
      if (still !== undefined) {
        stillShown = still.readCells(-looking.scroll, still.rows, stillShown);
        highlight(stillShown, looking);
        return {cells: stillShown, rows: {first: 0, end: still.rows}};
      }

      // A frame that the program has not finished is not shown, unless it never finishes it.
      if (liveShown !== undefined && isUnfinished())
        return {cells: liveShown, rows: {first: 0, end: 0}};
      const refreshed = screen.refresh(liveShown);
      liveShown = refreshed.cells;
      return refreshed;
    },
    cursor() {
      if (still !== undefined || connection !== 'live' || !screen.modes.cursorVisible)
        return undefined;
      const {row, column} = screen.cursor;
      return {row, column, shape: screen.modes.cursorShape};
    },
    view,
    look,
    selection: () => {
      const selected = still && selectionOf(looking, still.columns);
      return still === undefined || selected === undefined ? '' : selectionText(still, selected);
    },
    retry() {
      if (connection !== 'failed') return;
      become('opening');
      void open();
    },
    close() {
      opening++;
      feeder.forget(draw);
      report.close();
      resizing.close();
      stopHolding();
      source?.close();
      screen.close();
      still?.close();
    },
  };
}

const scrollback = 1000;
const longestHold = 150;
const mostTyped = 256;

function linesOf({copy}: Looking): number {
  return copy?.anchor === undefined ? 0 : Math.abs(copy.anchor.row - copy.row) + 1;
}

function copyOf(screen: Screen): Screen {
  const copy = createScreen({columns: screen.columns, rows: screen.rows, scrollback});
  copy.write(new TextEncoder().encode(screen.serialize({history: screen.history})));
  return copy;
}

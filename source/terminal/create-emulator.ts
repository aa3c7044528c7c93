import xterm from '@xterm/headless';
import type {RowSpan} from './cells.ts';
import {clusterRules} from './cluster-rules.ts';
import {
  type EmulatorAttributes,
  type EmulatorBuffer,
  type EmulatorCore,
  coreOf,
} from './emulator-core.ts';

export type Emulator = {
  /** Draws at once. The text has passed the allow-list. */
  readonly write: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly normal: () => EmulatorBuffer;
  readonly active: () => EmulatorBuffer;
  /** How the next character is drawn. */
  readonly attributes: () => EmulatorAttributes;
  /** The rows that may look different since this was asked last. */
  readonly takeTouched: () => RowSpan;
  readonly close: () => void;
};

/** What is known about @xterm/headless is in here, in `emulator-core.ts` and in `pack-line.ts`. */
export function createEmulator(columns: number, rows: number, scrollback: number): Emulator {
  let terminal = createTerminal(columns, rows, scrollback);
  let touched: RowSpan = none;

  const listen = (heard: EmulatorCore): EmulatorCore => {
    touched = every;
    heard._inputHandler.onRequestReset(() => {
      touched = every;
    });
    heard._inputHandler.onRequestRefreshRows((span) => {
      touched =
        span === undefined
          ? every
          : {first: Math.min(touched.first, span.start), end: Math.max(touched.end, span.end + 1)};
    });
    return heard;
  };

  let core = listen(coreOf(terminal));

  /** An emulator that fails on what a program draws must not take the daemon with it, again after each restart: it begins blank. */
  const attempt = (
    change: () => void,
    size: () => readonly [columns: number, rows: number],
  ): void => {
    try {
      change();
    } catch {
      terminal.dispose();
      terminal = createTerminal(...size(), scrollback);
      core = listen(coreOf(terminal));
    }
  };

  return {
    write(text) {
      attempt(
        () => {
          // Past its write buffer, which would draw in a later turn of the event loop and takes as long as a short text itself.
          if (core._inputHandler.parse(text) !== undefined)
            throw new Error('expected @xterm/headless to have drawn, but it waits for a handler');
        },
        () => [terminal.cols, terminal.rows],
      );
    },
    resize(newColumns, newRows) {
      touched = every;
      attempt(
        () => {
          terminal.resize(newColumns, newRows);
        },
        () => [newColumns, newRows],
      );
    },
    columns: () => terminal.cols,
    rows: () => terminal.rows,
    normal: () => core.buffers.normal,
    active: () => core.buffers.active,
    attributes: () => core._inputHandler.getAttrData(),
    takeTouched() {
      const {first, end} = touched;
      touched = none;
      return first >= end
        ? {first: 0, end: 0}
        : {first: Math.max(0, first), end: Math.min(terminal.rows, end)};
    },
    close() {
      terminal.dispose();
    },
  };
}

const every: RowSpan = {first: 0, end: Infinity};
const none: RowSpan = {first: Infinity, end: 0};

function createTerminal(columns: number, rows: number, scrollback: number): xterm.Terminal {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.unicode.register(clusterRules);
  terminal.unicode.activeVersion = clusterRules.version;
  return terminal;
}

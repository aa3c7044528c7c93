import xterm from '@xterm/headless';
import type {RowSpan} from './cells.ts';
import {clusterRules} from '../shared/index.ts';
import {
  type EmulatorAttributes,
  type EmulatorBuffer,
  type EmulatorCore,
  getCore,
} from './emulator-core.ts';

export type Emulator = {
  /** Draws synchronously. The text has passed the allow-list. */
  readonly write: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly normal: () => EmulatorBuffer;
  readonly active: () => EmulatorBuffer;
  /** The style of the next character. */
  readonly attributes: () => EmulatorAttributes;
  /** The rows that may have changed since the last call. */
  readonly takeTouched: () => RowSpan;
  readonly close: () => void;
};

/** All knowledge about @xterm/headless is here and in `emulator-core.ts`. */
export function createEmulator(columns: number, rows: number, scrollback: number): Emulator {
  let terminal = createTerminal(columns, rows, scrollback);
  let touched: RowSpan = none;

  const listen = (received: EmulatorCore): EmulatorCore => {
    touched = every;
    received._inputHandler.onRequestReset(() => {
      touched = every;
    });
    received._inputHandler.onRequestRefreshRows((span) => {
      touched =
        span === undefined
          ? every
          : {first: Math.min(touched.first, span.start), end: Math.max(touched.end, span.end + 1)};
    });
    return received;
  };

  let core = listen(getCore(terminal));

  /**
   * An emulator that throws on a program's output must not crash the daemon, again after each
   * restart: it is replaced by a blank one.
   */
  const attempt = (
    change: () => void,
    size: () => readonly [columns: number, rows: number],
  ): void => {
    try {
      change();
    } catch {
      terminal.dispose();
      terminal = createTerminal(...size(), scrollback);
      core = listen(getCore(terminal));
    }
  };

  return {
    write(text) {
      attempt(
        () => {
          // Bypasses its write buffer, which would draw in a later turn of the event loop and costs
          // as much as a short text itself.
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

import xterm from '@xterm/headless';
import {clusterRules} from './cluster-rules.ts';
import {type EmulatorAttributes, type EmulatorBuffer, coreOf} from './emulator-core.ts';

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
  readonly close: () => void;
};

/** What is known about @xterm/headless is in here, in `emulator-core.ts` and in `pack-line.ts`. */
export function createEmulator(columns: number, rows: number, scrollback: number): Emulator {
  let terminal = createTerminal(columns, rows, scrollback);
  let core = coreOf(terminal);

  /** An emulator that fails on what a program draws must not take the daemon with it, again after each restart: it begins blank. */
  const attempt = (change: () => void, size: () => readonly [columns: number, rows: number]): void => {
    try {
      change();
    } catch {
      terminal.dispose();
      terminal = createTerminal(...size(), scrollback);
      core = coreOf(terminal);
    }
  };

  return {
    write(text) {
      let pending = 1;
      attempt(
        () => {
          // What follows a user's input is parsed at once and not in a later turn of the event loop (WriteBuffer.ts of xterm.js).
          terminal.input('');
          terminal.write(text, () => pending--);
        },
        () => {
          pending = 0;
          return [terminal.cols, terminal.rows];
        },
      );
      if (pending > 0) throw new Error('expected @xterm/headless to draw at once after input, but it waits; its write buffer must have changed');
    },
    resize(newColumns, newRows) {
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
    close() {
      terminal.dispose();
    },
  };
}

function createTerminal(columns: number, rows: number, scrollback: number): xterm.Terminal {
  const terminal = new xterm.Terminal({cols: columns, rows, scrollback, allowProposedApi: true, logLevel: 'off'});
  terminal.unicode.register(clusterRules);
  terminal.unicode.activeVersion = clusterRules.version;
  return terminal;
}

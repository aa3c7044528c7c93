import xterm from '@xterm/headless';
import {clusterRules} from './cluster-rules.ts';
import {type EmulatorCore, type EmulatorBuffer, coreOf} from './emulator-core.ts';

export type Emulator = {
  /** Draws at once. The text has passed the allow-list: the emulator is not asked to withstand anything else. */
  readonly write: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly normal: () => EmulatorBuffer;
  readonly alternate: () => EmulatorBuffer;
  readonly active: () => EmulatorBuffer;
  readonly attributes: () => ReturnType<EmulatorCore['_inputHandler']['getAttrData']>;
  readonly close: () => void;
};

/** Everything that is known about @xterm/headless is in here, in `emulator-core.ts` and in `pack-line.ts`. */
export function createEmulator(columns: number, rows: number, scrollback: number): Emulator {
  const terminal = new xterm.Terminal({cols: columns, rows, scrollback, allowProposedApi: true, logLevel: 'off'});
  const core = coreOf(terminal);
  terminal.unicode.register(clusterRules);
  terminal.unicode.activeVersion = clusterRules.version;

  const write = (text: string): void => {
    let drawn = 0;
    // What follows input of a user is parsed at once, not in a later turn of the event loop (WriteBuffer.ts of xterm.js).
    terminal.input('');
    terminal.write(text, () => {
      drawn++;
    });
    if (drawn === 0) throw new Error('expected @xterm/headless to draw at once after input, but it waits; look for what replaced handleUserInput');
  };

  return {
    write,
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
    },
    columns: () => terminal.cols,
    rows: () => terminal.rows,
    normal: () => core.buffers.normal,
    alternate: () => core.buffers.alt,
    active: () => core.buffers.active,
    attributes: () => core._inputHandler.getAttrData(),
    close() {
      terminal.dispose();
    },
  };
}

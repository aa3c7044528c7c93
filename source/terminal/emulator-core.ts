import type {Terminal} from '@xterm/headless';

/**
 * The parts of @xterm/headless 6 that its public interface does not show, and without which a screen cannot be written out whole:
 * saved cursors, scroll regions, tab stops, the style at hand, and the attribute that marks cells as unknown. xterm.js's own
 * addons reach for the same.
 */
export type EmulatorCore = {
  readonly buffers: {
    readonly normal: EmulatorBuffer;
    readonly alt: EmulatorBuffer;
    readonly active: EmulatorBuffer;
  };
  readonly _inputHandler: {
    readonly getAttrData: () => EmulatorAttributes;
    /** Draws at once; gives something only if a handler of ours took its time, and none does. */
    readonly parse: (text: string) => unknown;
    /** After each write, the rows that it changed; all of them if it names none. */
    readonly onRequestRefreshRows: (
      heard: (rows?: {readonly start: number; readonly end: number}) => void,
    ) => void;
    readonly onRequestReset: (heard: () => void) => void;
  };
};

export type EmulatorBuffer = {
  readonly x: number;
  readonly y: number;
  /** How many lines are above the screen. */
  readonly ybase: number;
  readonly savedX: number;
  /** Counted from the oldest line. */
  readonly savedY: number;
  readonly savedCurAttrData: EmulatorAttributes;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
  readonly lines: {readonly get: (index: number) => EmulatorLine | undefined};
};

export type EmulatorLine = {
  /** Three words for each cell; see `packLine`. */
  readonly _data: Uint32Array;
  readonly _combined: Readonly<Record<number, string>>;
  readonly _extendedAttrs: Readonly<Record<number, {readonly underlineStyle: number} | undefined>>;
  readonly isWrapped: boolean;
};

export type EmulatorAttributes = {
  readonly fg: number;
  readonly bg: number;
  readonly extended: {readonly underlineStyle: number};
};

export function coreOf(terminal: Terminal): EmulatorCore {
  const {_core: core} = terminal as unknown as {_core: EmulatorCore};
  const line = core.buffers.active.lines.get(0);
  const isKnown =
    line?._data instanceof Uint32Array &&
    line._data.length === terminal.cols * 3 &&
    typeof core._inputHandler.getAttrData().fg === 'number' &&
    typeof core._inputHandler.parse === 'function' &&
    typeof core._inputHandler.onRequestRefreshRows === 'function' &&
    typeof core._inputHandler.onRequestReset === 'function';
  if (!isKnown)
    throw new Error(
      'expected the insides of @xterm/headless 6, but they have changed; emulator-core.ts and pack-line.ts must follow',
    );
  return core;
}

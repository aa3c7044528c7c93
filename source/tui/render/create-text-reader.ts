import {type Cells, type Screen, createScreen, keepStyles} from '../../terminal/index.ts';
import type {Size} from './rect.ts';

/** Reads lines of text with colours and styles into cells; what is too large is cut, and what is neither goes. */
export type TextReader = {
  readonly read: (text: string, size: Size) => Cells;
  readonly close: () => void;
};

/** It keeps its emulator: making one takes longer than reading a screenful. */
export function createTextReader(): TextReader {
  let screen: Screen | undefined;
  const encoder = new TextEncoder();
  return {
    read(text, size) {
      if (screen?.columns !== Math.max(2, size.columns) || screen.rows !== size.rows) {
        screen?.close();
        screen = createScreen({...size, scrollback: 0});
      }

      // Lines do not wrap, and behind the last one there is no line feed, which would scroll.
      const lines = keepStyles(text).split('\n', size.rows);
      screen.write(encoder.encode(`\u001B[?7l\u001B[m\u001B[H\u001B[2J${lines.join('\r\n')}`));
      return screen.readCells();
    },
    close() {
      screen?.close();
    },
  };
}

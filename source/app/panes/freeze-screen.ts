import {createScreen, rowSequence, type Screen} from '../../terminal/index.ts';
import type {Size} from '../render/frame.ts';
import {frameRule} from './frame-history.ts';

/**
 * A copy of a screen to scroll, search and copy in. Of a program on the alternate screen it has,
 * from top to bottom: the scrollback and the screen that the program covered, the rows that it has
 * shown earlier, and what it shows now.
 */
export function freezeScreen(screen: Screen, {size, earlier, scrollback}: FreezeOptions): Screen {
  const {columns, rows} = screen;
  const copy = createScreen({columns, rows, scrollback: scrollback + rows});
  const write = (text: string): void => {
    copy.write(new TextEncoder().encode(text));
  };
  if (!screen.modes.alternateScreen) {
    write(screen.serialize({history: screen.history}));
  } else {
    write(screen.serialize({history: scrollback, only: 'normal'}));
    const end = copy.text().findLastIndex((row) => row !== '');
    const isBlank = end === -1 && copy.history === 0;
    const cells = screen.readCells();
    const lines = [
      ...(isBlank ? [] : [frameRule(columns)]),
      ...earlier,
      ...Array.from({length: rows}, (_, row) => rowSequence(cells, row)),
    ];
    const {row, column} = screen.cursor;
    write(
      `\u001B[r\u001B[m\u001B[${end + 1};1H${isBlank ? '' : '\r\n'}${lines.join('\r\n')}` +
        `\u001B[${row + 1};${column + 1}H`,
    );
  }

  copy.resize(size.columns, size.rows);
  return copy;
}

type FreezeOptions = {
  /** The size of the pane. */
  readonly size: Size;
  /** What a program has shown on the alternate screen before, as text with styles. */
  readonly earlier: readonly string[];
  /** Lines. */
  readonly scrollback: number;
};

import {fitLine, line, type Line} from '../model/line.ts';
import type {ScreenName} from '../model/model.ts';
import type {SidebarRow} from '../model/sidebar-rows.ts';

/**
 * A row for screen readers: without marks, frames and bars, because words say the same; with the
 * selected row named, and wide gaps closed. A row with a text cursor stays unchanged.
 */
export function toScreenReaderText(row: Line, screen: ScreenName, columns: number): Line {
  if (row.some(({tone}) => tone === 'caret')) return row;
  const pieces = row.map((piece) => ({...piece, text: toPlainText(piece.text, screen)}));
  if (pieces.every(({text}, index) => text === row[index]?.text)) return row;
  return fitLine(
    pieces.map((piece) => ({...piece, text: piece.text.replaceAll(/ {3,}/g, '  ')})),
    columns,
  );
}

/** Put before the selected row; lists reserve cells for it. */
export const chosenWord = 'chosen: ';

function toPlainText(text: string, screen: ScreenName): string {
  const bare = text.replaceAll(/[─│┌┐└┘▁-█]+/gu, '');
  if (screen === 'audit' && /^([#=+~%.])\1*$/.test(bare)) return '';
  // In the settings, only the mark tells what is chosen.
  const withChoice =
    screen === 'settings' ? bare.replaceAll('● ', 'chosen ').replaceAll('○ ', '') : bare;
  return withChoice
    .replace(/^(\s*)▸(?:\s*[✓!?·●○] )?\s*/u, `$1${chosenWord}`)
    .replace(/^(\s*)[✓!?·●○] +/u, '$1');
}

/** The sidebar for screen readers: a sentence for each row. */
export function screenReaderRows(
  rows: readonly SidebarRow[],
  selected: string,
  height: number,
): Line[] {
  if (rows.length === 0) return [line('Nothing runs here.')];
  const at = Math.max(
    0,
    rows.findIndex(({key}) => key === selected),
  );
  const top = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height));
  return rows
    .slice(top, top + height)
    .map(({key, kind, name, title, text}, index) =>
      line(
        `${top + index + 1} of ${rows.length}${key === selected ? ', chosen' : ''}: ${kind} ${name}${title === '' ? '' : ` ${title}`}: ${text}`,
      ),
    );
}

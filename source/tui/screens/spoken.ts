import {fitLine, type Line} from '../model/line.ts';
import type {ScreenName} from '../model/model.ts';

/**
 * A row as a screen reader says it. Marks, frames and bars are left out, for words say the same; which row is chosen is said,
 * and what is far apart on the screen comes closer. Where somebody writes every cell stays where it is.
 */
export function spoken(row: Line, screen: ScreenName, columns: number): Line {
  if (row.some(({tone}) => tone === 'caret')) return row;
  const words = row.map((piece) => ({...piece, text: inWords(piece.text, screen)}));
  if (words.every(({text}, index) => text === row[index]?.text)) return row;
  return fitLine(
    words.map((piece) => ({...piece, text: piece.text.replaceAll(/ {3,}/g, '  ')})),
    columns,
  );
}

/** So many cells are kept free for it in a list. */
export const chosenWord = 'chosen: ';

function inWords(text: string, screen: ScreenName): string {
  const bare = text.replaceAll(/[─│┌┐└┘▁-█]+/gu, '');
  if (screen === 'audit' && /^([#=+~%.])\1*$/.test(bare)) return '';
  // In the settings it is the mark that tells what is chosen.
  const told = screen === 'settings' ? bare.replaceAll('● ', 'chosen ').replaceAll('○ ', '') : bare;
  return told
    .replace(/^(\s*)▸(?:\s*[✓!?·●○] )?\s*/u, `$1${chosenWord}`)
    .replace(/^(\s*)[✓!?·●○] +/u, '$1');
}

import {type Cells, cellsOfText} from '../../../source/terminal/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import type {Random} from '../../support/random.ts';

/**
 * Cells with what is hard to draw: wide characters, clusters, every kind of colour and style,
 * blanks.
 */
export function randomCells(random: Random, size: Size): Cells {
  const lines = Array.from({length: size.rows}, () =>
    random.chance(0.2) ? '' : randomLine(random, size.columns),
  );
  return cellsOfText(lines.join('\n'), size);
}

function randomLine(random: Random, columns: number): string {
  let line = '';
  // What would reach over the end of the line is drawn over its last cell, which no program does
  // that counts.
  for (let space = columns - random.below(columns); space > 0;) {
    const [text, width] = random.pick(texts);
    if (width > space) break;
    line += `${random.chance(0.2) ? `\u001B[${random.pick(styles)}m` : ''}${text}`;
    space -= width;
  }

  return line;
}

const styles = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '4:3',
  '7',
  '9',
  '31',
  '97',
  '42',
  '38;5;200',
  '48;5;17',
  '38;2;1;2;3',
  '48;2;200;100;50',
  '53',
  '22;24;27',
];
const texts: readonly (readonly [text: string, width: number])[] = [
  ['a', 1],
  ['b', 1],
  [' ', 1],
  [' ', 1],
  ['   ', 3],
  ['─', 1],
  ['│', 1],
  ['日', 2],
  ['語', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['👍🏽', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['⚠️', 2],
  ['⚠', 1],
  ['✅', 2],
  ['🦀', 2],
  ['\uE0B0', 1],
];

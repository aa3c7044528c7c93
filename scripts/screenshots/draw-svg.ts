import {type Cells, cellText, cellWidth, toStyle} from '../../source/terminal/index.ts';
import {toPaint, type Paint, paper} from './to-paint.ts';

/** The size of a cell in pixels. */
const cell = {width: 8.4, height: 18, baseline: 13.5};
const margin = 12;
const fonts =
  "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

type Run = Paint & {
  readonly row: number;
  readonly column: number;
  readonly cells: number;
  readonly text: string;
};

/**
 * Draws a screen as a self-contained SVG. Text stays text, and each run has exactly the width of
 * its cells.
 */
export function drawSvg(cells: Cells, title: string): string {
  const width = round(cells.columns * cell.width + 2 * margin);
  const height = round(cells.rows * cell.height + 2 * margin);
  const runs = Array.from({length: cells.rows}, (_, row) => toRuns(cells, row)).flat();
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${fonts}" font-size="14" fill="${paper.foreground}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper.background}"/>`,
    ...runs.filter(({background}) => background !== undefined).map(rectangle),
    ...runs.filter(({text}) => text.trim() !== '' && text !== wall).map(toText),
    ...runs.filter(({text}) => text === wall).map(line),
    '</svg>',
    '',
  ].join('\n');
}

/**
 * Neighbouring cells with the same style. Wide characters get their own run, because fonts disagree
 * about their width.
 */
function toRuns(cells: Cells, row: number): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < cells.columns; column++) {
    const index = row * cells.columns + column;
    const width = cellWidth(cells, index);
    if (width === 0) continue;
    const paint = toPaint(toStyle(cells, index));
    const text = cellText(cells, index) || ' ';
    const last = runs.at(-1);
    if (
      last !== undefined &&
      width === 1 &&
      isPlain(text) &&
      isPlain(last.text) &&
      looksAlike(last, paint)
    )
      runs[runs.length - 1] = {...last, cells: last.cells + 1, text: last.text + text};
    else runs.push({...paint, row, column, cells: width, text});
  }

  return runs;
}

function isPlain(text: string): boolean {
  return /^[\u0020-\u024F\u2500-\u257F…·–]+$/.test(text) && !text.includes(wall);
}

function looksAlike(one: Paint, other: Paint): boolean {
  return (
    one.foreground === other.foreground &&
    one.background === other.background &&
    one.isBold === other.isBold &&
    one.isItalic === other.isItalic &&
    one.isUnderlined === other.isUnderlined &&
    one.opacity === other.opacity
  );
}

function rectangle({row, column, cells, background}: Run): string {
  return `<rect x="${x(column)}" y="${round(margin + row * cell.height)}" width="${round(cells * cell.width)}" height="${cell.height}" fill="${background!}"/>`;
}

/** Drawn as a rectangle: fonts leave gaps between rows. */
const wall = '│';

function line({row, column, foreground, opacity}: Run): string {
  return `<rect x="${round(x(column) + cell.width / 2 - 0.5)}" y="${round(margin + row * cell.height)}" width="1" height="${cell.height}" fill="${foreground ?? paper.foreground}"${opacity === 1 ? '' : ` opacity="${opacity}"`}/>`;
}

function toText({
  row,
  column,
  cells,
  text,
  foreground,
  isBold,
  isItalic,
  isUnderlined,
  opacity,
}: Run): string {
  const blanks = text.length - text.trimStart().length;
  const shown = text.trim();
  const wide = cells - (text.length - shown.length);
  const looks = [
    foreground === undefined ? '' : ` fill="${foreground}"`,
    isBold ? ' font-weight="bold"' : '',
    isItalic ? ' font-style="italic"' : '',
    isUnderlined ? ' text-decoration="underline"' : '',
    opacity === 1 ? '' : ` opacity="${opacity}"`,
  ].join('');
  return `<text x="${x(column + blanks)}" y="${round(margin + row * cell.height + cell.baseline)}" textLength="${round(Math.max(1, wide) * cell.width)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${looks}>${escaped(shown)}</text>`;
}

function x(column: number): number {
  return round(margin + column * cell.width);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

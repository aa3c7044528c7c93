import {type Cells, cellText, cellWidth, toStyle} from '../../source/terminal/index.ts';
import {boxStrokes, cell} from './box-lines.ts';
import {type Paint, type TerminalColours, toPaint} from './to-paint.ts';

export type PictureOptions = {
  /** In the bar of the window, and what a screen reader reads. */
  readonly title: string;
  readonly colours: TerminalColours;
};

/** Draws a screen as a self-contained SVG: a window with a title and the cells below it. */
export function drawSvg(cells: Cells, options: PictureOptions): string {
  const styles = createStyles();
  const rows = Array.from({length: cells.rows}, (_, row) => {
    const drawn = drawRow(cells, row, options.colours, styles);
    return drawn === '' ? '' : `<g transform="translate(0 ${rowTop(row)})">${drawn}</g>`;
  }).filter((row) => row !== '');
  return drawWindow(cells, options, styles, rows);
}

/** The window around drawn rows; `rows` are placed by themselves. */
export function drawWindow(
  {columns, rows: count}: Pick<Cells, 'columns' | 'rows'>,
  {title, colours}: PictureOptions,
  styles: Styles,
  rows: readonly string[],
): string {
  const width = round(columns * cell.width + 2 * margin);
  const height = round(count * cell.height + barHeight + margin);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve" font-family="${fonts}" font-size="14" fill="${colours.foreground}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>path{fill:none;stroke-width:1.2}g rect{shape-rendering:crispEdges}.h{stroke-width:2.6}.d{opacity:.65}.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}${styles.css()}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${colours.background}"/>`,
    `<rect x=".5" y=".5" width="${round(width - 1)}" height="${round(height - 1)}" rx="9.5" fill="none" stroke="${colours.foreground}" stroke-opacity=".25"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    `<text x="${round(width / 2)}" y="21.5" text-anchor="middle" font-size="13" opacity=".7">${escapeXml(title)}</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const margin = 12;
const barHeight = 36;
const fonts =
  "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

export function rowTop(row: number): number {
  return round(barHeight + row * cell.height);
}

/** Short names for colours, so that a run does not repeat them. */
export type Styles = {
  readonly className: (colour: string, use: 'fill' | 'stroke') => string;
  readonly css: () => string;
};

export function createStyles(): Styles {
  const names = new Map<string, string>();
  return {
    className: (colour, use) => {
      const rule = `${use}:${colour}`;
      const name = names.get(rule) ?? `c${names.size.toString(36)}`;
      names.set(rule, name);
      return name;
    },
    css: () => [...names].map(([rule, name]) => `.${name}{${rule}}`).join(''),
  };
}

/**
 * One row at the top of its own place. Text stays text, each run with exactly the width of its
 * cells; frame lines and blocks are drawn as lines.
 */
export function drawRow(
  cells: Cells,
  row: number,
  colours: TerminalColours,
  styles: Styles,
): string {
  const runs = toRuns(cells, row, colours);
  return [
    ...runs.map((run) => drawBackground(run, styles)),
    ...runs.map((run) => (run.isBox ? drawBoxes(run, colours, styles) : drawText(run, styles))),
  ].join('');
}

type Run = Paint & {
  readonly column: number;
  readonly cells: number;
  readonly text: string;
  readonly isBox: boolean;
};

/** Neighbours of the same style. A character that fonts draw wider or narrower stands alone. */
function toRuns(cells: Cells, row: number, colours: TerminalColours): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < cells.columns; column++) {
    const index = row * cells.columns + column;
    const width = cellWidth(cells, index);
    if (width === 0) continue;
    const paint = toPaint(toStyle(cells, index), colours);
    const text = cellText(cells, index) || ' ';
    const isBox = boxStrokes(text, 0, 0) !== undefined;
    const last = runs.at(-1);
    const joins =
      last !== undefined &&
      isSamePaint(last, paint) &&
      last.isBox === isBox &&
      (isBox || (isPlain(text) && isPlain(last.text)));
    if (joins) runs[runs.length - 1] = {...last, cells: last.cells + width, text: last.text + text};
    else runs.push({...paint, column, cells: width, text, isBox});
  }

  return runs;
}

function isPlain(text: string): boolean {
  return /^[\u0020-\u024F…·–]+$/.test(text);
}

function isSamePaint(one: Paint, other: Paint): boolean {
  return (
    one.foreground === other.foreground &&
    one.background === other.background &&
    one.isBold === other.isBold &&
    one.isItalic === other.isItalic &&
    one.isUnderlined === other.isUnderlined &&
    one.isDim === other.isDim
  );
}

function drawBackground({column, cells, background}: Run, styles: Styles): string {
  if (background === undefined) return '';
  return `<rect class="${styles.className(background, 'fill')}" x="${x(column)}" width="${round(cells * cell.width)}" height="${cell.height}"/>`;
}

function drawBoxes(run: Run, colours: TerminalColours, styles: Styles): string {
  const strokes = Array.from(
    run.text,
    (character, index) => boxStrokes(character, x(run.column + index), 0) ?? [],
  ).flat();
  const colour = run.foreground ?? colours.foreground;
  return (['light', 'heavy', 'fill'] as const)
    .map((weight) => {
      const d = strokes.flatMap((stroke) => (stroke.weight === weight ? stroke.d : [])).join('');
      if (d === '') return '';
      const names = [
        styles.className(colour, weight === 'fill' ? 'fill' : 'stroke'),
        ...(weight === 'heavy' ? ['h'] : []),
        ...(run.isDim ? ['d'] : []),
      ];
      return `<path class="${names.join(' ')}" d="${joinLines(d)}"/>`;
    })
    .join('');
}

/** `M4 9L8 9M4 9L0 9M12 9…`: horizontal pieces that touch become one line. */
function joinLines(d: string): string {
  const pieces = [...d.matchAll(/M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/g)].map((match) =>
    match.slice(1).map(Number),
  );
  const rest = d.replaceAll(/M[\d.]+ [\d.]+L[\d.]+ [\d.]+/g, '');
  const flat = pieces
    .filter(([, y1, , y2]) => y1 === y2)
    .map(([x1 = 0, y = 0, x2 = 0]) => ({from: Math.min(x1, x2), to: Math.max(x1, x2), y}))
    .toSorted((one, other) => one.y - other.y || one.from - other.from);
  const joined: {from: number; to: number; y: number}[] = [];
  for (const piece of flat) {
    const last = joined.at(-1);
    if (last?.y === piece.y && piece.from <= last.to + 0.15) last.to = Math.max(last.to, piece.to);
    else joined.push({...piece});
  }

  const upright = pieces
    .filter(([, y1, , y2]) => y1 !== y2)
    // A little longer than its row, so that a scaled picture shows no gap before the next one.
    .map(([px = 0, y1 = 0, , y2 = 0]) => `M${px} ${y1}V${y2 === cell.height ? y2 + 0.4 : y2}`);
  return [...joined.map(({from, to, y}) => `M${from} ${y}H${to}`), ...upright, rest].join('');
}

function drawText(run: Run, styles: Styles): string {
  const shown = run.text.trim();
  if (shown === '') return '';
  const blanks = run.text.length - run.text.trimStart().length;
  const wide = run.cells - (run.text.length - shown.length);
  const names = [
    ...(run.foreground === undefined ? [] : [styles.className(run.foreground, 'fill')]),
    ...(run.isBold ? ['b'] : []),
    ...(run.isItalic ? ['i'] : []),
    ...(run.isUnderlined ? ['u'] : []),
    ...(run.isDim ? ['d'] : []),
  ].join(' ');
  return `<text${names === '' ? '' : ` class="${names}"`} x="${x(run.column + blanks)}" y="${cell.baseline}" textLength="${round(Math.max(1, wide) * cell.width)}" lengthAdjust="spacingAndGlyphs">${escapeXml(shown)}</text>`;
}

function x(column: number): number {
  return round(margin + column * cell.width);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

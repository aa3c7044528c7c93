/** How a cell is drawn: its units 1 and 2, and the style of its underline. */
export type Style = {
  readonly foreground: number;
  readonly background: number;
  readonly underline: number;
};

export function toStyle({words}: Cells, index: number): Style {
  const at = index * unitsPerCell;
  return {
    foreground: words[at + 1] ?? 0,
    background: words[at + 2] ?? 0,
    underline: ((words[at] ?? 0) >> underlineShift) & 7,
  };
}

/** The SGR sequence that sets this style, whatever was set before. */
export function styleSequence({foreground, background, underline}: Style): string {
  const underlineCode = underline > 1 ? `;4:${underline}` : ';4';
  const codes = [
    (foreground & bold) === 0 ? '' : ';1',
    (background & dim) === 0 ? '' : ';2',
    (background & italic) === 0 ? '' : ';3',
    (foreground & underlined) === 0 ? '' : underlineCode,
    (foreground & blink) === 0 ? '' : ';5',
    (foreground & inverse) === 0 ? '' : ';7',
    (foreground & invisible) === 0 ? '' : ';8',
    (foreground & strike) === 0 ? '' : ';9',
    (background & overline) === 0 ? '' : ';53',
    colourCodes(foreground, 30),
    colourCodes(background, 40),
  ].join('');
  return codes === '' ? '\u001B[m' : `\u001B[0${codes}m`;
}

/** Bits of the foreground unit. */
export const inverse = 0x400_0000;
export const bold = 0x800_0000;
export const underlined = 0x1000_0000;
export const blink = 0x2000_0000;
export const invisible = 0x4000_0000;
export const strike = 0x8000_0000;
/** Bits of the background unit. */
export const italic = 0x400_0000;
export const dim = 0x800_0000;
export const overline = 0x4000_0000;
/** The bits of both that hold the colour and its kind. */
export const colourBits = 0x3ff_ffff;

function colourCodes(unit: number, base: number): string {
  const value = unit & 0xff_ffff;
  switch ((unit >> 24) & 3) {
    case 1:
      return `;${value < 8 ? base + value : base + 52 + value}`;
    case 2:
      return `;${base + 8};5;${value}`;
    case 3:
      return `;${base + 8};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
    default:
      return '';
  }
}

/**
 * A rectangle of cells, packed so that comparing is cheap: two cells look the same when their three
 * 32-bit units are equal and, where `isCluster` holds, their clusters too.
 *
 * - unit 0, content: bits 0–20 the code point, bit 21 set if the text is in `clusters`, bits 22–23
 * the width (0 for the right half of the wide cell before it), bits 24–26 the style of the
 * underline beyond a single one (2 double, 3 curly, 4 dotted, 5 dashed)
 * - unit 1, foreground: bits 0–23 the colour, bits 24–25 its kind, bits 26–31 inverse, bold,
 * underline, blink, invisible, strike
 * - unit 2, background: bits 0–23 the colour, bits 24–25 its kind, bit 26 italic, bit 27 dim, bit
 * 30 overline
 *
 * The kind of a colour is 0 for the terminal's own, 1 for one of 16, 2 for one of 256, 3 for 24
 * bits of red, green and blue. Not stored: the colour of underlines, and links.
 */
export type Cells = {
  readonly columns: number;
  readonly rows: number;
  /** Three 32-bit units for each cell, row by row. */
  readonly words: Uint32Array;
  /** The text of cells that hold more than one code point, by the index of the cell. */
  readonly clusters: Map<number, string>;
};

/** Rows from `first` up to but without `end`. */
export type RowSpan = {readonly first: number; readonly end: number};

export const unitsPerCell = 3;
export const clusterFlag = 0x20_0000;
export const codePointMask = 0x1f_ffff;
export const widthShift = 22;
export const underlineShift = 24;
/** A blank cell in the terminal's own colours. */
export const blankContent = (1 << widthShift) | 0x20;

export function createCells(columns: number, rows: number): Cells {
  return {
    columns,
    rows,
    words: new Uint32Array(columns * rows * unitsPerCell),
    clusters: new Map(),
  };
}

export function clearClusters({columns, clusters}: Cells, {first, end}: RowSpan): void {
  if (clusters.size === 0) return;
  for (let index = first * columns; index < end * columns; index++) clusters.delete(index);
}

/** The text of a cell; empty for the right half of a wide one. */
export function cellText({words, clusters}: Cells, index: number): string {
  const content = words[index * unitsPerCell] ?? 0;
  if ((content & clusterFlag) !== 0) return clusters.get(index) ?? '';
  return (content & codePointMask) === 0 ? '' : String.fromCodePoint(content & codePointMask);
}

/**
 * Whether the cell holds more than one code point. Terminals disagree on its width, so a writer
 * positions the cursor after it.
 */
export function isCluster({words}: Cells, index: number): boolean {
  return ((words[index * unitsPerCell] ?? 0) & clusterFlag) !== 0;
}

/** 0, 1 or 2. */
export function cellWidth({words}: Cells, index: number): number {
  return ((words[index * unitsPerCell] ?? 0) >> widthShift) & 3;
}

export function isSameCell(one: Cells, index: number, other: Cells, otherIndex: number): boolean {
  const at = index * unitsPerCell;
  const otherAt = otherIndex * unitsPerCell;
  const content = one.words[at] ?? 0;
  return (
    content === other.words[otherAt] &&
    one.words[at + 1] === other.words[otherAt + 1] &&
    one.words[at + 2] === other.words[otherAt + 2] &&
    ((content & clusterFlag) === 0 || one.clusters.get(index) === other.clusters.get(otherIndex))
  );
}

/** The text of a row without the blanks at its end. */
export function rowText(cells: Cells, row: number): string {
  let text = '';
  for (let index = row * cells.columns; index < (row + 1) * cells.columns; index++)
    text += cellText(cells, index);
  return text.trimEnd();
}

/** Where a match begins. */
export type Match = {readonly row: number; readonly column: number};

/**
 * Finds text in rows of cells, across rows where a line wraps. The search is case-sensitive only if
 * the text has upper case. `isWrapped` says whether a row continues the one before.
 */
export function searchRows(
  cells: Cells,
  isWrapped: (row: number) => boolean,
  wanted: string,
): Match[] {
  if (wanted === '') return [];
  const fold =
    wanted === wanted.toLowerCase() ? (text: string) => text.toLowerCase() : (text: string) => text;
  const matches: Match[] = [];
  let line = '';
  /** The cell that each character of the line comes from. */
  let origins: number[] = [];
  for (let row = 0; row < cells.rows; row++) {
    if (!isWrapped(row)) {
      line = '';
      origins = [];
    }

    const from = line.length;
    for (let index = row * cells.columns; index < (row + 1) * cells.columns; index++) {
      const text = fold(cellText(cells, index));
      line += text;
      origins.push(...Array<number>(text.length).fill(index));
    }

    // Matches that end in this row; they may begin in an earlier one.
    for (
      let at = line.indexOf(wanted, Math.max(0, from - wanted.length + 1));
      at !== -1;
      at = line.indexOf(wanted, at + wanted.length)
    ) {
      const index = origins[at] ?? 0;
      matches.push({row: Math.floor(index / cells.columns), column: index % cells.columns});
    }
  }

  return matches;
}

/** One stroke of a cell, in cells: from the middle to an edge, an arc, or a filled block. */
export type Stroke = {readonly d: string; readonly weight: 'light' | 'heavy' | 'fill'};

/** The size of a cell in pixels. */
export const cell = {width: 8.4, height: 18, baseline: 13.5};

/**
 * The strokes of a box-drawing character or block at a place, so that frames join without the gaps
 * that fonts leave. Undefined for any other character.
 */
export function boxStrokes(character: string, left: number, top: number): Stroke[] | undefined {
  const block = blocks[character];
  if (block !== undefined) {
    const [x, y, width, height] = block;
    const rectangle = `M${num(left + x * cell.width)} ${num(top + y * cell.height)}h${num(width * cell.width)}v${num(height * cell.height)}h${num(-width * cell.width)}z`;
    return [{d: rectangle, weight: 'fill'}];
  }

  const pieces = parallels[character];
  if (pieces !== undefined) {
    const d = pieces
      .map(
        ([x1, y1, x2, y2]) =>
          `M${num(left + x1 * cell.width)} ${num(top + y1 * cell.height)}L${num(left + x2 * cell.width)} ${num(top + y2 * cell.height)}`,
      )
      .join('');
    return [{d, weight: 'light'}];
  }

  const arms = lines[character];
  if (arms === undefined) return undefined;
  const [middleX, middleY] = [left + cell.width / 2, top + cell.height / 2];
  if (arcs.includes(character)) return [arc(arms, left, top)];
  const ends = [
    [middleX, top],
    [left + cell.width, middleY],
    [middleX, top + cell.height],
    [left, middleY],
  ] as const;
  return (['light', 'heavy'] as const).flatMap((weight) => {
    const d = ends
      .filter((_, side) => arms[side] === (weight === 'light' ? '1' : '2'))
      .map(([x, y]) => `M${num(middleX)} ${num(middleY)}L${num(x)} ${num(y)}`)
      .join('');
    return d === '' ? [] : [{d, weight}];
  });
}

/** A quarter of an ellipse between the two edges that the arms name. */
function arc(arms: string, left: number, top: number): Stroke {
  const [middleX, middleY] = [left + cell.width / 2, top + cell.height / 2];
  const endX = arms[1] === '1' ? left + cell.width : left;
  const endY = arms[2] === '1' ? top + cell.height : top;
  return {
    d: `M${num(middleX)} ${num(endY)}Q${num(middleX)} ${num(middleY)} ${num(endX)} ${num(middleY)}`,
    weight: 'light',
  };
}

function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const arcs = '╭╮╰╯';

/** Arms up, right, down, left: 0 none, 1 light, 2 heavy. */
const lines: Readonly<Record<string, string>> = {
  '─': '0101',
  '│': '1010',
  '┌': '0110',
  '┐': '0011',
  '└': '1100',
  '┘': '1001',
  '├': '1110',
  '┤': '1011',
  '┬': '0111',
  '┴': '1101',
  '┼': '1111',
  '╭': '0110',
  '╮': '0011',
  '╰': '1100',
  '╯': '1001',
  '━': '0202',
  '┃': '2020',
  '┏': '0220',
  '┓': '0022',
  '┗': '2200',
  '┛': '2002',
  '╴': '0001',
  '╵': '1000',
  '╶': '0100',
  '╷': '0010',
  '╸': '0002',
  '╹': '2000',
  '╺': '0200',
  '╻': '0020',
  '╼': '0201',
  '╾': '0102',
};

/** Double and dashed lines, as parts of the cell: from x, y to x, y. */
const parallels: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> =
  {
    '═': [
      [0, 0.42, 1, 0.42],
      [0, 0.58, 1, 0.58],
    ],
    '║': [
      [0.32, 0, 0.32, 1],
      [0.68, 0, 0.68, 1],
    ],
    '╌': dashes(2),
    '┄': dashes(3),
    '┈': dashes(4),
  };

function dashes(count: number): readonly (readonly [number, number, number, number])[] {
  return Array.from({length: count}, (_, index) => [
    (index + 0.2) / count,
    0.5,
    (index + 0.8) / count,
    0.5,
  ]);
}

/** Left, top, width and height as parts of the cell. */
const blocks: Readonly<Record<string, readonly [number, number, number, number]>> = {
  '█': [0, 0, 1, 1],
  '▌': [0, 0, 0.5, 1],
  '▐': [0.5, 0, 0.5, 1],
  '▀': [0, 0, 1, 0.5],
  '▔': [0, 0, 1, 0.125],
  '▏': [0, 0, 0.125, 1],
  ...Object.fromEntries(
    Array.from('▁▂▃▄▅▆▇', (character, index) => {
      const height = (index + 1) / 8;
      return [character, [0, 1 - height, 1, height] as const];
    }),
  ),
};

/** How a cell is drawn, in the words that it has for that (see `Cells`). */
export type Words = {readonly foreground: number; readonly background: number};

export const plainWords: Words = {foreground: 0, background: 0};

/** The words after the numbers of a `CSI m`. The style of an underline beyond a single one is not among them. */
export function wordsAfter(words: Words, numbers: string): Words {
  let {foreground, background} = words;
  const given =
    numbers === ''
      ? [0]
      : numbers
          .split(';')
          .map((part) => Number(part.split(':')[0] === '' ? 0 : part.split(':')[0]));
  for (let at = 0; at < given.length; at++) {
    const code = given[at] ?? 0;
    const flag = flags.get(code);
    if (code === 0) [foreground, background] = [0, 0];
    else if (flag !== undefined)
      [foreground, background] = [
        (foreground & ~flag.off.foreground) | flag.on.foreground,
        (background & ~flag.off.background) | flag.on.background,
      ];
    else if (code === 38 || code === 48) {
      const {colour, used} = colourOf(given.slice(at + 1));
      if (colour !== undefined && code === 38) foreground = (foreground & ~colourBits) | colour;
      if (colour !== undefined && code === 48) background = (background & ~colourBits) | colour;
      at += used;
    } else if (isColour(code, 30)) foreground = (foreground & ~colourBits) | ofSixteen(code, 30);
    else if (isColour(code, 40)) background = (background & ~colourBits) | ofSixteen(code, 40);
  }

  return {foreground: foreground >>> 0, background: background >>> 0};
}

const colourBits = 0x3ff_ffff;
const none: Words = plainWords;
const of = (foreground: number, background = 0): Words => ({foreground, background});
const [inverse, bold, underlined, blink, invisible, strike] = [
  0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000, 0x8000_0000,
];
const [italic, dim, overline] = [0x400_0000, 0x800_0000, 0x4000_0000];

const flags: ReadonlyMap<number, {readonly on: Words; readonly off: Words}> = new Map([
  [1, {on: of(bold), off: none}],
  [2, {on: of(0, dim), off: none}],
  [3, {on: of(0, italic), off: none}],
  [4, {on: of(underlined), off: none}],
  [5, {on: of(blink), off: none}],
  [7, {on: of(inverse), off: none}],
  [8, {on: of(invisible), off: none}],
  [9, {on: of(strike), off: none}],
  [22, {on: none, off: of(bold, dim)}],
  [23, {on: none, off: of(0, italic)}],
  [24, {on: none, off: of(underlined)}],
  [25, {on: none, off: of(blink)}],
  [27, {on: none, off: of(inverse)}],
  [28, {on: none, off: of(invisible)}],
  [29, {on: none, off: of(strike)}],
  [39, {on: none, off: of(colourBits)}],
  [49, {on: none, off: of(0, colourBits)}],
  [53, {on: of(0, overline), off: none}],
  [55, {on: none, off: of(0, overline)}],
]);

function isColour(code: number, base: number): boolean {
  return (code >= base && code < base + 8) || (code >= base + 60 && code < base + 68);
}

function ofSixteen(code: number, base: number): number {
  return (1 << 24) | (code < base + 8 ? code - base : code - base - 52);
}

/** What follows 38 or 48: one of 256, or red, green and blue. */
function colourOf([kind, ...rest]: readonly number[]): {
  readonly colour?: number;
  readonly used: number;
} {
  if (kind === 5) return {colour: (2 << 24) | ((rest[0] ?? 0) & 0xff), used: 2};
  if (kind !== 2) return {used: 1};
  const [red = 0, green = 0, blue = 0] = rest.map((part) => part & 0xff);
  return {colour: (3 << 24) | (red << 16) | (green << 8) | blue, used: 4};
}

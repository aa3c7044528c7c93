import type {ColourDepth} from './colour-depth.ts';
import {colourBits} from './frame.ts';

/** The same for many words: a screen has few colours, and finding the nearest takes longer than writing it. */
export function createReducer(depth: ColourDepth): (word: number) => number {
  const known = new Map<number, number>();
  return (word) => {
    const reduced = known.get(word);
    if (reduced !== undefined) return reduced;
    if (known.size >= mostKnown) known.clear();
    const found = reduceColour(word, depth);
    known.set(word, found);
    return found;
  };
}

const mostKnown = 4096;

/** A word of foreground or background in which the colour is one that the terminal can show. Everything else in the word stays. */
export function reduceColour(word: number, depth: ColourDepth): number {
  const kind = (word >> 24) & 3;
  if (kind === 0 || depth === 'full') return word;
  if (depth === 'none') return (word & ~colourBits) >>> 0;
  if (kind === 1 || (kind === 2 && depth === '256')) return word;
  const value = word & 0xff_ffff;
  const [newKind, colour] =
    depth === '256'
      ? [2, nearestOf256(value)]
      : [1, nearestOf16(kind === 2 ? rgbOf(value) : value)];
  return ((word & ~colourBits) | (newKind << 24) | colour) >>> 0;
}

/** Of the cube of 6×6×6 and the 24 greys, as xterm has them. */
function nearestOf256(rgb: number): number {
  const [red, green, blue] = partsOf(rgb);
  const steps = [red, green, blue].map((part) =>
    part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40),
  );
  const [r = 0, g = 0, b = 0] = steps;
  const inCube = 16 + 36 * r + 6 * g + b;
  const grey = Math.min(23, Math.max(0, Math.round(((red + green + blue) / 3 - 8) / 10)));
  return distance(rgb, rgbOf(232 + grey)) < distance(rgb, rgbOf(inCube)) ? 232 + grey : inCube;
}

function nearestOf16(rgb: number): number {
  let nearest = 0;
  for (let candidate = 1; candidate < basic.length; candidate++) {
    if (distance(rgb, basic[candidate] ?? 0) < distance(rgb, basic[nearest] ?? 0))
      nearest = candidate;
  }

  return nearest;
}

function rgbOf(colour: number): number {
  if (colour < 16) return basic[colour] ?? 0;
  if (colour >= 232) return (8 + (colour - 232) * 10) * 0x1_0101;
  const index = colour - 16;
  const [red, green, blue] = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(
    (step) => (step === 0 ? 0 : 55 + step * 40),
  );
  return ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0);
}

function distance(one: number, other: number): number {
  const [r1, g1, b1] = partsOf(one);
  const [r2, g2, b2] = partsOf(other);
  return (r1 - r2) ** 2 + (g1 - g2) ** 2 + (b1 - b2) ** 2;
}

function partsOf(rgb: number): readonly [number, number, number] {
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}

/** As xterm has them. */
const basic = [
  0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5, 0x7f_7f7f,
  0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

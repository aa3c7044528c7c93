import {colourBits} from './frame.ts';

/** `reduceColour` with a cache: a screen has few colours, and finding the nearest one is slow. */
export function createColourReducer(depth: ColourDepth): (unit: number) => number {
  const known = new Map<number, number>();
  return (unit) => {
    const reduced = known.get(unit);
    if (reduced !== undefined) return reduced;
    if (known.size >= maxCached) known.clear();
    const found = reduceColour(unit, depth);
    known.set(unit, found);
    return found;
  };
}

const maxCached = 4096;

/**
 * The foreground or background unit of a cell, with its colour replaced by the nearest that the
 * terminal can show.
 */
export function reduceColour(unit: number, depth: ColourDepth): number {
  const kind = (unit >> 24) & 3;
  if (kind === 0 || depth === 'full') return unit;
  if (depth === 'none') return (unit & ~colourBits) >>> 0;
  if (kind === 1 || (kind === 2 && depth === '256')) return unit;
  const value = unit & 0xff_ffff;
  const [newKind, colour] =
    depth === '256'
      ? [2, nearestOf256(value)]
      : [1, nearestOf16(kind === 2 ? toRgb(value) : value)];
  return ((unit & ~colourBits) | (newKind << 24) | colour) >>> 0;
}

/** Not 0 in a unit that has a colour. */
export const colourKindBits = 0x300_0000;

/** The bits of a unit for `#rrggbb` or `ansi256(n)`; 0, the default colour, for anything else. */
export function toColourUnit(colour: string | undefined): number {
  const [, hex, number] = /^(?:#([\da-f]{6})|ansi256\((\d{1,3})\))$/i.exec(colour ?? '') ?? [];
  if (hex !== undefined) return (3 << 24) | Number.parseInt(hex, 16);
  return number === undefined ? 0 : (2 << 24) | Number(number);
}

/** The nearest colour of the 6×6×6 cube and the 24 greys of xterm. */
function nearestOf256(rgb: number): number {
  const [red, green, blue] = rgbParts(rgb);
  const inCube = 16 + 36 * cubeStep(red) + 6 * cubeStep(green) + cubeStep(blue);
  const grey = Math.min(23, Math.max(0, Math.round(((red + green + blue) / 3 - 8) / 10)));
  return distance(rgb, toRgb(232 + grey)) < distance(rgb, toRgb(inCube)) ? 232 + grey : inCube;
}

/** The steps of the cube are 0, 95, 135, 175, 215 and 255. */
function cubeStep(part: number): number {
  if (part < 48) return 0;
  return part < 115 ? 1 : Math.floor((part - 35) / 40);
}

function nearestOf16(rgb: number): number {
  let nearest = 0;
  for (let candidate = 1; candidate < basicColours.length; candidate++) {
    if (distance(rgb, basicColours[candidate] ?? 0) < distance(rgb, basicColours[nearest] ?? 0))
      nearest = candidate;
  }

  return nearest;
}

function toRgb(colour: number): number {
  if (colour < 16) return basicColours[colour] ?? 0;
  if (colour >= 232) return (8 + (colour - 232) * 10) * 0x1_0101;
  const index = colour - 16;
  const [red, green, blue] = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(
    (step) => (step === 0 ? 0 : 55 + step * 40),
  );
  return ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0);
}

function distance(one: number, other: number): number {
  const [r1, g1, b1] = rgbParts(one);
  const [r2, g2, b2] = rgbParts(other);
  return (r1 - r2) ** 2 + (g1 - g2) ** 2 + (b1 - b2) ** 2;
}

function rgbParts(rgb: number): readonly [number, number, number] {
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}

/** The sixteen colours of xterm. */
const basicColours = [
  0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5, 0x7f_7f7f,
  0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

/** How many colours the terminal can show. `none`: it has none, or the person wants none. */
export type ColourDepth = 'full' | '256' | '16' | 'none';

/**
 * Reads the colour depth from the environment. As no-color.org asks, any non-empty NO_COLOR counts.
 */
export function detectColourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  const term = env['TERM'] ?? '';
  if (
    (env['NO_COLOR'] ?? '') !== '' ||
    term === 'dumb' ||
    term === '' ||
    term.endsWith('-m') ||
    term.startsWith('vt')
  )
    return 'none';
  if (
    /^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '') ||
    /-direct$|^(?:xterm-)?(?:kitty|ghostty|alacritty|foot|wezterm)/.test(term)
  )
    return 'full';
  return term.includes('256') ? '256' : '16';
}

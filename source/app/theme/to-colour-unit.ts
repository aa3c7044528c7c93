import {ansiNames} from './to-sgr.ts';

/** A colour of a theme as the bits of a cell; 0 is the terminal's own. */
export function toColourUnit(colour: string | undefined): number {
  if (colour === undefined) return 0;
  if (colour.startsWith('#')) return (3 << 24) | Number.parseInt(colour.slice(1), 16);
  const number = /^ansi256\((\d{1,3})\)$/.exec(colour)?.[1];
  if (number !== undefined) return (2 << 24) | Number(number);
  const index = ansiNames.indexOf(colour);
  return index === -1 ? 0 : (1 << 24) | index;
}

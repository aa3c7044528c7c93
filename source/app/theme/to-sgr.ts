import type {TextStyle} from './tokens.ts';

/** The parameters of `CSI … m` for a style, such as `1;38;5;147`; empty if it has none. */
export function toSgr({color, backgroundColor, bold, underline, inverse}: TextStyle): string {
  return [
    bold === true ? '1' : '',
    underline === true ? '4' : '',
    inverse === true ? '7' : '',
    color === undefined ? '' : toColourSgr(color, 30),
    backgroundColor === undefined ? '' : toColourSgr(backgroundColor, 40),
  ]
    .filter((part) => part !== '')
    .join(';');
}

/** `first`: 30 for text, 40 for its background. */
function toColourSgr(colour: string, first: 30 | 40): string {
  const number = /^ansi256\((\d{1,3})\)$/.exec(colour)?.[1];
  if (number !== undefined) return `${first + 8};5;${number}`;
  if (colour.startsWith('#')) {
    const value = Number.parseInt(colour.slice(1), 16);
    return `${first + 8};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
  }

  const index = ansiNames.indexOf(colour);
  return index === -1 ? '' : String(first + index);
}

/** Without the bright ones: no theme uses them. */
const ansiNames: readonly string[] = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
];

/** A colour of a theme as the bits of a cell; 0 is the terminal's own. */
export function toColourUnit(colour: string | undefined): number {
  if (colour === undefined) return 0;
  if (colour.startsWith('#')) return (3 << 24) | Number.parseInt(colour.slice(1), 16);
  const number = /^ansi256\((\d{1,3})\)$/.exec(colour)?.[1];
  if (number !== undefined) return (2 << 24) | Number(number);
  const index = ansiNames.indexOf(colour);
  return index === -1 ? 0 : (1 << 24) | index;
}

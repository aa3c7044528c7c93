import {isPrivateModeSet} from './modes.ts';
import type {TrackedState} from './tracked-state.ts';

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

export type Theme = {readonly foreground: Rgb; readonly background: Rgb};

/** Where the cursor stands, counted from 0. After the last column is filled it waits there, and the next character wraps. */
export type Cursor = {
  readonly row: number;
  readonly column: number;
  readonly isWrapPending: boolean;
};

const lightOnDark: Theme = {foreground: [208, 208, 208], background: [16, 16, 16]};

/**
 * The answer to a query in a control sequence. It is made of constants and of numbers that we counted; nothing that a program
 * sent comes back to it as input (CVE-2003-0063, CVE-2008-2383). Deliberately unanswered: titles, window sizes, ENQ, and modes
 * that we do not know.
 */
export function replyToSequence(
  name: string,
  numbers: string,
  state: TrackedState,
  cursor: (() => Cursor) | undefined,
): string | undefined {
  switch (`${numbers}${name}`) {
    case 'c':
    case '0c':
      return '\u001B[?62;22c';
    case '>c':
    case '0>c':
      return '\u001B[>0;276;0c';
    case '>q':
    case '0>q':
      return '\u001BP>|orchestra\u001B\\';
    case '5n':
      return '\u001B[0n';
    case '6n':
      return cursor && `\u001B[${placeOf(cursor())}R`;
    case '6?n':
      return cursor && `\u001B[?${placeOf(cursor())}R`;
    case '4$p':
      return `\u001B[4;${settingOf(state.modes.insert)}$y`;
    default:
      return name === '?$p' ? replyToMode(numbers, state) : undefined;
  }
}

/** The answer to a query in a string. */
export function replyToString(
  introducer: string,
  payload: string,
  theme: Theme = lightOnDark,
): string | undefined {
  // DECRQSS asks for a setting; that it is not known is always a valid answer.
  if (introducer === 'P' && payload.startsWith('$q')) return '\u001BP0$r\u001B\\';
  if (introducer !== ']') return undefined;
  switch (payload) {
    case '10;?':
      return `\u001B]10;${colourOf(theme.foreground)}\u001B\\`;
    case '11;?':
      return `\u001B]11;${colourOf(theme.background)}\u001B\\`;
    case '7501;?':
      return '\u001B]7501;?\u001B\\';
    default:
      return undefined;
  }
}

function replyToMode(number: string, {modes}: TrackedState): string | undefined {
  const isSet = isPrivateModeSet(modes, number);
  return isSet === undefined ? undefined : `\u001B[?${number};${settingOf(isSet)}$y`;
}

function settingOf(isSet: boolean): number {
  return isSet ? 1 : 2;
}

function placeOf({row, column}: Cursor): string {
  return `${row + 1};${column + 1}`;
}

function colourOf(rgb: Rgb): string {
  return `rgb:${rgb.map((part) => part.toString(16).padStart(2, '0').repeat(2)).join('/')}`;
}

import {isPrivateModeSet} from './modes.ts';
import type {TrackedState} from './tracked-state.ts';

/**
 * Whether the bytes may contain a query that `replyToSequence` or `replyToString` answers. A cheap
 * check; the answer parses properly.
 */
export function asksTerminal(bytes: Uint8Array): boolean {
  return isSomewhere(bytes, (at) => mayAsk(bytes, at) && query.test(textAt(bytes, at)));
}

/** Whether the bytes may contain a status report (OSC 7501). */
export function isStatusReport(bytes: Uint8Array): boolean {
  return isSomewhere(
    bytes,
    (at) => bytes[at + 1] === bracket && textAt(bytes, at).startsWith('\u001B]7501;'),
  );
}

const query = /^\u001B(?:\[(?:[>=]?\d*c|\??[56]n|>\d*q|\??\d+\$p)|\](?:1[01]|7501);\?|P\$q)/;
const [escapeByte, openBracket, bracket, deviceControl] = [0x1b, 0x5b, 0x5d, 0x50];
const finals = new Set(Array.from('cnqp', (final) => final.charCodeAt(0)));
/** Longer than any query. */
const maxLength = 32;

function isSomewhere(bytes: Uint8Array, isThere: (at: number) => boolean): boolean {
  for (let at = bytes.indexOf(escapeByte); at !== -1; at = bytes.indexOf(escapeByte, at + 1))
    if (isThere(at)) return true;
  return false;
}

/** Most sequences set a colour or move the cursor, which their last character shows. */
function mayAsk(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== openBracket)
    return bytes[at + 1] === bracket || bytes[at + 1] === deviceControl;
  let end = at + 2;
  while (end < at + maxLength && (bytes[end] ?? 0) >= 0x20 && (bytes[end] ?? 0) < 0x40) end++;
  return finals.has(bytes[end] ?? 0);
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + maxLength));
}

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

export type ThemeColours = {readonly foreground: Rgb; readonly background: Rgb};

/**
 * The cursor position, counted from 0. After the last column was filled the cursor waits there, and
 * the next character wraps.
 */
export type Cursor = {
  readonly row: number;
  readonly column: number;
  readonly isWrapPending: boolean;
};

const lightOnDark: ThemeColours = {foreground: [208, 208, 208], background: [16, 16, 16]};

/**
 * The reply to a query in a control sequence. It consists of constants and of our own numbers;
 * nothing that a program sent comes back as input (CVE-2003-0063, CVE-2008-2383). Deliberately
 * unanswered: titles, window sizes, ENQ, and unknown modes.
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
      return cursor && `\u001B[${formatPlace(cursor())}R`;
    case '6?n':
      return cursor && `\u001B[?${formatPlace(cursor())}R`;
    case '4$p':
      return `\u001B[4;${toSetting(state.modes.insert)}$y`;
    default:
      return name === '?$p' ? replyToMode(numbers, state) : undefined;
  }
}

/** The reply to a query in a string. */
export function replyToString(
  introducer: string,
  payload: string,
  theme: ThemeColours = lightOnDark,
): string | undefined {
  // DECRQSS asks for a setting; "unknown" is always a valid answer.
  if (introducer === 'P' && payload.startsWith('$q')) return '\u001BP0$r\u001B\\';
  if (introducer !== ']') return undefined;
  switch (payload) {
    case '10;?':
      return `\u001B]10;${formatColour(theme.foreground)}\u001B\\`;
    case '11;?':
      return `\u001B]11;${formatColour(theme.background)}\u001B\\`;
    case '7501;?':
      return '\u001B]7501;?\u001B\\';
    default:
      return undefined;
  }
}

function replyToMode(number: string, {modes}: TrackedState): string | undefined {
  const isSet = isPrivateModeSet(modes, number);
  return isSet === undefined ? undefined : `\u001B[?${number};${toSetting(isSet)}$y`;
}

function toSetting(isSet: boolean): number {
  return isSet ? 1 : 2;
}

function formatPlace({row, column}: Cursor): string {
  return `${row + 1};${column + 1}`;
}

function formatColour(rgb: Rgb): string {
  return `rgb:${rgb.map((part) => part.toString(16).padStart(2, '0').repeat(2)).join('/')}`;
}

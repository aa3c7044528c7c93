import type {Key, Token} from './key.ts';
import {controlKey, namedKey, plainKey, withModifiers} from './plain-key.ts';
import {readMouse} from './read-mouse.ts';

/** A whole control sequence that the terminal sent. */
export function readControlSequence(bytes: Uint8Array): Token {
  const text = String.fromCharCode(...bytes.subarray(2));
  const final = text.at(-1) ?? '';
  const parameters = text.slice(0, -1);
  if (parameters.startsWith('<')) return readMouse(parameters.slice(1), final, bytes);
  if (parameters.startsWith('?'))
    return {type: 'answer', about: final === 'u' ? 'keyboard' : 'other', bytes};
  if (text === 'I' || text === 'O') return {type: 'focus', isFocused: text === 'I', bytes};
  const [first = [], second = []] = parameters
    .split(';')
    .map((part) => part.split(':').map(Number));
  // The third kind of event is that a key was let go.
  if (second[1] === 3) return {type: 'answer', about: 'other', bytes};
  const key = keyOf(final, first[0] ?? 0, parameters);
  if (key === undefined) return {type: 'unknown', bytes};
  return {
    type: 'key',
    key: withModifiers(key, modifiersIn(parameters, second[0])),
    bytes,
    isModern: final === 'u' || isOtherKey(final, first[0]),
  };
}

function keyOf(final: string, number: number, parameters: string): Key | undefined {
  if (final === 'u') return modernKey(number);
  if (isOtherKey(final, number)) return modernKey(Number(parameters.split(';')[2]));
  if (final === 'Z') return {...namedKey('tab'), shift: true};
  const name = final === '~' ? byNumber[number] : byLetter[final];
  return name === undefined ? undefined : namedKey(name);
}

/** The key of a code point. Enter, Tab and the like have the numbers of their control characters. */
function modernKey(codePoint: number): Key | undefined {
  if (!Number.isInteger(codePoint) || codePoint <= 0 || codePoint > 0x10_ffff) return undefined;
  if (codePoint < 0x20 || codePoint === 0x7f) return controlKey(codePoint);
  // From here on are keys without a character: the keypad, media keys, modifiers by themselves.
  return codePoint >= 0xe000 && codePoint < 0xf900
    ? undefined
    : plainKey(String.fromCodePoint(codePoint));
}

/** xterm's modifyOtherKeys: `CSI 27 ; modifiers ; code point ~`. */
function isOtherKey(final: string, number: number | undefined): boolean {
  return final === '~' && number === 27;
}

/** Second where there are two, and where rxvt puts a letter there is none. */
function modifiersIn(parameters: string, second: number | undefined): number {
  return parameters.includes(';') && second !== undefined && Number.isInteger(second) ? second : 1;
}

const byLetter: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

const byNumber: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

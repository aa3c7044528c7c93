import {namedKey} from './plain-key.ts';
import type {Token} from './key.ts';

/** `ESC O` and a character: arrows where the program asked for application keys, the first function keys, the keypad. */
export function readSingleShift(bytes: Uint8Array): Token {
  const name = names[String.fromCharCode(bytes[2] ?? 0)];
  return name === undefined
    ? {type: 'unknown', bytes}
    : {type: 'key', key: namedKey(name), bytes, isModern: false};
}

const names: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

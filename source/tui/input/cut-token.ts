import type {Token} from './key.ts';
import {controlKey, plainKey, withAlt} from './plain-key.ts';
import {readControlSequence} from './read-control-sequence.ts';
import {readSingleShift} from './read-single-shift.ts';

/** The first thing in the bytes; nothing if more must come to tell what it is. */
export function cutToken(bytes: Uint8Array): Token | undefined {
  const [first] = bytes;
  if (first === undefined) return undefined;
  if (first === escape) return cutEscape(bytes);
  if (first < 0x20 || first === 0x7f)
    return {type: 'key', key: controlKey(first), bytes: bytes.slice(0, 1), isModern: false};
  return cutCharacter(bytes);
}

/** What the bytes begin with if nothing more comes. They are not empty, and begin in a way that `cutToken` waits for more of. */
export function tokenAtEnd(bytes: Uint8Array): Token {
  const [first, second] = bytes;
  if (first !== escape) return {type: 'unknown', bytes: bytes.slice()};
  if (startsWith(bytes, pasteStart))
    return {type: 'paste', text: decode(bytes.subarray(pasteStart.length)), bytes: bytes.slice()};
  // Alt+[, Alt+O and the like look as sequences begin.
  if (bytes.length === 2 && second !== undefined)
    return {
      type: 'key',
      key: withAlt(plainKey(String.fromCharCode(second))),
      bytes: bytes.slice(),
      isModern: false,
    };
  if (bytes.length > 2) return {type: 'unknown', bytes: bytes.slice()};
  return {type: 'key', key: controlKey(escape), bytes: bytes.slice(0, 1), isModern: false};
}

const escape = 0x1b;
const pasteStart = new TextEncoder().encode('\u001B[200~');
const pasteEnd = new TextEncoder().encode('\u001B[201~');
const longestSequence = 4096;

function cutEscape(bytes: Uint8Array): Token | undefined {
  const second = bytes[1];
  switch (second) {
    case undefined:
      return undefined;
    case 0x5b:
      return startsWith(bytes, pasteStart) ? cutPaste(bytes) : cutControlSequence(bytes);
    case 0x4f:
      return bytes.length < 3 ? undefined : readSingleShift(bytes.slice(0, 3));
    case 0x5d:
    case 0x50:
    case 0x5f:
      return cutString(bytes);
    case escape:
      return {type: 'key', key: controlKey(escape), bytes: bytes.slice(0, 1), isModern: false};
    default: {
      const inner = cutToken(bytes.subarray(1));
      if (inner?.type !== 'key')
        return inner === undefined
          ? undefined
          : {type: 'unknown', bytes: bytes.slice(0, inner.bytes.length + 1)};
      return {...inner, key: withAlt(inner.key), bytes: bytes.slice(0, inner.bytes.length + 1)};
    }
  }
}

function cutControlSequence(bytes: Uint8Array): Token | undefined {
  for (let index = 2; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x40 && byte <= 0x7e) {
      // The oldest form of a click: three bytes follow. We never ask for it.
      const length = byte === 0x4d && index === 2 ? 6 : index + 1;
      return bytes.length < length ? undefined : readControlSequence(bytes.slice(0, length));
    }

    if (byte < 0x20 || byte > 0x3f) return {type: 'unknown', bytes: bytes.slice(0, index)};
  }

  return bytes.length > longestSequence ? {type: 'unknown', bytes: bytes.slice()} : undefined;
}

function cutPaste(bytes: Uint8Array): Token | undefined {
  const end = indexOf(bytes, pasteEnd, pasteStart.length);
  if (end === -1) return undefined;
  return {
    type: 'paste',
    text: decode(bytes.subarray(pasteStart.length, end)),
    bytes: bytes.slice(0, end + pasteEnd.length),
  };
}

/** OSC, DCS and APC come from terminals as answers, up to ST or BEL. */
function cutString(bytes: Uint8Array): Token | undefined {
  for (let index = 2; index < bytes.length; index++) {
    const length =
      bytes[index] === 0x07
        ? index + 1
        : bytes[index] === escape && bytes[index + 1] === 0x5c
          ? index + 2
          : 0;
    if (length > 0) return {type: 'answer', about: 'other', bytes: bytes.slice(0, length)};
  }

  return bytes.length > longestSequence ? {type: 'unknown', bytes: bytes.slice()} : undefined;
}

function cutCharacter(bytes: Uint8Array): Token | undefined {
  const [first = 0] = bytes;
  // Most keys by far; a decoder takes some 40 µs, a third of all that is done with a key before it is sent.
  if (first < 0x80)
    return {
      type: 'key',
      key: plainKey(String.fromCharCode(first)),
      bytes: bytes.slice(0, 1),
      isModern: false,
    };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (bytes.length < length) return undefined;
  const raw = bytes.slice(0, length);
  const text = decode(raw);
  // Bytes that are no UTF-8 go on to a program as they are, one by one.
  if (text.includes('\uFFFD')) return {type: 'unknown', bytes: bytes.slice(0, 1)};
  return {type: 'key', key: plainKey(text), bytes: raw, isModern: false};
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (
    let at = bytes.indexOf(wanted[0] ?? 0, from);
    at !== -1;
    at = bytes.indexOf(wanted[0] ?? 0, at + 1)
  ) {
    if (startsWith(bytes.subarray(at), wanted)) return at;
  }

  return -1;
}

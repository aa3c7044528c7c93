import {
  createLongReply,
  isClipboardReply,
  joinBytes,
  parseClipboardReply,
} from './clipboard-reply.ts';
import {controlKey, plainKey, type Token, withAlt} from './key.ts';
import {parseControlSequence, parseSingleShift} from './parse-sequence.ts';
import type {After} from '../app-contract.ts';
import {parseColourAnswer} from '../theme/terminal-colours.ts';

/** The first token of the bytes; undefined if more bytes are needed. */
export function takeToken(bytes: Uint8Array): Token | undefined {
  const [first] = bytes;
  if (first === undefined) return undefined;
  if (first === escape) return takeEscape(bytes);
  if (first < 0x20 || first === 0x7f)
    return {type: 'key', key: controlKey(first), bytes: bytes.slice(0, 1), isModern: false};
  return takeCharacter(bytes);
}

/** The first token if no more bytes come. Called only for bytes for which `takeToken` waits. */
export function tokenAtEnd(bytes: Uint8Array): Token {
  const [first, second] = bytes;
  if (first !== escape) return {type: 'unknown', bytes: bytes.slice()};
  if (startsWith(bytes, pasteStart))
    return {type: 'paste', text: decode(bytes.subarray(pasteStart.length)), bytes: bytes.slice()};
  // The keyboard sends no such beginning: it is a reply whose end was lost.
  if (isReply(bytes)) return {type: 'answer', about: 'other', bytes: bytes.slice()};
  // Alt+[, Alt+O and some others are also the beginning of a sequence.
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
const maxSequenceLength = 4096;

function takeEscape(bytes: Uint8Array): Token | undefined {
  const second = bytes[1];
  switch (second) {
    case undefined:
      return undefined;
    case 0x5b:
      return startsWith(bytes, pasteStart) ? takePaste(bytes) : takeControlSequence(bytes);
    case 0x4f:
      return bytes.length < 3 ? undefined : parseSingleShift(bytes.slice(0, 3));
    case 0x5d:
    case 0x50:
    case 0x5f:
      return takeString(bytes);
    case escape:
      return {type: 'key', key: controlKey(escape), bytes: bytes.slice(0, 1), isModern: false};
    default: {
      const inner = takeToken(bytes.subarray(1));
      if (inner?.type !== 'key')
        return inner === undefined
          ? undefined
          : {type: 'unknown', bytes: bytes.slice(0, inner.bytes.length + 1)};
      return {...inner, key: withAlt(inner.key), bytes: bytes.slice(0, inner.bytes.length + 1)};
    }
  }
}

function takeControlSequence(bytes: Uint8Array): Token | undefined {
  for (let index = 2; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x40 && byte <= 0x7e) {
      // X10 mouse report: three bytes follow. We never enable it.
      const length = byte === 0x4d && index === 2 ? 6 : index + 1;
      return bytes.length < length ? undefined : parseControlSequence(bytes.slice(0, length));
    }

    if (byte < 0x20 || byte > 0x3f) return {type: 'unknown', bytes: bytes.slice(0, index)};
  }

  return bytes.length > maxSequenceLength ? {type: 'unknown', bytes: bytes.slice()} : undefined;
}

function takePaste(bytes: Uint8Array): Token | undefined {
  const end = indexOfBytes(bytes, pasteEnd, pasteStart.length);
  if (end === -1) return undefined;
  return {
    type: 'paste',
    text: decode(bytes.subarray(pasteStart.length, end)),
    bytes: bytes.slice(0, end + pasteEnd.length),
  };
}

/**
 * OSC, DCS and APC replies of the terminal, up to ST or BEL. Another escape sequence ends them too:
 * the end was lost, and what follows may be keys.
 */
function takeString(bytes: Uint8Array): Token | undefined {
  for (let index = 2; index < bytes.length; index++) {
    if (bytes[index] === 0x07) return toReply(bytes, index, 1);
    if (bytes[index] !== escape) continue;
    if (index + 1 === bytes.length) return undefined;
    return toReply(bytes, index, bytes[index + 1] === 0x5c ? 2 : 0);
  }

  return bytes.length > maxSequenceLength && !isClipboardReply(bytes)
    ? {type: 'unknown', bytes: bytes.slice()}
    : undefined;
}

/** `end`: where its text ends; `length`: the bytes of the terminator. */
function toReply(bytes: Uint8Array, end: number, length: number): Token {
  const own = bytes.slice(0, end + length);
  const text = bytes[1] === 0x5d ? decodeLatin(bytes.subarray(2, end)) : '';
  const reply = isClipboardReply(bytes) ? parseClipboardReply(text) : undefined;
  if (reply !== undefined) return {type: 'answer', about: 'clipboard', reply, bytes: own};
  const colour = parseColourAnswer(text);
  return colour === undefined
    ? {type: 'answer', about: 'other', bytes: own}
    : {type: 'answer', about: 'colour', colour, bytes: own};
}

/** `ESC ]`, `ESC P` or `ESC _` and more, or `CSI ?`: no key begins like that. */
function isReply(bytes: Uint8Array): boolean {
  const [first, second, third] = bytes;
  if (first !== escape || third === undefined) return false;
  return (
    second === 0x5d || second === 0x50 || second === 0x5f || (second === 0x5b && third === 0x3f)
  );
}

function takeCharacter(bytes: Uint8Array): Token | undefined {
  const [first = 0] = bytes;
  // The common case. A TextDecoder takes some 40 µs, a third of the time between a key and its
  // delivery.
  if (first < 0x80)
    return {
      type: 'key',
      key: plainKey(String.fromCharCode(first)),
      bytes: bytes.slice(0, 1),
      isModern: false,
    };
  const length = sequenceLength(first);
  if (bytes.length < length) return undefined;
  const raw = bytes.slice(0, length);
  const text = decode(raw);
  // Invalid UTF-8 is passed on to the program unchanged, byte by byte.
  if (text.includes('\uFFFD')) return {type: 'unknown', bytes: bytes.slice(0, 1)};
  return {type: 'key', key: plainKey(text), bytes: raw, isModern: false};
}

/** Bytes of the UTF-8 sequence that begins with this byte. */
function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function decodeLatin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}

function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (
    let at = bytes.indexOf(wanted[0] ?? 0, from);
    at !== -1;
    at = bytes.indexOf(wanted[0] ?? 0, at + 1)
  ) {
    if (startsWith(bytes.subarray(at), wanted)) return at;
  }

  return -1;
}

export type InputReader = {
  readonly read: (bytes: Uint8Array) => void;
  readonly close: () => void;
};

export type InputReaderOptions = {
  readonly onTokens: (tokens: readonly Token[]) => void;
  readonly after: After;
  /**
   * How long an Escape waits for the rest of a sequence before it counts as the key. @default 25
   */
  readonly escapeMs?: number;
  /**
   * Whether the terminal has not answered a query yet. Meanwhile an Escape waits longer: it may be
   * the beginning of the reply, whose rest would be taken for keys. @default never
   */
  readonly expectsReply?: () => boolean;
};

/**
 * Splits terminal input into keys, pastes, clicks and replies, across chunk borders. The tokens of
 * one chunk are delivered together.
 */
export function createInputReader({
  onTokens,
  after,
  escapeMs = 25,
  expectsReply = () => false,
}: InputReaderOptions): InputReader {
  let pending: Uint8Array = new Uint8Array(0);
  const longReply = createLongReply();
  let cancelTimeout = (): void => undefined;

  const takeTokens = (): void => {
    const tokens: Token[] = [];
    for (;;) {
      const token = takeToken(pending);
      if (token === undefined) break;
      tokens.push(token);
      pending = pending.subarray(token.bytes.length);
    }

    // After an Escape the next byte tells whether the reply ends there.
    const isCut = pending.at(-1) !== escape;
    if (isCut && pending.length > maxSequenceLength && isClipboardReply(pending)) {
      longReply.begin(pending);
      pending = new Uint8Array(0);
    }

    if (tokens.length > 0) onTokens(markBurst(tokens));
  };

  /** No more bytes came: an Escape is the key, and a paste without its end is complete. */
  const takeAll = (): void => {
    const tokens: Token[] = [];
    while (pending.length > 0) {
      const token = takeToken(pending) ?? tokenAtEnd(pending);
      tokens.push(token);
      pending = pending.subarray(token.bytes.length);
    }

    if (tokens.length > 0) onTokens(tokens);
  };

  const waitingMs = (): number => {
    if (isPasting(pending)) return pasteMs;
    if (isReply(pending)) return replyMs;
    return expectsReply() ? Math.max(escapeMs, replyEscapeMs) : escapeMs;
  };

  const take = (bytes: Uint8Array): void => {
    pending = pending.length === 0 ? Uint8Array.from(bytes) : joinBytes([pending, bytes]);
    takeTokens();
    if (longReply.isOpen()) cancelTimeout = after(longReplyMs, longReply.drop);
    else if (pending.length > 0) cancelTimeout = after(waitingMs(), takeAll);
  };

  return {
    read(bytes) {
      cancelTimeout();
      if (longReply.isOpen()) {
        const whole = longReply.add(bytes);
        // What never ends is dropped.
        if (whole === undefined) cancelTimeout = after(longReplyMs, longReply.drop);
        else take(whole);
        return;
      }

      take(bytes);
    },
    close() {
      cancelTimeout();
      longReply.drop();
      pending = new Uint8Array(0);
    },
  };
}

/**
 * Several keys in one chunk were pasted or typed ahead: the person has not seen the screen between
 * them.
 */
function markBurst(tokens: readonly Token[]): readonly Token[] {
  const keys = tokens.filter(({type}) => type === 'key').length;
  return keys < 2
    ? tokens
    : tokens.map((token) =>
        token.type === 'key' ? {...token, key: {...token.key, isBurst: true}} : token,
      );
}

const pasteMs = 1000;
/** A reply may arrive in pieces over a slow line. */
const replyMs = 1000;
const replyEscapeMs = 200;
/** A clipboard over a slow line. */
const longReplyMs = 5000;

function isPasting(bytes: Uint8Array): boolean {
  return (
    bytes.length > 5 &&
    bytes[0] === 0x1b &&
    bytes[1] === 0x5b &&
    bytes[2] === 0x32 &&
    bytes[3] === 0x30 &&
    bytes[4] === 0x30
  );
}

import type {After} from '../seam.ts';
import type {Token} from './key.ts';
import {cutToken, tokenAtEnd} from './cut-token.ts';

export type InputReader = {
  readonly read: (bytes: Uint8Array) => void;
  readonly close: () => void;
};

export type InputReaderOptions = {
  readonly heard: (tokens: readonly Token[]) => void;
  readonly after: After;
  /** How long to wait for what follows an Escape before it is the key. @default 25 */
  readonly escapeMs?: number;
};

/** Cuts what the person's terminal sends into keys, pastes, clicks and answers, wherever it is torn. What is read at once is heard at once. */
export function createInputReader({heard, after, escapeMs = 25}: InputReaderOptions): InputReader {
  let held: Uint8Array = new Uint8Array(0);
  let isHeldBack = (): void => undefined;

  const take = (): void => {
    const tokens: Token[] = [];
    for (;;) {
      const token = cutToken(held);
      if (token === undefined) break;
      tokens.push(token);
      held = held.subarray(token.bytes.length);
    }

    if (tokens.length > 0) heard(hurried(tokens));
  };

  /** Nothing followed: an Escape is an Escape, and a paste whose end is lost has ended. */
  const giveUp = (): void => {
    const tokens: Token[] = [];
    while (held.length > 0) {
      const token = cutToken(held) ?? tokenAtEnd(held);
      tokens.push(token);
      held = held.subarray(token.bytes.length);
    }

    if (tokens.length > 0) heard(tokens);
  };

  return {
    read(bytes) {
      isHeldBack();
      held = held.length === 0 ? bytes.slice() : joined(held, bytes);
      take();
      if (held.length > 0) isHeldBack = after(isPasting(held) ? pasteMs : escapeMs, giveUp);
    },
    close() {
      isHeldBack();
      held = new Uint8Array(0);
    },
  };
}

/** Several keys in one piece were not pressed one by one by somebody who looks at the screen. */
function hurried(tokens: readonly Token[]): readonly Token[] {
  const keys = tokens.filter(({type}) => type === 'key').length;
  return keys < 2
    ? tokens
    : tokens.map((token) =>
        token.type === 'key' ? {...token, key: {...token.key, isHurried: true}} : token,
      );
}

const pasteMs = 1000;

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

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

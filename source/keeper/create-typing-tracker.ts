import type {Buffer} from 'node:buffer';
import type {Typing} from '../protocol/index.ts';

/** Follows the keys of people: whether text stands in the program's input, and since when. */
export type TypingTracker = {
  readonly read: (bytes: Uint8Array | Buffer) => void;
  /** Empty if nothing was typed yet. */
  readonly status: () => {readonly typing?: Typing};
};

type Mode = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape';

const [enter, escape, interrupt, killLine, backspace, remove] = [13, 27, 3, 21, 8, 127] as const;

/**
 * Counts characters that were typed and not submitted. Escape sequences (arrow keys, answers of a
 * terminal) are no text. An estimate: a program may use a key otherwise, so the reader compares it
 * with the screen.
 */
export function createTypingTracker(now: () => number): TypingTracker {
  let mode: Mode = 'text';
  let sequence = '';
  let isPasting = false;
  let draft = 0;
  let at: number | undefined;
  let enteredAt: number | undefined;

  const readText = (byte: number): void => {
    if (byte === escape) {
      mode = 'escape';
      sequence = '';
      return;
    }

    // The following bytes of a character.
    if (byte >= 0x80 && byte < 0xc0) return;
    at = now();
    if (byte === enter && !isPasting) {
      if (draft > 0) enteredAt = at;
      draft = 0;
    } else if (byte === interrupt || byte === killLine) draft = 0;
    else if (byte === backspace || byte === remove) draft = Math.max(0, draft - 1);
    else if (byte >= 32 || byte === 10 || byte === enter) draft++;
  };

  const readEscaped = (byte: number): void => {
    const key = String.fromCodePoint(byte);
    if (mode === 'escape') {
      if (key === '[' || key === 'O') mode = 'sequence';
      else if (key === ']' || key === 'P' || key === '_' || key === '^') mode = 'string';
      else mode = 'text';
      // Alt-Enter adds a line.
      if (byte === enter) draft++;
    } else if (mode === 'sequence') {
      sequence = `${sequence}${key}`.slice(-8);
      if (byte < 0x40 || byte > 0x7e) return;
      if (sequence === '200~') isPasting = true;
      if (sequence === '201~') isPasting = false;
      mode = 'text';
    } else if (mode === 'string-escape') mode = key === '\\' ? 'text' : 'string';
    else if (byte === 7) mode = 'text';
    else if (byte === escape) mode = 'string-escape';
  };

  return {
    read: (bytes) => {
      for (const byte of bytes) {
        if (mode === 'text') readText(byte);
        else readEscaped(byte);
      }

      // Escape alone is a key.
      if (mode === 'escape') mode = 'text';
    },
    status: () =>
      at === undefined
        ? {}
        : {typing: {at, draft, ...(enteredAt === undefined ? {} : {enteredAt})}},
  };
}

import type {ClipboardReply} from './clipboard-reply.ts';
import type {ColourAnswer} from '../theme/terminal-colours.ts';

/** A key that types a character. */
export function plainKey(text: string): Key {
  return {...bare, name: text === ' ' ? 'space' : text, text};
}

/** The key of a control character. */
export function controlKey(code: number): Key {
  const name = controlNames[code];
  if (name !== undefined) return namedKey(name);
  if (code === 0) return {...bare, name: 'space', ctrl: true};
  // 1 to 26 are the letters, 28 to 31 the characters after Z.
  const character =
    code <= 26 ? String.fromCharCode(code + 0x60) : String.fromCharCode(code + 0x40);
  return {...bare, name: character, ctrl: true};
}

export function namedKey(name: string): Key {
  return {...bare, name};
}

/** With Alt, a key types no text. */
export function withAlt(key: Key): Key {
  return {...key, alt: true, text: ''};
}

/** Modifiers as in control sequences: 1 plus a bit for each. */
export function withModifiers(key: Key, number: number): Key {
  const bits = Math.max(0, number - 1);
  const isCommand = (bits & ~1) !== 0;
  return {
    ...key,
    shift: key.shift || (bits & 1) !== 0,
    alt: key.alt || (bits & 2) !== 0,
    ctrl: key.ctrl || (bits & 4) !== 0,
    text: isCommand ? '' : key.text,
  };
}

const bare: Key = {name: '', ctrl: false, alt: false, shift: false, text: ''};

const controlNames: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/** A key press. */
export type Key = {
  /**
   * The character of a key that types one (`a`, `G`, `?`), else `enter`, `escape`, `space`,
   * `page-up`, `f1` and so on.
   */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** Known only where it does not change the character: Shift+Tab, Shift+Enter, Shift+arrows. */
  readonly shift: boolean;
  /** The text that it types, or empty. */
  readonly text: string;
  /** Arrived in one chunk with other keys: pasted without brackets, or typed ahead. */
  readonly isBurst?: true;
};

/** A mouse report. Row and column count from 0. */
export type Mouse = {
  readonly action:
    'press' | 'release' | 'move' | 'wheel-up' | 'wheel-down' | 'wheel-left' | 'wheel-right';
  readonly button: 'left' | 'middle' | 'right' | 'none' | 'other';
  readonly row: number;
  readonly column: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** Button and modifiers as the terminal encodes them. */
  readonly code: number;
};

/** One unit of terminal input, with its bytes. */
export type Token =
  | {
      readonly type: 'key';
      readonly key: Key;
      readonly bytes: Uint8Array;
      /**
       * Encoded as `CSI u`, which a program that did not enable it does not understand.
       */
      readonly isModern: boolean;
    }
  /** The text, without the brackets around it. */
  | {readonly type: 'paste'; readonly text: string; readonly bytes: Uint8Array}
  | {readonly type: 'mouse'; readonly mouse: Mouse; readonly bytes: Uint8Array}
  | {readonly type: 'focus'; readonly isFocused: boolean; readonly bytes: Uint8Array}
  /**
   * A reply of the terminal to one of our queries. `attributes` is the reply to DA1, `scheme` says
   * that the system went dark or light.
   */
  | {
      readonly type: 'answer';
      readonly about: 'keyboard' | 'attributes' | 'scheme' | 'other';
      readonly bytes: Uint8Array;
    }
  | {
      readonly type: 'answer';
      readonly about: 'colour';
      readonly colour: ColourAnswer;
      readonly bytes: Uint8Array;
    }
  | {
      readonly type: 'answer';
      readonly about: 'clipboard';
      readonly reply: ClipboardReply;
      readonly bytes: Uint8Array;
    }
  /** A sequence unknown to us. A program in a pane may know it. */
  | {readonly type: 'unknown'; readonly bytes: Uint8Array};

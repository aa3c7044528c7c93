/** A key press. */
export type Key = {
  /** What it is called: the character for one that writes (`a`, `G`, `?`), else `enter`, `escape`, `space`, `page-up`, `f1` and so on. */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** Known only where it does not change the character: Shift+Tab, Shift+Enter, Shift+arrows. */
  readonly shift: boolean;
  /** What it writes; empty if it writes nothing. */
  readonly text: string;
  /** Came in one piece with other keys: pasted without brackets, or typed ahead of what was seen. */
  readonly isHurried?: true;
};

/** The pointer. Row and column count from 0. */
export type Mouse = {
  readonly action:
    'press' | 'release' | 'move' | 'wheel-up' | 'wheel-down' | 'wheel-left' | 'wheel-right';
  readonly button: 'left' | 'middle' | 'right' | 'none' | 'other';
  readonly row: number;
  readonly column: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** As the terminal numbers button and modifiers. */
  readonly code: number;
};

/** One thing that the person's terminal sent, with its bytes. */
export type Token =
  | {
      readonly type: 'key';
      readonly key: Key;
      readonly bytes: Uint8Array;
      /** Written as `CSI u`: a program that did not ask for that form does not know it. */ readonly isModern: boolean;
    }
  /** The text, without the brackets around it. */
  | {readonly type: 'paste'; readonly text: string; readonly bytes: Uint8Array}
  | {readonly type: 'mouse'; readonly mouse: Mouse; readonly bytes: Uint8Array}
  | {readonly type: 'focus'; readonly isFocused: boolean; readonly bytes: Uint8Array}
  /** An answer to something that we asked the terminal. */
  | {readonly type: 'answer'; readonly about: 'keyboard' | 'other'; readonly bytes: Uint8Array}
  /** A sequence that nobody knows; a program may. */
  | {readonly type: 'unknown'; readonly bytes: Uint8Array};

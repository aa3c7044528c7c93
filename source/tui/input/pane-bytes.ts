import type {Modes} from '../../terminal/index.ts';
import type {Rect} from '../render/rect.ts';
import type {Token} from './key.ts';
import {legacyBytes} from './legacy-bytes.ts';
import {mouseBytes} from './mouse-bytes.ts';

/** What of the person's input reaches the program in a pane: its bytes as they came, but nothing in a form that it did not ask for. */
export function paneBytes(token: Token, modes: Modes, rect: Rect): Uint8Array | undefined {
  switch (token.type) {
    case 'key':
      return token.isModern ? legacyBytes(token.key) : token.bytes;
    case 'paste':
      return modes.bracketedPaste ? token.bytes : new TextEncoder().encode(token.text);
    case 'mouse':
      return mouseBytes(token.mouse, modes, rect);
    case 'focus':
      return modes.focusReporting ? token.bytes : undefined;
    // It was ours to ask, and a program would take it for keys.
    case 'answer':
      return undefined;
    case 'unknown':
      return token.bytes;
  }
}

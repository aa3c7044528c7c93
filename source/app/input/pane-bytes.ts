import type {Key, Mouse, Token} from './key.ts';
import type {Modes} from '../../terminal/index.ts';
import {isInside, type Rect} from '../render/frame.ts';

/**
 * The legacy bytes of a key that the terminal sent as `CSI u`. Shift+Enter has no legacy form: it
 * becomes Escape and Enter, which agents take for a new line.
 */
export function legacyBytes({name, ctrl, alt, shift, text}: Key): Uint8Array | undefined {
  if (name === 'enter' && shift) return encode('\u001B\r');
  if (name === 'tab' && shift) return encode('\u001B[Z');
  const plain = ctrl
    ? toControlCharacter(name)
    : (controls[name] ?? toTypedText(name, shift, text));
  if (plain === undefined || plain === '') return undefined;
  return encode(alt ? `\u001B${plain}` : plain);
}

const controls: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  escape: '\u001B',
  backspace: '\u007F',
  space: ' ',
};

function toTypedText(name: string, shift: boolean, text: string): string {
  if (text !== '' || name.length > 2) return text;
  return shift ? name.toUpperCase() : name;
}

/** Ctrl with a key that has no control character is the key alone, as in terminals. */
function toControlCharacter(name: string): string | undefined {
  if (name === 'space' || name === '@' || name === '2') return '\0';
  if (name === 'backspace') return '\b';
  if (/^[a-z[\\\]^_]$/i.test(name))
    return String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f);
  if (name === '/') return '\u001F';
  return controls[name] ?? name;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * The bytes that the program in a pane gets for a token: unchanged, but never in a form that it did
 * not enable.
 */
export function paneBytes(token: Token, modes: Modes, rect: Rect): Uint8Array | undefined {
  switch (token.type) {
    case 'key':
      return token.isModern ? legacyBytes(token.key) : token.bytes;
    case 'paste':
      return modes.bracketedPaste ? token.bytes : encode(token.text);
    case 'mouse':
      return mouseBytes(token.mouse, modes, rect);
    case 'focus':
      return modes.focusReporting ? token.bytes : undefined;
    // Replies belong to our own queries; a program would take them for keys.
    case 'answer':
      return undefined;
    case 'unknown':
      return token.bytes;
  }
}

/**
 * The mouse report for the program in a pane; undefined if it did not enable reports of this kind.
 */
export function mouseBytes(
  mouse: Mouse,
  {mouseTracking, mouseEncoding}: Pick<Modes, 'mouseTracking' | 'mouseEncoding'>,
  rect: Rect,
): Uint8Array | undefined {
  if (mouseTracking === 'off' || !isInside(rect, mouse)) return undefined;
  if (
    mouse.action === 'move' &&
    (mouseTracking === 'click' || (mouseTracking === 'drag' && mouse.button === 'none'))
  )
    return undefined;
  const column = mouse.column - rect.column + 1;
  const row = mouse.row - rect.row + 1;
  const isRelease = mouse.action === 'release';
  // Only the SGR encoding tells which button was released.
  const code = isRelease && mouseEncoding !== 'sgr' ? mouse.code | 3 : mouse.code;
  switch (mouseEncoding) {
    case 'sgr':
      return encode(`\u001B[<${code};${column};${row}${isRelease ? 'm' : 'M'}`);
    case 'urxvt':
      return encode(`\u001B[${code + 32};${column};${row}M`);
    case 'utf8':
      return encode(`\u001B[M${String.fromCodePoint(code + 32, column + 32, row + 32)}`);
    case 'default':
      return Math.max(code, column, row) > 223
        ? undefined
        : Uint8Array.from([0x1b, 0x5b, 0x4d, code + 32, column + 32, row + 32]);
  }
}

import type {Key} from './key.ts';

/**
 * A key that the terminal sent as `CSI u`, in the form that every program knows. Shift+Enter has none of its own: it becomes what
 * terminals are told to send for it (Escape and Enter), which agents take for a new line.
 */
export function legacyBytes({name, ctrl, alt, shift, text}: Key): Uint8Array | undefined {
  if (name === 'enter' && shift) return encode('\u001B\r');
  if (name === 'tab' && shift) return encode('\u001B[Z');
  const plain = ctrl
    ? controlOf(name)
    : (controls[name] ??
      (text === '' && name.length <= 2 ? (shift ? name.toUpperCase() : name) : text));
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

/** Ctrl and a key that has no control character is the key alone, as terminals have it. */
function controlOf(name: string): string | undefined {
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

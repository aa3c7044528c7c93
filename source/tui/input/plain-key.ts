import type {Key} from './key.ts';

/** The key that writes a character. */
export function plainKey(text: string): Key {
  return {...bare, name: text === ' ' ? 'space' : text, text};
}

/** The key of a control character. */
export function controlKey(code: number): Key {
  const name = controlNames[code];
  if (name !== undefined) return namedKey(name);
  if (code === 0) return {...bare, name: 'space', ctrl: true};
  // 1 to 26 are the letters, 28 to 31 what stands behind them.
  const character =
    code <= 26 ? String.fromCharCode(code + 0x60) : String.fromCharCode(code + 0x40);
  return {...bare, name: character, ctrl: true};
}

export function namedKey(name: string): Key {
  return {...bare, name};
}

/** With Alt, a key writes nothing. */
export function withAlt(key: Key): Key {
  return {...key, alt: true, text: ''};
}

/** Modifiers as sequences number them: 1, and a bit for each. */
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

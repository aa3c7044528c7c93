import type {Key} from '../input/key.ts';

/** The key as the keymap writes it: what was typed for letters and signs, `shift-tab`, `ctrl-]`, `alt-up` for the rest. */
export function chordOf({name, ctrl, alt, shift, text}: Key): string {
  const isTyped =
    !ctrl && !alt && text.length > 0 && text !== ' ' && !/[\u0000-\u001F\u007F]/.test(text);
  if (isTyped) return text;
  // Terminals of the newer kind tell Alt+Shift+a, the others Alt+A.
  if (alt && shift && !ctrl && /^[a-z]$/i.test(name)) return `alt-${name.toUpperCase()}`;
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}${name}`;
}

/** As a person reads it: `Ctrl-]`, `Enter`, `↑`. */
export function chordInWords(chord: string): string {
  const parts = /^((?:ctrl-|alt-|shift-)*)(.+)$/.exec(chord);
  const before = (parts?.[1] ?? '')
    .replace('ctrl-', 'Ctrl-')
    .replace('alt-', 'Alt-')
    .replace('shift-', 'Shift-');
  const name = parts?.[2] ?? chord;
  return `${before}${names[name] ?? name}`;
}

/** The key that is written so in the keymap. */
export function keyOfChord(chord: string): Key {
  const name = chord.replace(/^(?:ctrl-|alt-|shift-)+(?=.)/, '');
  const before = chord.slice(0, chord.length - name.length);
  const [ctrl, alt, shift] = [
    before.includes('ctrl-'),
    before.includes('alt-'),
    before.includes('shift-'),
  ];
  return {
    name,
    ctrl,
    alt,
    shift,
    text: ctrl || alt ? '' : (writing[name] ?? (Array.from(name).length === 1 ? name : '')),
  };
}

const writing: Readonly<Record<string, string>> = {space: ' ', enter: '\r', tab: '\t'};

const names: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  space: 'Space',
  'page-up': 'PgUp',
  'page-down': 'PgDn',
  home: 'Home',
  end: 'End',
  backspace: 'Backspace',
  delete: 'Del',
  insert: 'Ins',
  ...Object.fromEntries(Array.from({length: 12}, (_, index) => [`f${index + 1}`, `F${index + 1}`])),
};

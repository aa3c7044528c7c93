import type {Key} from '../input/key.ts';

/** Normalizes a key that a person wrote to a chord of the keymap, or says why it is invalid. */
export function parseChord(
  written: string,
): {readonly chord: string} | {readonly rejected: string} {
  const {modifiers, name} = splitChord(written);
  if (name === undefined)
    return {rejected: `${JSON.stringify(written)} is no key. There are ${chordForms}`};
  const [ctrl, alt, shift] = ['ctrl', 'alt', 'shift'].map((one) => modifiers.has(one));
  const why =
    Array.from(name).length === 1
      ? whyNotCharacter(name, {ctrl, alt, shift})
      : whyNotNamed(name, {ctrl, alt, shift});
  if (why !== undefined) return {rejected: why};
  return {
    chord: `${ctrl === true ? 'ctrl-' : ''}${alt === true ? 'alt-' : ''}${shift === true ? 'shift-' : ''}${ctrl === true ? name.toLowerCase() : name}`,
  };
}

/** The valid forms of a key, for error messages. */
const chordForms =
  'characters (a, A, ?), ctrl-a, alt-a, ctrl-alt-a, enter, escape, tab, space, ' +
  'backspace, delete, insert, up, down, left, right, home, end, page-up, page-down, f1 ' +
  'to f12, and shift-, alt- or ctrl- before arrows and the like';

type Modifiers = {
  readonly ctrl: boolean | undefined;
  readonly alt: boolean | undefined;
  readonly shift: boolean | undefined;
};

/**
 * Accepts `Ctrl+Alt+x` as well as `alt-ctrl-x`: modifiers in any order, and common aliases of
 * names.
 */
function splitChord(written: string): {
  readonly modifiers: ReadonlySet<string>;
  readonly name?: string;
} {
  const modifiers = new Set<string>();
  let rest = written.trim();
  for (let found = modifier.exec(rest); found !== null; found = modifier.exec(rest)) {
    const one = (found[1] ?? '').toLowerCase();
    if (modifiers.has(one)) return {modifiers};
    modifiers.add(one);
    rest = rest.slice(found[0].length);
  }

  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(rest)) return {modifiers, name: rest};
  const name = rest.toLowerCase();
  const known = otherNames[name] ?? name;
  return plainNames.has(known) || cursorNames.has(known) ? {modifiers, name: known} : {modifiers};
}

const modifier = /^(ctrl|alt|shift)[-+](?=.)/i;
const otherNames: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  pgup: 'page-up',
  pageup: 'page-up',
  pgdn: 'page-down',
  pagedown: 'page-down',
  del: 'delete',
  ins: 'insert',
};
const plainNames: ReadonlySet<string> = new Set(['enter', 'escape', 'tab', 'space', 'backspace']);
/** Terminals report Shift, Alt and Ctrl for these keys only. */
const cursorNames: ReadonlySet<string> = new Set([
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'page-up',
  'page-down',
  'insert',
  'delete',
  ...Array.from({length: 12}, (_, index) => `f${index + 1}`),
]);

/**
 * Why a terminal may not be able to send a character. Settings are used in different terminals, so
 * all must send it distinctly.
 */
function whyNotCharacter(character: string, {ctrl, alt, shift}: Modifiers): string | undefined {
  if (shift === true)
    return ctrl === true
      ? `many terminals send the same without shift: write ctrl-${character.toLowerCase()}`
      : `with shift it is another character: write that one (${character.toUpperCase()})`;
  if (ctrl === true) {
    const same = controlAliases[character.toLowerCase()];
    if (same !== undefined) return `terminals send ${same} for ctrl-${character}: write ${same}`;
    return /^[a-z\\\]^_]$/i.test(character)
      ? undefined
      : `many terminals cannot send ctrl-${character}; with ctrl there are a letter, \\ ] ^ _ and space`;
  }

  if (alt !== true) return undefined;
  if (!/^[!-~]$/.test(character)) return `many terminals cannot send alt-${character}`;
  return /^[[\]OP_]$/.test(character)
    ? `terminals begin other keys with alt-${character}`
    : undefined;
}

/** Control characters that are other keys. */
const controlAliases: Readonly<Record<string, string>> = {
  h: 'backspace',
  i: 'tab',
  j: 'enter',
  m: 'enter',
  '[': 'escape',
  '/': 'ctrl-_',
  '@': 'ctrl-space',
};

function whyNotNamed(name: string, {ctrl, alt, shift}: Modifiers): string | undefined {
  if (cursorNames.has(name) || (ctrl !== true && alt !== true && shift !== true)) return undefined;
  if (name === 'tab' && shift === true && ctrl !== true && alt !== true) return undefined;
  if (name === 'space' && ctrl === true && alt !== true && shift !== true) return undefined;
  if (alt === true && ctrl !== true && shift !== true && name !== 'escape' && name !== 'tab')
    return undefined;
  return `many terminals send the same for it as for ${name} alone`;
}

export const defaultLeaveKey = 'ctrl-]';

/**
 * The keys that can leave typing, each with a control character of its own. Without those that are
 * other keys as well (Enter, Tab, Backspace, Escape), and without Ctrl-C, which interrupts
 * programs.
 */
export const leaveChords: readonly string[] = [
  defaultLeaveKey,
  'ctrl-g',
  'ctrl-\\',
  'ctrl-^',
  'ctrl-_',
  ...Array.from('abdefklnopqrstuvwxyz', (letter) => `ctrl-${letter}`),
];

/** The control character of the key that ends typing. */
export function toLeaveByte(leave: string): number {
  return (leave.toUpperCase().codePointAt(leave.length - 1) ?? 0x5d) & 0x1f;
}

/**
 * The key as written in the keymap: the typed text for characters, else `shift-tab`, `ctrl-]`,
 * `alt-up` and so on.
 */
export function toChord({name, ctrl, alt, shift, text}: Key): string {
  const isTyped =
    !ctrl && !alt && text.length > 0 && text !== ' ' && !/[\u0000-\u001F\u007F]/.test(text);
  if (isTyped) return text;
  // With the kitty protocol terminals send Alt+Shift+a, otherwise Alt+A.
  if (alt && shift && !ctrl && /^[a-z]$/i.test(name)) return `alt-${name.toUpperCase()}`;
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}${name}`;
}

/** A chord for people: `Ctrl-]`, `Enter`, `↑`. */
export function formatChord(chord: string): string {
  const parts = /^((?:ctrl-|alt-|shift-)*)(.+)$/.exec(chord);
  const before = (parts?.[1] ?? '')
    .replace('ctrl-', 'Ctrl-')
    .replace('alt-', 'Alt-')
    .replace('shift-', 'Shift-');
  const name = parts?.[2] ?? chord;
  return `${before}${keyLabels[name] ?? name}`;
}

/** The key of a chord. */
export function chordToKey(chord: string): Key {
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
    text: ctrl || alt ? '' : (writtenText[name] ?? (Array.from(name).length === 1 ? name : '')),
  };
}

const writtenText: Readonly<Record<string, string>> = {space: ' ', enter: '\r', tab: '\t'};

const keyLabels: Readonly<Record<string, string>> = {
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

/** `1-6` for digits, a dash for none, else all keys. */
export function formatKeys(keys: readonly string[]): string {
  if (keys.length > 1 && keys.every((key) => /^\d$/.test(key)))
    return `${keys[0] ?? ''}-${keys.at(-1) ?? ''}`;
  return keys.length === 0 ? '–' : keys.map(formatChord).join(' ');
}

/** A key as a person wrote it, in the form of the keymap; or why it is none. */
export function readChord(written: string): {readonly chord: string} | {readonly refused: string} {
  const {modifiers, name} = partsOf(written);
  if (name === undefined)
    return {refused: `${JSON.stringify(written)} is no key. There are ${chordForms}`};
  const [ctrl, alt, shift] = ['ctrl', 'alt', 'shift'].map((one) => modifiers.has(one));
  const why =
    Array.from(name).length === 1
      ? whyNotCharacter(name, {ctrl, alt, shift})
      : whyNotNamed(name, {ctrl, alt, shift});
  if (why !== undefined) return {refused: why};
  return {
    chord: `${ctrl === true ? 'ctrl-' : ''}${alt === true ? 'alt-' : ''}${shift === true ? 'shift-' : ''}${ctrl === true ? name.toLowerCase() : name}`,
  };
}

/** What can be written for a key, in one sentence. */
export const chordForms =
  'characters (a, A, ?), ctrl-a, alt-a, ctrl-alt-a, enter, escape, tab, space, backspace, delete, insert, up, down, left, right, home, end, page-up, page-down, f1 to f12, and shift-, alt- or ctrl- before arrows and the like';

type Held = {
  readonly ctrl: boolean | undefined;
  readonly alt: boolean | undefined;
  readonly shift: boolean | undefined;
};

/** `Ctrl+Alt+x` as well as `alt-ctrl-x`: modifiers in any order, names as keyboards have them. */
function partsOf(written: string): {
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
/** Terminals tell which of Shift, Alt and Ctrl is held with these, and with no others. */
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

/** Every terminal has to send it as something of its own: settings go from one to the next. */
function whyNotCharacter(character: string, {ctrl, alt, shift}: Held): string | undefined {
  if (shift === true)
    return ctrl === true
      ? `many terminals send the same without shift: write ctrl-${character.toLowerCase()}`
      : `with shift it is another character: write that one (${character.toUpperCase()})`;
  if (ctrl === true) {
    const same = sameAs[character.toLowerCase()];
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

/** Control characters that are keys by themselves. */
const sameAs: Readonly<Record<string, string>> = {
  h: 'backspace',
  i: 'tab',
  j: 'enter',
  m: 'enter',
  '[': 'escape',
  '/': 'ctrl-_',
  '@': 'ctrl-space',
};

function whyNotNamed(name: string, {ctrl, alt, shift}: Held): string | undefined {
  if (cursorNames.has(name) || (ctrl !== true && alt !== true && shift !== true)) return undefined;
  if (name === 'tab' && shift === true && ctrl !== true && alt !== true) return undefined;
  if (name === 'space' && ctrl === true && alt !== true && shift !== true) return undefined;
  if (alt === true && ctrl !== true && shift !== true && name !== 'escape' && name !== 'tab')
    return undefined;
  return `many terminals send the same for it as for ${name} alone`;
}

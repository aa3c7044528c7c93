import {parseModeReply} from './clipboard-reply.ts';
import {
  controlKey,
  type Key,
  type Mouse,
  namedKey,
  plainKey,
  type Token,
  withModifiers,
} from './key.ts';

/** `CSI < code ; column ; row M`, or `m` when a button is released. */
export function parseMouse(parameters: string, final: string, bytes: Uint8Array): Token {
  const [code, column, row] =
    /^(\d{1,4});(\d{1,5});(\d{1,5})$/.exec(parameters)?.slice(1).map(Number) ?? [];
  if (
    code === undefined ||
    column === undefined ||
    row === undefined ||
    (final !== 'M' && final !== 'm')
  )
    return {type: 'unknown', bytes};
  const mouse: Mouse = {
    action: toMouseAction(code, final),
    button: (code & 0xc0) === 0 ? (buttons[code & 3] ?? 'other') : 'other',
    row: row - 1,
    column: column - 1,
    shift: (code & 4) !== 0,
    alt: (code & 8) !== 0,
    ctrl: (code & 16) !== 0,
    code,
  };
  return {type: 'mouse', mouse, bytes};
}

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['wheel-up', 'wheel-down', 'wheel-left', 'wheel-right'] as const;

function toMouseAction(code: number, final: string): Mouse['action'] {
  if ((code & 0xc0) === 0x40) return wheels[code & 3] ?? 'wheel-up';
  if ((code & 32) !== 0) return 'move';
  return final === 'm' ? 'release' : 'press';
}

/** `ESC O` and a character: arrows in application mode, F1 to F4, the keypad. */
export function parseSingleShift(bytes: Uint8Array): Token {
  const name = singleShiftNames[String.fromCharCode(bytes[2] ?? 0)];
  return name === undefined
    ? {type: 'unknown', bytes}
    : {type: 'key', key: namedKey(name), bytes, isModern: false};
}

const singleShiftNames: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** Parses a complete control sequence of the terminal. */
export function parseControlSequence(bytes: Uint8Array): Token {
  const text = String.fromCharCode(...bytes.subarray(2));
  const final = text.at(-1) ?? '';
  const parameters = text.slice(0, -1);
  if (parameters.startsWith('<')) return parseMouse(parameters.slice(1), final, bytes);
  if (parameters.startsWith('?')) {
    const reply = parseModeReply(parameters, final);
    if (reply !== undefined) return {type: 'answer', about: 'clipboard', reply, bytes};
    return {type: 'answer', about: subjectOf(final, parameters), bytes};
  }

  if (text === 'I' || text === 'O') return {type: 'focus', isFocused: text === 'I', bytes};
  const [first = [], second = []] = parameters
    .split(';')
    .map((part) => part.split(':').map(Number));
  // Event type 3 is a key release.
  if (second[1] === 3) return {type: 'answer', about: 'other', bytes};
  const key = toKey(final, first[0] ?? 0, parameters);
  if (key === undefined) return {type: 'unknown', bytes};
  return {
    type: 'key',
    key: withModifiers(key, modifiersIn(parameters, second[0])),
    bytes,
    isModern: final === 'u' || isOtherKey(final, first[0]),
  };
}

/** What a reply is about, by its last character. */
function subjectOf(
  final: string,
  parameters: string,
): 'keyboard' | 'attributes' | 'scheme' | 'other' {
  if (final === 'u') return 'keyboard';
  if (final === 'c') return 'attributes';
  return final === 'n' && /^\?997;[12]$/.test(parameters) ? 'scheme' : 'other';
}

function toKey(final: string, number: number, parameters: string): Key | undefined {
  if (final === 'u') return modernKey(number);
  if (isOtherKey(final, number)) return modernKey(Number(parameters.split(';')[2]));
  if (final === 'Z') return {...namedKey('tab'), shift: true};
  const name = final === '~' ? byNumber[number] : byLetter[final];
  return name === undefined ? undefined : namedKey(name);
}

/** The key of a code point. Enter, Tab and others have the numbers of their control characters. */
function modernKey(codePoint: number): Key | undefined {
  if (!Number.isInteger(codePoint) || codePoint <= 0 || codePoint > 0x10_ffff) return undefined;
  if (codePoint < 0x20 || codePoint === 0x7f) return controlKey(codePoint);
  // The private use area has keys without a character: keypad, media keys, modifiers alone.
  return codePoint >= 0xe000 && codePoint < 0xf900
    ? undefined
    : plainKey(String.fromCodePoint(codePoint));
}

/** xterm's modifyOtherKeys: `CSI 27 ; modifiers ; code point ~`. */
function isOtherKey(final: string, number: number | undefined): boolean {
  return final === '~' && number === 27;
}

/** The second parameter. Sequences of rxvt that end in a letter have none. */
function modifiersIn(parameters: string, second: number | undefined): number {
  return parameters.includes(';') && second !== undefined && Number.isInteger(second) ? second : 1;
}

const byLetter: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

const byNumber: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

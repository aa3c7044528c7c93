/**
 * A program's output as plain text: no colours, cursor movements or other escape sequences, and LF
 * line ends. Long lines are not cut, because a whole plan may be on one line.
 */
export function toPlainOutput(output: string): string {
  return output.replaceAll(terminalSequence, '').replaceAll(/\r+\n/g, '\n');
}

/**
 * OSC and other strings with their terminator, CSI, two-character escapes. An unterminated
 * introducer matches alone.
 */
export const terminalSequence =
  /\u001B[\]PX^_][^\u0007\u001B]{0,2000}(?:\u0007|\u001B\\)|(?:\u001B\[|\u009B)[0-?]{0,100}[ -/]{0,10}[@-~]|\u001B[ -/]{0,10}[0-~]?/g;

/**
 * Makes hostile text safe to print: terminal controls become visible escapes, and so do characters
 * that hide or reorder text (bidi, zero-width, tags). Newline and tab stay.
 */
export function sanitizeText(text: string): string {
  return text.replaceAll(
    hiddenCharacter,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * One character that controls a terminal, is invisible, or reorders text. VS15 and VS16 are allowed
 * after an emoji; anywhere else, and two in a row, they hide something.
 */
export const hiddenCharacter =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB\p{Surrogate}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\uFE0E\uFE0F]/gu;

/** A short piece of foreign text on one line, safe to quote in a message. */
export function excerpt(text: string, max = 60): string {
  const line = text.slice(0, max).replaceAll(/\s+/g, ' ');
  return sanitizeText(text.length > max ? `${line}…` : line);
}

export type HiddenCharacter = {
  /** Counted from 1, in characters. */
  readonly column: number;
  /** `U+202E` */
  readonly code: string;
};

/**
 * The characters of one line that are invisible or reorder text: controls, bidi, zero-width, tags.
 */
export function findHiddenCharacters(line: string): HiddenCharacter[] {
  return [...line.matchAll(hiddenCharacter)].map((match) => ({
    column: match.index + 1,
    code: formatCodePoint(match[0]),
  }));
}

export function hasHiddenCharacters(text: string): boolean {
  return sanitizeText(text) !== text;
}

/** JSON with hidden characters written as `\uXXXX`: the same values, and safe to print. */
export function showHiddenInJson(json: string): string {
  return json.replaceAll(hiddenCharacter, (character) =>
    character.replaceAll(/[^]/g, toJsonEscape),
  );
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function toJsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A word of a command to copy, quoted where a shell needs it. */
export function shellWord(text: string): string {
  const safe = sanitizeText(text);
  return /^[\w./@:+-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

/** Unicode normalisation form C; macOS types and stores decomposed characters. */
export function toNfc(text: string): string {
  // ICU orders combining marks in quadratic time: 128 kB of them take seconds. No language stacks
  // 31 (Unicode's
  // stream-safe limit is 30), so such text is not normalised.
  return /\p{M}{31}/u.test(text) ? text : text.normalize('NFC');
}

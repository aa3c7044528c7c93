import {hiddenCharacter, sanitizeText} from '../base/index.ts';

export type HiddenCharacter = {
  /** Counted from 1, in characters. */
  readonly column: number;
  /** `U+202E` */
  readonly code: string;
};

/** The characters of one line that a person cannot see or that change what is seen: controls, bidi, zero-width, tags. */
export function hiddenCharactersOf(line: string): HiddenCharacter[] {
  return [...line.matchAll(hiddenCharacter)].map((match) => ({
    column: match.index + 1,
    code: codeOf(match[0]),
  }));
}

export function hasHiddenCharacters(text: string): boolean {
  return sanitizeText(text) !== text;
}

/** JSON text with hidden characters written as `\uXXXX`: the same values, but nothing that acts on a terminal. */
export function showHiddenInJson(json: string): string {
  return json.replaceAll(hiddenCharacter, (character) =>
    character.replaceAll(/[^]/g, jsonEscapeOf),
  );
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function jsonEscapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

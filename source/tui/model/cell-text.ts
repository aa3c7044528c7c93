import {cutLine, displayWidth, sanitizeText, wrapLine} from '../../base/index.ts';

/**
 * Somebody's text as one line of the chrome: nothing in it acts on a terminal, hides or reorders, and every character
 * has a width of its own, so that Ink, the emulator and any terminal agree on where it ends.
 */
export function safeLine(text: string): string {
  if (plain.test(text)) return text;
  return (
    sanitizeText(text.replaceAll('\t', '    ').replaceAll(/[\n\v\f\r]+/g, ' '))
      // A variation selector or a skin tone changes the width of what stands before it, a flag is two letters in one.
      .replaceAll(/\p{Variation_Selector}|\p{Emoji_Modifier}/gu, '')
      .replaceAll(/\p{Regional_Indicator}/gu, (letter) =>
        String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1_f1_e6 + 0x41),
      )
  );
}

/** A safe line, cut or filled up to so many cells. */
export function fit(line: string, cells: number): string {
  const shown = cutLine(line, cells);
  return shown + ' '.repeat(Math.max(0, cells - displayWidth(shown)));
}

/** A safe text as lines of at most so many cells; nothing of it is left out. */
export function wrap(text: string, cells: number): string[] {
  return wrapLine(text, Math.max(4, cells));
}

const plain = /^[\u0020-\u007E]*$/;

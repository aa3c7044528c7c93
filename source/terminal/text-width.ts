import {clusterRules} from './measure-width.ts';
import {preserveStyles} from './sanitize.ts';

/**
 * Width of a line of text in cells, as the emulator counts them; colours and styles have none. The
 * bundle uses it in place of `string-width`, so that Ink counts the same.
 */
export function textWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  let preceding = 0;
  let last = 0;
  for (const character of text.includes('\u001B') ? withoutStyles(text) : text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) continue;
    preceding = clusterRules.charProperties(codePoint, preceding);
    const cell = (preceding >> 1) & 3;
    const hasJoined = (preceding & 1) === 1;
    width += hasJoined ? cell - last : cell;
    last = cell;
  }

  return width;
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }

  return true;
}

function withoutStyles(text: string): string {
  return preserveStyles(text).replaceAll(styles, '');
}

const styles = /\u001B\[[\d:;]*m/g;

import {displayWidth, sanitizeText, wrapLine} from '../../base/index.ts';

/**
 * Somebody's text as lines of at most `width` cells, safe to print. Line breaks of the text stay; a word that is longer
 * than a line is broken, because what is not shown is not approved.
 */
export function wrapText(text: string, width: number): string[] {
  const room = Math.max(width, 8);
  return sanitizeText(text.replaceAll('\t', '    '))
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), room));
}

/** The same, with all white space taken as one space: for texts that are one sentence. */
export function wrapSentence(text: string, width: number): string[] {
  return wrapText(text.replaceAll(/\s+/g, ' ').trim(), width);
}

/** The same, with a tail that stays in one piece. */
export function wrapWithTail(text: string, tail: string, width: number): string[] {
  const lines = wrapSentence(text, width);
  const last = lines.at(-1) ?? '';
  return displayWidth(last) + 1 + displayWidth(tail) <= width
    ? [...lines.slice(0, -1), `${last} ${tail}`]
    : [...lines, tail];
}

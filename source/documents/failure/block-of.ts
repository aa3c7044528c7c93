import {isOwn, placeOf} from './place.ts';
import type {Place} from './sighting.ts';

export type Block = {
  readonly message: readonly string[];
  readonly places: readonly Place[];
  readonly excerpt: readonly string[];
};

/**
 * What tools print under the name of a failing test: an error, perhaps a difference and a piece of code, and a stack.
 * The message is what stands before the first empty line or frame; library frames are left out.
 */
export function blockOf(lines: readonly string[]): Block {
  const block = dedented(withoutProperties(lines.slice(0, mostLines)));
  const isFrame = (line: string): boolean => frame.test(line);
  const first = block.findIndex((line) => line.trim() !== '' && !isFrame(line));
  if (first === -1) return {message: [], places: placesOf(block), excerpt: []};
  let end = first + 1;
  while (
    end < block.length &&
    end - first < 8 &&
    !isFrame(block[end] ?? '') &&
    !isCode(block[end] ?? '')
  ) {
    // After a colon the next paragraph is the message as well: `Expected values to be strictly equal:`
    if (block[end]?.trim() === '' && !block[end - 1]?.endsWith(':')) break;
    end += 1;
  }

  const rest = block.slice(end).filter((line) => !noise.test(line));
  const own = rest.filter((line) => isFrame(line) && isOwnFrame(line));
  // The first frame of ours is the place itself and is not said twice.
  const excerpt = rest.filter((line) => !isFrame(line) || (own.includes(line) && line !== own[0]));
  return {
    message: block.slice(first, end).filter((line) => line.trim() !== ''),
    places: placesOf(block),
    excerpt: excerptOf(excerpt),
  };
}

/** Node prints the properties of an error behind its stack, between braces; only its cause says something new. */
function withoutProperties(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let closing: number | undefined;
  for (const line of lines) {
    if (closing === undefined) {
      kept.push(line.replace(/^(\s*at .*) \{$/, '$1'));
      if (/^\s*at .* \{$/.test(line)) closing = indentOf(line);
    } else if (line.trim() === '}' && indentOf(line) < closing) closing = undefined;
    else if (/^\s*\[cause\]: /.test(line)) kept.push(line);
  }

  return kept;
}

/** Lines of a stack trace first: a path that is spoken of in a message is less of a place. */
export function placesOf(lines: readonly string[]): Place[] {
  const frames = lines.filter((line) => frame.test(line));
  return [...frames, ...lines.filter((line) => !frame.test(line))].flatMap(
    (line) => placeOf(line) ?? [],
  );
}

export function excerptOf(lines: readonly string[], most = 14): string[] {
  const kept: string[] = [];
  for (const line of dedented(lines)) {
    if (kept.length === most) break;
    if (line.trim() !== '' || (kept.length > 0 && kept.at(-1) !== ''))
      kept.push(line.trim() === '' ? '' : line);
  }

  while (kept.at(-1) === '') kept.pop();
  return kept;
}

/** Without the indentation that all lines share. */
export function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const indent = indents.reduce((least, each) => Math.min(least, each), 1000);
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line))));
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The lines after `start`, until one that ends the block. */
export function linesUntil(
  lines: readonly string[],
  start: number,
  isEnd: (line: string) => boolean,
  most = mostLines,
): string[] {
  const block: string[] = [];
  for (let index = start; index < lines.length && block.length < most; index += 1) {
    const line = lines[index] ?? '';
    if (isEnd(line)) break;
    block.push(line);
  }

  return block;
}

const mostLines = 200;

/** `at …` of JavaScript and Java, `❯` of vitest, `#` of RSpec, `›` of AVA, numbered frames of PHP and Rust. */
const frame =
  /^\s*(?:at\s+\S|❯ \S|# \.{0,2}\/\S+:\d+|› \S+:\d+|#\d+ \S|\/\S+\.php:\d+$|\.{3} \d+ more|java\.base\/|[\w$]+(?:\.[\w$]+)+\(\w*(?:\.java:\d+|Native Method)\))/;

/** The rulers of difference printers. */
const noise = /^\s*(?:\(compared using ==\)|@@ |\[\.\.\.\]$|#(?: {2,}\S.*)?$)/;

/** A piece of code with its line numbers, or a difference. */
function isCode(line: string): boolean {
  return /^\s*(?:>\s*)?\d+\s*[|│]|^\s*(?:--- |[-+] (?:Expected|Received|Snapshot|expected|actual)\b)/.test(
    line,
  );
}

function isOwnFrame(line: string): boolean {
  const found = placeOf(line);
  return found !== undefined && isOwn(found);
}

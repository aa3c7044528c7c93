import {terminalSequence} from '../shared/index.ts';
import {findPlace, isOwn, type CodePlace} from './failure-match.ts';

/** Longer lines are cut: only minified code is longer. */
const maxLength = 1000;

/**
 * A log as lines of plain text, as a terminal would show it: no colours, and only the final state
 * of a redrawn line (progress bars). Takes linear time for any log.
 */
export function toPlainLines(log: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= log.length;) {
    const newline = log.indexOf('\n', start);
    const end = newline === -1 ? log.length : newline;
    const line = plainLine(log, start, end);
    // Two empty lines end an entry; more mean nothing and are dropped.
    if (line !== '' || lines.at(-1) !== '' || lines.at(-2) !== '') lines.push(line);
    start = end + 1;
  }

  return lines;
}

function plainLine(log: string, start: number, lineEnd: number): string {
  let end = lineEnd;
  while (end > start && log[end - 1] === '\r') end -= 1;
  // Sliced first: a search in the whole log would run beyond the line.
  const raw =
    end - start > maxRawLength
      ? `${log.slice(start, start + maxRawLength)}\r${log.slice(end - maxRawLength, end)}`
      : log.slice(start, end);
  if (!raw.includes('\u001B') && !raw.includes('\u009B') && !raw.includes('\r'))
    return raw.slice(0, maxLength).trimEnd();
  return lastDrawn(
    raw
      .replaceAll(erased, '\r\u0018\r')
      .replaceAll(firstColumn, '\r')
      .replaceAll(terminalSequence, ''),
  );
}

/** A carriage return alone hides nothing until something is printed over it. */
function lastDrawn(drawn: string): string {
  for (let end = drawn.length; end >= 0;) {
    const start = end === 0 ? 0 : drawn.lastIndexOf('\r', end - 1) + 1;
    const part = drawn.slice(start, end).trimEnd();
    if (part !== '') return part === '\u0018' ? '' : part.slice(0, maxLength);
    end = start - 1;
  }

  return '';
}

/** Of a longer line (10 MB of a progress bar) only the beginning and the end are read. */
const maxRawLength = 8192;

const erased = /(?:\u001B\[|\u009B)2K/g;
const firstColumn = /(?:\u001B\[|\u009B)[01]?G/g;

type LogBlock = {
  readonly message: readonly string[];
  readonly places: readonly CodePlace[];
  readonly excerpt: readonly string[];
};

/**
 * Parses what tools print under the name of a failing test: an error, perhaps a diff and an excerpt
 * of code, and a stack. The message ends at the first empty line or frame; library frames are left
 * out.
 */
export function parseBlock(lines: readonly string[]): LogBlock {
  const block = dedented(withoutProperties(lines.slice(0, maxLines)));
  const isFrame = (line: string): boolean => frame.test(line);
  const first = block.findIndex((line) => line.trim() !== '' && !isFrame(line));
  if (first === -1) return {message: [], places: findPlaces(block), excerpt: []};
  let end = first + 1;
  while (
    end < block.length &&
    end - first < 8 &&
    !isFrame(block[end] ?? '') &&
    !isCode(block[end] ?? '')
  ) {
    // After a colon the next paragraph belongs to the message: `Expected values to be strictly
    // equal:`
    if (block[end]?.trim() === '' && !block[end - 1]?.endsWith(':')) break;
    end += 1;
  }

  const rest = block.slice(end).filter((line) => !noise.test(line));
  const own = rest.filter((line) => isFrame(line) && isOwnFrame(line));
  // The first own frame is the place itself and is not repeated.
  const excerpt = rest.filter((line) => !isFrame(line) || (own.includes(line) && line !== own[0]));
  return {
    message: block.slice(first, end).filter((line) => line.trim() !== ''),
    places: findPlaces(block),
    excerpt: toExcerpt(excerpt),
  };
}

/**
 * Drops the properties that Node prints in braces after the stack of an error, except its cause.
 */
function withoutProperties(lines: readonly string[]): string[] {
  const result: string[] = [];
  let closing: number | undefined;
  for (const line of lines) {
    if (closing === undefined) {
      result.push(line.replace(/^(\s*at .*) \{$/, '$1'));
      if (/^\s*at .* \{$/.test(line)) closing = indentation(line);
    } else if (line.trim() === '}' && indentation(line) < closing) closing = undefined;
    else if (/^\s*\[cause\]: /.test(line)) result.push(line);
  }

  return result;
}

/** Places in stack frames first: a path in a message is weaker evidence. */
export function findPlaces(lines: readonly string[]): CodePlace[] {
  const frames = lines.filter((line) => frame.test(line));
  return [...frames, ...lines.filter((line) => !frame.test(line))].flatMap(
    (line) => findPlace(line) ?? [],
  );
}

export function toExcerpt(lines: readonly string[], max = maxExcerptLines): string[] {
  const excerpt: string[] = [];
  for (const line of dedented(lines)) {
    if (excerpt.length === max) break;
    if (line.trim() !== '' || (excerpt.length > 0 && excerpt.at(-1) !== ''))
      excerpt.push(line.trim() === '' ? '' : line);
  }

  while (excerpt.at(-1) === '') excerpt.pop();
  return excerpt;
}

/** More than fits into the text that an agent gets. */
export const maxExcerptLines = 40;

/** Removes the indentation that all lines share. */
export function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map(indentation);
  const indent = indents.reduce((min, each) => Math.min(min, each), 1000);
  return lines.map((line) => line.slice(Math.min(indent, indentation(line))));
}

export function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** The lines from `start` up to the one that ends the block. */
export function linesUntil(
  lines: readonly string[],
  start: number,
  isEnd: (line: string) => boolean,
  max = maxLines,
): string[] {
  const block: string[] = [];
  for (let index = start; index < lines.length && block.length < max; index += 1) {
    const line = lines[index] ?? '';
    if (isEnd(line)) break;
    block.push(line);
  }

  return block;
}

const maxLines = 200;

/**
 * `at …` of JavaScript and Java, `❯` of vitest, `#` of RSpec, `›` of AVA, numbered frames of PHP
 * and Rust.
 */
const frame =
  /^\s*(?:at\s+\S|❯ \S|# \.{0,2}\/\S+:\d+|› \S+:\d+|#\d+ \S|\/\S+\.php:\d+$|\.{3} \d+ more|java\.base\/|[\w$]+(?:\.[\w$]+)+\(\w*(?:\.java:\d+|Native Method)\))/;

/** Separators of diff printers. */
const noise = /^\s*(?:\(compared using ==\)|@@ |RUNS\s{1,4}\S|\[\.\.\.\]$|#(?: {2,}\S.*)?$)/;

/** Code with line numbers, or a diff. */
function isCode(line: string): boolean {
  return /^\s*(?:>\s*)?\d+\s*[|│]|^\s*(?:--- |[-+] (?:Expected|Received|Snapshot|expected|actual)\b)/.test(
    line,
  );
}

function isOwnFrame(line: string): boolean {
  const found = findPlace(line);
  return found !== undefined && isOwn(found);
}

/** The index of the last matching line before `end`. */
export function lastBefore(
  lines: readonly string[],
  end: number,
  isMatch: (line: string) => boolean,
): number | undefined {
  for (let index = end - 1; index >= 0; index -= 1) if (isMatch(lines[index] ?? '')) return index;
  return undefined;
}

/** The index of the first matching line from `start` on, within `max` lines. */
export function firstFrom(
  lines: readonly string[],
  start: number,
  isMatch: (line: string) => boolean,
  max = Infinity,
): number | undefined {
  for (let index = start; index < lines.length && index - start < max; index += 1)
    if (isMatch(lines[index] ?? '')) return index;
  return undefined;
}

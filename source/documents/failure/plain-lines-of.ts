import {terminalSequence} from '../plain-output-of.ts';

/** Longer lines are cut: no assertion is longer, and minified code is. */
const mostLength = 1000;

/**
 * A log as a person would have read it in a terminal: no colours, and of a line that was redrawn (progress bars) only
 * what stood there in the end. Takes time in proportion to the log, whatever is in it.
 */
export function plainLinesOf(log: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= log.length;) {
    const newline = log.indexOf('\n', start);
    const end = newline === -1 ? log.length : newline;
    const line = plainLine(log, start, end);
    // Two empty lines mean something (the end of an entry), a million mean no more.
    if (line !== '' || lines.at(-1) !== '' || lines.at(-2) !== '') lines.push(line);
    start = end + 1;
  }

  return lines;
}

function plainLine(log: string, start: number, lineEnd: number): string {
  let end = lineEnd;
  while (end > start && log[end - 1] === '\r') end -= 1;
  // Sliced before it is searched: in the whole log the search would run past the beginning of the line.
  const raw =
    end - start > mostRaw
      ? `${log.slice(start, start + mostRaw)}\r${log.slice(end - mostRaw, end)}`
      : log.slice(start, end);
  if (!raw.includes('\u001B') && !raw.includes('\u009B') && !raw.includes('\r'))
    return raw.slice(0, mostLength).trimEnd();
  return lastDrawn(
    raw
      .replaceAll(erased, '\r\u0018\r')
      .replaceAll(firstColumn, '\r')
      .replaceAll(terminalSequence, ''),
  );
}

/** A carriage return alone hides nothing until something is drawn over it. */
function lastDrawn(drawn: string): string {
  for (let end = drawn.length; end >= 0;) {
    const start = end === 0 ? 0 : drawn.lastIndexOf('\r', end - 1) + 1;
    const part = drawn.slice(start, end).trimEnd();
    if (part !== '') return part === '\u0018' ? '' : part.slice(0, mostLength);
    end = start - 1;
  }

  return '';
}

/** Of a line longer than this (10 MB of a progress bar) only the beginning and the end are looked at. */
const mostRaw = 8192;

const erased = /(?:\u001B\[|\u009B)2K/g;
const firstColumn = /(?:\u001B\[|\u009B)[01]?G/g;

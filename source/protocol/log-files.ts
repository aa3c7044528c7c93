/**
 * The output of a session on disk: segments, each named after the offset of its first byte, and beside each one the
 * times at which its bytes came. A segment ends where its file ends; the next may begin later, for the middle of a long
 * output is dropped.
 */
export type Segment = {readonly start: number; readonly end: number};

/** From `offset` on, until the next mark, the output came `at` ms after the start, on a screen of this size. */
export type TimeMark = {
  readonly at: number;
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
};

/** Numbers as file names: 16 digits sort as they count. */
export function hexOf(number: number): string {
  return number.toString(16).padStart(16, '0');
}

export function readHex(text: string): number | undefined {
  if (!/^[0-9a-f]{16}$/.test(text)) return undefined;
  const number = Number.parseInt(text, 16);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function segmentNameOf(start: number): string {
  return hexOf(start);
}

export function timesNameOf(start: number): string {
  return `${hexOf(start)}.times`;
}

/** The segments among the files of a directory, in order. */
export function segmentStartsOf(names: readonly string[]): number[] {
  return names.flatMap((name) => readHex(name) ?? []).sort((a, b) => a - b);
}

/** Where the first kept byte at or after `offset` is; the end of the log if there is none. */
export function nextKept(segments: readonly Segment[], offset: number): number {
  const segment = segments.find(({end}) => offset < end);
  return segment === undefined ? (segments.at(-1)?.end ?? 0) : Math.max(offset, segment.start);
}

/** A line: `<ms> <offset>`, and the size of the screen on the first line of a file and where it changed. */
export function encodeMark(
  at: number,
  offset: number,
  size?: {readonly columns: number; readonly rows: number},
): string {
  return size === undefined
    ? `${at} ${offset}\n`
    : `${at} ${offset} ${size.columns}x${size.rows}\n`;
}

/** The marks of one file of times. A line that is cut off, as by a crash, is no mark. */
export function readMarks(text: string): TimeMark[] {
  const marks: TimeMark[] = [];
  for (const [, at, offset, columns, rows] of text.matchAll(/^(\d+) (\d+)(?: (\d+)x(\d+))?\n/gm)) {
    const size =
      columns === undefined ? marks.at(-1) : {columns: Number(columns), rows: Number(rows)};
    if (size !== undefined)
      marks.push({at: Number(at), offset: Number(offset), columns: size.columns, rows: size.rows});
  }

  return marks;
}

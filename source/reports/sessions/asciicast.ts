/**
 * A part of a recording: output from `offset` on was printed `at` ms after the start, on a screen
 * of this size.
 */
export type Moment = {
  readonly at: number;
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
};

/** Output that was printed at once, and when. In seconds, as in asciicast. */
export type CastFrame = {
  readonly seconds: number;
  readonly text: string;
  readonly resized?: {readonly columns: number; readonly rows: number};
};

/**
 * Splits output into frames by its times. A character that spans two moments belongs to the later
 * one.
 */
export function toFrames(
  pieces: Iterable<{readonly offset: number; readonly bytes: Uint8Array}>,
  moments: readonly Moment[],
): CastFrame[] {
  const decoder = new TextDecoder();
  const frames: CastFrame[] = [];
  let index = 0;
  let size = moments[0];
  for (const {offset, bytes} of pieces) {
    for (let start = offset; start < offset + bytes.length;) {
      while (index + 1 < moments.length && (moments[index + 1]?.offset ?? 0) <= start) index += 1;
      const moment = moments[index];
      const end = Math.min(
        offset + bytes.length,
        moments[index + 1]?.offset ?? Number.POSITIVE_INFINITY,
      );
      const text = decoder.decode(bytes.subarray(start - offset, end - offset), {stream: true});
      const isResized =
        moment !== undefined && (moment.columns !== size?.columns || moment.rows !== size.rows);
      frames.push({
        seconds: (moment?.at ?? 0) / 1000,
        text,
        ...(isResized ? {resized: {columns: moment.columns, rows: moment.rows}} : {}),
      });
      if (isResized) size = moment;
      start = end;
    }
  }

  return frames;
}

/** The recording as asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/). */
export function formatAsciicast(
  frames: readonly CastFrame[],
  {
    columns,
    rows,
    timestamp,
    title,
  }: {
    readonly columns: number;
    readonly rows: number;
    readonly timestamp: number;
    readonly title: string;
  },
): string {
  const header = {
    version: 2,
    width: columns,
    height: rows,
    timestamp: Math.floor(timestamp / 1000),
    title,
    env: {TERM: 'xterm-256color'},
  };
  const events = frames.flatMap(({seconds, text, resized}) => [
    ...(resized === undefined ? [] : [[seconds, 'r', `${resized.columns}x${resized.rows}`]]),
    ...(text === '' ? [] : [[seconds, 'o', text]]),
  ]);
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

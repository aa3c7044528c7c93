/** A recording of a terminal in the format asciicast v2. */
export type Cast = {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  /** Output in the order of its time, in seconds. */
  readonly events: readonly CastEvent[];
};

export type CastEvent = {readonly at: number; readonly text: string};

export function formatCast({columns, rows, title, events}: Cast): string {
  const header = {version: 2, width: columns, height: rows, title, env: {TERM: 'xterm-256color'}};
  return [header, ...events.map(({at, text}) => [Number(at.toFixed(3)), 'o', text])]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** Throws on anything that is not a cast of version 2. */
export function parseCast(text: string): Cast {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const header = JSON.parse(first) as Readonly<Record<string, unknown>>;
  const {version, width, height, title} = header;
  if (version !== 2 || typeof width !== 'number' || typeof height !== 'number')
    throw new Error(`expected the header of an asciicast v2, got ${first.slice(0, 200)}`);
  const events = lines.map((line) => {
    const [at, kind, output] = JSON.parse(line) as readonly unknown[];
    if (typeof at !== 'number' || kind !== 'o' || typeof output !== 'string')
      throw new Error(`expected [time, "o", text], got ${line.slice(0, 200)}`);
    return {at, text: output};
  });
  return {columns: width, rows: height, title: typeof title === 'string' ? title : '', events};
}

/**
 * Whether output ends between two frames. The app puts each frame between two marks (synchronized
 * output); a player that stops between them would show half of it.
 */
export function isWholeFrame(output: string): boolean {
  return output.lastIndexOf('\u001B[?2026h') <= output.lastIndexOf('\u001B[?2026l');
}

/** Output with the real times of each step in milliseconds, and how long the step shall take. */
export type Segment = {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  readonly events: readonly CastEvent[];
};

/**
 * Puts one segment behind the other. One that took longer than it shall is played faster; after one
 * that took less, its last screen stays.
 */
export function fitSegments(segments: readonly Segment[]): readonly CastEvent[] {
  let start = 0;
  return segments.flatMap(({from, to, seconds, events}) => {
    const begin = start;
    start += seconds;
    const speed = Math.max(1, (to - from) / 1000 / seconds);
    return events.map(({at, text}) => ({
      at: begin + Math.min(seconds, Math.max(0, (at - from) / 1000 / speed)),
      text,
    }));
  });
}

import {isRecord} from '../shared/index.ts';
import {
  type Checks,
  type FieldsParseResult,
  isCount,
  isExtent,
  isPositive,
  isText,
  nullOr,
  undefinedOr,
  parseFields,
} from './fields.ts';

/** The files in a session's directory. Their names and contents are part of keeper protocol v1. */
export const sessionFiles = {
  launch: 'launch.json',
  meta: 'meta.json',
  exit: 'exit.json',
  /** The last input that was typed or about to be typed: 16 hexadecimal digits. */
  input: 'input',
  output: 'out',
} as const;

/** Files next to the sockets, shared by all keepers of the directory. */
export const sharedFiles = {
  /**
   * Empty. Its modification time is the last key press in any session; sessions that flood are
   * throttled meanwhile.
   */
  typing: 'typing',
} as const;

/** Limit on a socket path: some systems cut longer ones, and two sessions could then share one. */
export const maxSocketPathBytes = 100;

/** What to run, written by the program that starts the keeper. */
export type Launch = {
  readonly protocol: number;
  readonly session: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. The keeper adds only TERM, if it is missing, and the cookie. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** Inherited by every process of the session as ORCH_SESSION, so that each can be found. */
  readonly cookie: string;
  /** The secret that gives access to the keeper. */
  readonly token: string;
  readonly socket: string;
  /** How many bytes of the beginning and of the end of the output are saved. */
  readonly log: {readonly head: number; readonly tail: number};
};

/** Identifies a process uniquely. Null where the system does not tell. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks after boot: field 22 of /proc/<pid>/stat. */
  readonly startTime: number | null;
};

/** The keeper of a session, written when it listens. */
export type Meta = ProcessIdentity & {
  readonly protocol: number;
  readonly bootId: string | null;
  readonly socket: string;
  readonly session: string;
  readonly cookie: string;
  /** Written before the program starts: without it, nothing has run. `at` is wall clock, in ms. */
  readonly went?: {readonly at: number};
  readonly child?: ProcessIdentity & {readonly pts: string};
};

/**
 * How the program ended. `code` is null after a signal; `bytes` is the length of the output; `mono`
 * is in ns.
 */
export type ExitRecord = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly bytes: number;
  readonly at: number;
  readonly mono: string;
};

export const exitChecks: Checks<ExitRecord> = {
  code: nullOr(isCount),
  signal: nullOr(isText),
  bytes: isCount,
  at: isCount,
  mono: isText,
};

const launchChecks: Checks<Launch> = {
  protocol: isPositive,
  session: isText,
  argv: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  cwd: (value) => isText(value) && value.startsWith('/'),
  env: (value) =>
    isRecord(value) &&
    Object.entries(value).every(([name, text]) => /^[^=\0]+$/.test(name) && isText(text)),
  columns: isExtent,
  rows: isExtent,
  cookie: isText,
  token: (value) => isText(value) && value.length > 0,
  socket: (value) => isText(value) && value.startsWith('/'),
  log: (value) => isRecord(value) && isPositive(value['head']) && isPositive(value['tail']),
};

const metaChecks: Checks<Meta> = {
  protocol: isPositive,
  pid: isPositive,
  startTime: nullOr(isCount),
  bootId: nullOr(isText),
  socket: isText,
  session: isText,
  cookie: isText,
  went: undefinedOr((value) => isRecord(value) && isCount(value['at'])),
  child: undefinedOr(
    (value) =>
      isRecord(value) &&
      isPositive(value['pid']) &&
      nullOr(isCount)(value['startTime']) &&
      isText(value['pts']),
  ),
};

export function parseLaunch(value: unknown): FieldsParseResult<Launch> {
  return parseFields(value, launchChecks);
}

export function parseMeta(value: unknown): FieldsParseResult<Meta> {
  return parseFields(value, metaChecks);
}

export function parseExitRecord(value: unknown): FieldsParseResult<ExitRecord> {
  return parseFields(value, exitChecks);
}

/**
 * The output of a session on disk: segments, each named after the offset of its first byte, and
 * next to each a file with the times of its bytes. A segment ends with its file; the next may start
 * later, because the middle of long output is dropped.
 */
export type Segment = {readonly start: number; readonly end: number};

/**
 * From `offset` until the next mark, the output arrived `at` ms after the start, on a screen of
 * this size.
 */
export type TimeMark = {
  readonly at: number;
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
};

/** A number as a file name: 16 digits, so that names sort by number. */
export function toHex(number: number): string {
  return number.toString(16).padStart(16, '0');
}

export function parseHex(text: string): number | undefined {
  if (!/^[0-9a-f]{16}$/.test(text)) return undefined;
  const number = Number.parseInt(text, 16);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function toSegmentName(start: number): string {
  return toHex(start);
}

export function toTimesName(start: number): string {
  return `${toHex(start)}.times`;
}

/** The segments among the files of a directory, in order. */
export function parseSegmentStarts(names: readonly string[]): number[] {
  return names.flatMap((name) => parseHex(name) ?? []).sort((a, b) => a - b);
}

/** The offset of the first saved byte at or after `offset`; the end of the log if there is none. */
export function findNextRetained(segments: readonly Segment[], offset: number): number {
  const segment = segments.find(({end}) => offset < end);
  return segment === undefined ? (segments.at(-1)?.end ?? 0) : Math.max(offset, segment.start);
}

/**
 * A line: `<ms> <offset>`, with the size of the screen on the first line of a file and after each
 * change.
 */
export function encodeMark(
  at: number,
  offset: number,
  size?: {readonly columns: number; readonly rows: number},
): string {
  return size === undefined
    ? `${at} ${offset}\n`
    : `${at} ${offset} ${size.columns}x${size.rows}\n`;
}

/** The marks of one times file. A line that was cut off by a crash is skipped. */
export function parseMarks(text: string): TimeMark[] {
  const marks: TimeMark[] = [];
  for (const [, at, offset, columns, rows] of text.matchAll(/^(\d+) (\d+)(?: (\d+)x(\d+))?\n/gm)) {
    const size =
      columns === undefined ? marks.at(-1) : {columns: Number(columns), rows: Number(rows)};
    if (size !== undefined)
      marks.push({at: Number(at), offset: Number(offset), columns: size.columns, rows: size.rows});
  }

  return marks;
}

import {
  type Checks,
  type FieldsReading,
  isCount,
  isExtent,
  isPositive,
  isRecord,
  isText,
  nullOr,
  optional,
  readFields,
} from './fields.ts';

/** The files of a session's directory. Their names and contents are part of keeper protocol v1. */
export const sessionFiles = {
  launch: 'launch.json',
  meta: 'meta.json',
  exit: 'exit.json',
  /** The last input that was, or was about to be, typed: 16 hexadecimal digits. */
  input: 'input',
  output: 'out',
} as const;

/** Beside the sockets, shared by all keepers that have theirs there. */
export const sharedFiles = {
  /** Empty. Its time of change is when somebody last pressed a key in one of the sessions; sessions that flood rest a little meanwhile. */
  typing: 'typing',
} as const;

/** A socket's path in bytes: longer ones are cut by some systems, and then two sessions could meet on one. */
export const longestSocketPath = 100;

/** What to run, written by whoever starts the keeper. */
export type Launch = {
  readonly protocol: number;
  readonly session: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of the keeper's own is added but TERM, if it is missing, and the cookie. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** Inherited by every process of the session as ORCH_SESSION, so that each can be found. */
  readonly cookie: string;
  /** Whoever knows it may talk to the keeper. */
  readonly token: string;
  readonly socket: string;
  /** How many bytes of the beginning and of the end of the output are kept. */
  readonly log: {readonly head: number; readonly tail: number};
};

/** A process that can't be mistaken for another one. What the system does not tell is null. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks after boot: field 22 of /proc/<pid>/stat. */
  readonly startTime: number | null;
};

/** Who keeps the session, written when the keeper listens. */
export type Meta = ProcessIdentity & {
  readonly protocol: number;
  readonly bootId: string | null;
  readonly socket: string;
  readonly session: string;
  readonly cookie: string;
  /** Written before the program is started: without it, nothing has run. `at` is wall clock, in ms. */
  readonly went?: {readonly at: number};
  readonly child?: ProcessIdentity & {readonly pts: string};
};

/** How it ended. `code` is null if a signal ended it; `bytes` is the whole output; `mono` counts ns. */
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
  went: optional((value) => isRecord(value) && isCount(value['at'])),
  child: optional(
    (value) =>
      isRecord(value) &&
      isPositive(value['pid']) &&
      nullOr(isCount)(value['startTime']) &&
      isText(value['pts']),
  ),
};

export function readLaunch(value: unknown): FieldsReading<Launch> {
  return readFields(value, launchChecks);
}

export function readMeta(value: unknown): FieldsReading<Meta> {
  return readFields(value, metaChecks);
}

export function readExitRecord(value: unknown): FieldsReading<ExitRecord> {
  return readFields(value, exitChecks);
}

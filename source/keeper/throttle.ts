import {closeSync, openSync, statSync, utimesSync} from 'node:fs';
import {availableParallelism} from 'node:os';

/**
 * Frees memory once a session is quiet: garbage that V8 keeps after a flood is a tenth of a keeper.
 */
export type IdleGc = {
  /** Counts bytes that passed through. */
  readonly passed: (bytes: number) => void;
  readonly close: () => void;
};

const idleMs = 2000;
/** With less output a collection is not worth its cost. */
const minBytes = 256 * 1024;

export function createIdleGc(tidy: () => void, quiet = idleMs): IdleGc {
  let passed = 0;
  const clock = setTimeout(() => {
    if (passed < minBytes) return;
    passed = 0;
    tidy();
  }, quiet);
  clock.unref();
  return {
    passed: (bytes) => {
      passed += bytes;
      clock.refresh();
    },
    close: () => {
      clearTimeout(clock);
    },
  };
}

/**
 * A flooding session gives way to typing in another session:
 * docs/decisions/0010-flooding-sessions-give-way.md.
 */
export type FloodThrottle = {
  /** A key was pressed in this session. */
  readonly pressed: () => void;
  /** For how many milliseconds to stop reading after these bytes; usually 0. */
  readonly delayAfter: (bytes: number) => number;
};

export type FloodThrottleOptions = {
  /** Its modification time says when a key was last pressed in any session that shares the file. */
  readonly file: string;
  /** Wall clock, in milliseconds. */
  readonly now?: () => number;
  /** Number of processors. */
  readonly processors?: number;
};

/** A person who types does not pause longer while waiting for an echo. */
const typingMs = 2000;
/** How often key presses are recorded and looked for, in milliseconds. */
const rhythm = {notify: 200, look: 25};
/**
 * How much is read before a pause. With two processors this gives 2 MB/s, as much as tmux reads
 * from each of eight panes.
 */
const burst = 32 * 1024;
const restOfOneProcessor = 32;

export function createFloodThrottle({
  file,
  now = Date.now,
  processors = availableParallelism(),
}: FloodThrottleOptions): FloodThrottle {
  const rest = Math.max(1, Math.round(restOfOneProcessor / processors));
  let pressedAt = Number.NEGATIVE_INFINITY;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isSomebodyTyping = false;
  let unrested = 0;

  const look = (at: number): boolean => {
    if (Math.abs(at - lookedAt) < rhythm.look) return isSomebodyTyping;
    lookedAt = at;
    return isWithin(at, readChange(file), typingMs);
  };

  return {
    pressed: () => {
      pressedAt = now();
      if (isWithin(pressedAt, notifiedAt, rhythm.notify)) return;
      notifiedAt = pressedAt;
      touch(file, pressedAt);
    },
    delayAfter: (bytes) => {
      unrested += bytes;
      if (unrested < burst) return 0;
      unrested = 0;
      const at = now();
      isSomebodyTyping = look(at);
      // The person types in this session and waits for its output.
      return isSomebodyTyping && !isWithin(at, pressedAt, typingMs) ? rest : 0;
    },
  };
}

/** A time in the future, after the clock was set back, is not recent. */
function isWithin(at: number, before: number, max: number): boolean {
  return Math.abs(at - before) < max;
}

function readChange(file: string): number {
  return statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** Throttling must never make a session fail. */
function touch(file: string, at: number): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    utimesSync(file, at / 1000, at / 1000);
  } catch {
    // The directory is gone or the disk is full: no session is throttled.
  }
}

export type Throttle<T> = {
  /**
   * Passes the value on: at once after a pause, otherwise when the interval is over. A newer value
   * replaces a waiting one.
   */
  readonly next: (value: T) => void;
  readonly close: () => void;
};

export function createThrottle<T extends object>(
  interval: number,
  pass: (value: T) => void,
): Throttle<T> {
  let latest: T | undefined;
  let timer: NodeJS.Timeout | undefined;

  const step = (): void => {
    timer = undefined;
    if (latest === undefined) return;
    const value = latest;
    latest = undefined;
    timer = setTimeout(step, interval);
    pass(value);
  };

  return {
    next: (value) => {
      latest = value;
      if (timer === undefined) step();
    },
    close: () => {
      clearTimeout(timer);
    },
  };
}

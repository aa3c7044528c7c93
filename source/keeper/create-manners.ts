import {closeSync, openSync, statSync, utimesSync} from 'node:fs';
import {availableParallelism} from 'node:os';

/** Who floods gives way to whoever types in another session: docs/decisions/0010-flooding-sessions-give-way.md. */
export type Manners = {
  /** Somebody pressed a key in this session. */
  readonly pressed: () => void;
  /** So many bytes were read from the terminal; for so many milliseconds none shall be read. Mostly 0. */
  readonly restAfter: (bytes: number) => number;
};

export type MannersOptions = {
  /** Its time of change says when somebody last pressed a key in any session whose keeper shares it. */
  readonly file: string;
  /** Wall clock, in milliseconds. */
  readonly now?: () => number;
  /** Processors of this machine. */
  readonly processors?: number;
};

/** Nobody who types makes longer pauses and still waits for an echo. */
const typingMs = 2000;
/** How often keys are told, and how often they are looked for. */
const rhythm = {tell: 200, look: 25};
/** What is read in one go before resting. With two processors it makes 2 MB/s: what tmux reads of each of eight. */
const burst = 32 * 1024;
const restOfOneProcessor = 32;

export function createManners({
  file,
  now = Date.now,
  processors = availableParallelism(),
}: MannersOptions): Manners {
  const rest = Math.max(1, Math.round(restOfOneProcessor / processors));
  let pressedAt = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isSomebodyTyping = false;
  let unrested = 0;

  const look = (at: number): boolean => {
    if (Math.abs(at - lookedAt) < rhythm.look) return isSomebodyTyping;
    lookedAt = at;
    return isWithin(at, changeOf(file), typingMs);
  };

  return {
    pressed: () => {
      pressedAt = now();
      if (isWithin(pressedAt, toldAt, rhythm.tell)) return;
      toldAt = pressedAt;
      touch(file, pressedAt);
    },
    restAfter: (bytes) => {
      unrested += bytes;
      if (unrested < burst) return 0;
      unrested = 0;
      const at = now();
      isSomebodyTyping = look(at);
      // Here they type, and it is this output that they wait for.
      return isSomebodyTyping && !isWithin(at, pressedAt, typingMs) ? rest : 0;
    },
  };
}

/** A clock that was set back makes nothing recent. */
function isWithin(at: number, before: number, most: number): boolean {
  return Math.abs(at - before) < most;
}

function changeOf(file: string): number {
  return statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** Manners are no reason to fail. */
function touch(file: string, at: number): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    utimesSync(file, at / 1000, at / 1000);
  } catch {
    // A directory that is gone, a full disk: then nobody gives way.
  }
}

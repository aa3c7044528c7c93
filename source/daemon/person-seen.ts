import {tryReadText, writeWhole} from '../files/index.ts';

/** When the person was last seen here, and when they left the time before: what they missed lies behind that. */
export type Seen = {readonly at: number; readonly before?: number};

/** Who does nothing for so long was away, though the app is open. */
export const awayMs = 10 * 60_000;

export function arriving(seen: Seen | undefined, now: number): Seen {
  // A clock that was set back must not hide what happens from now on.
  return {at: now, ...(seen === undefined ? {} : {before: Math.min(seen.at, now)})};
}

export function staying(seen: Seen | undefined, now: number): Seen {
  return seen === undefined || now - seen.at >= awayMs ? arriving(seen, now) : {...seen, at: now};
}

export function readSeen(file: string): Seen | undefined {
  try {
    const {at, before} = JSON.parse(tryReadText(file, {maxBytes: 64 * 1024}) ?? '') as {readonly at?: unknown; readonly before?: unknown};
    if (typeof at !== 'number') return undefined;
    return typeof before === 'number' ? {at, before} : {at};
  } catch {
    return undefined;
  }
}

export function writeSeen(file: string, seen: Seen): void {
  writeWhole(file, JSON.stringify(seen));
}

import {awayMs} from '../documents/index.ts';
import {tryReadText, writeWhole} from '../files/index.ts';

/** When the person was last seen here, when they came, and when they had left before that: what they missed lies between. */
export type Seen = {readonly at: number; readonly came?: number; readonly before?: number};

export function arriving(seen: Seen | undefined, now: number): Seen {
  // A clock that was set back must not hide what happens from now on.
  return {at: now, came: now, ...(seen === undefined ? {} : {before: Math.min(seen.at, now)})};
}

export function staying(seen: Seen | undefined, now: number): Seen {
  return seen === undefined || now - seen.at >= awayMs ? arriving(seen, now) : {...seen, at: now};
}

export function readSeen(file: string): Seen | undefined {
  try {
    const {at, before, came} = JSON.parse(tryReadText(file, {maxBytes: 64 * 1024}) ?? '') as {
      readonly at?: unknown;
      readonly before?: unknown;
      readonly came?: unknown;
    };
    if (typeof at !== 'number') return undefined;
    return {
      at,
      ...(typeof came === 'number' && {came}),
      ...(typeof before === 'number' && {before}),
    };
  } catch {
    return undefined;
  }
}

export function writeSeen(file: string, seen: Seen): void {
  writeWhole(file, JSON.stringify(seen));
}

import type {After} from '../seam.ts';

export type Pacer = {
  /** Something changed by itself: at most 30 frames a second. */
  readonly soon: () => void;
  /** The person did something, or waits for its echo: at once, but no more often than a screen can show. */
  readonly atOnce: () => void;
  readonly close: () => void;
};

export type PacerOptions = {
  /** Whether anything was drawn: a look that showed nothing new does not make the next one wait. */
  readonly draw: () => boolean;
  readonly now: () => number;
  readonly after: After;
  /** Bytes that the terminal has not taken yet. */
  readonly backlog: () => number;
};

/** Says when to draw. With nothing asked for, nothing runs. */
export function createPacer({draw, now, after, backlog}: PacerOptions): Pacer {
  /** When it was looked last, and when there was something new to draw. */
  let looked = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let cancel = (): void => undefined;

  const run = (): void => {
    cancel();
    due = Number.POSITIVE_INFINITY;
    // A terminal that is behind gets the latest frame when it has caught up, and none of those in between.
    if (backlog() > mostBacklog) {
      plan(now() + background);
      return;
    }

    looked = now();
    if (draw()) last = looked;
  };

  const plan = (at: number): void => {
    if (at >= due) return;
    cancel();
    due = at;
    cancel = after(Math.max(0, at - now()), run);
  };

  /** A clock that was set back must not stop the screen. */
  const earliest = (from: number, gap: number): number => (from > now() ? now() : from + gap);

  return {
    soon() {
      plan(Math.max(now(), earliest(looked, background)));
    },
    atOnce() {
      const at = Math.max(earliest(last, personal), earliest(looked, shortest));
      if (at <= now()) run();
      else plan(at);
    },
    close() {
      cancel();
      due = Number.NEGATIVE_INFINITY;
    },
  };
}

const background = 1000 / 30;
const personal = 8;
/** After a look that showed nothing new: the echo of a key is not kept waiting by the look that came with the key. */
const shortest = 1;
const mostBacklog = 64 * 1024;

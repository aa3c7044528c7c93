import type {After} from '../seam.ts';

export type Pacer = {
  /** Something changed by itself: at most 30 frames a second. */
  readonly soon: () => void;
  /** The person did something, or waits for its echo: at once, but in the long run no more often than a screen can show. */
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
  /** When it was looked last, and up to when the screen's time is used: each frame takes its share of it. */
  let looked = Number.NEGATIVE_INFINITY;
  let used = Number.NEGATIVE_INFINITY;
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
    if (draw()) used = Math.max(used, looked) + personal;
  };

  const plan = (at: number): void => {
    if (at >= due) return;
    cancel();
    due = at;
    cancel = after(Math.max(0, at - now()), run);
  };

  /** A clock that was set back must not stop the screen. */
  const earliest = (at: number, longest: number): number => (at - now() > longest ? now() : at);

  return {
    soon() {
      plan(Math.max(now(), earliest(looked + background, background)));
    },
    atOnce() {
      const at = Math.max(earliest(used - credit, personal), earliest(looked + shortest, shortest));
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
/** A few frames may follow each other at once: who presses two keys within a moment waits for neither. */
const credit = 3 * personal;
/** After a look that showed nothing new: the echo of a key is not kept waiting by the look that came with the key. */
const shortest = 1;
const mostBacklog = 64 * 1024;

import type {After} from '../seam.ts';

export type Pacer = {
  /** Something changed by itself: at most 30 frames a second. */
  readonly soon: () => void;
  /** The person did something, or waits for its echo: at once, but no more often than a screen can show. */
  readonly atOnce: () => void;
  readonly close: () => void;
};

export type PacerOptions = {
  readonly draw: () => void;
  readonly now: () => number;
  readonly after: After;
  /** Bytes that the terminal has not taken yet. */
  readonly backlog: () => number;
};

/** Says when to draw. With nothing asked for, nothing runs. */
export function createPacer({draw, now, after, backlog}: PacerOptions): Pacer {
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

    last = now();
    draw();
  };

  const plan = (at: number): void => {
    if (at >= due) return;
    cancel();
    due = at;
    cancel = after(Math.max(0, at - now()), run);
  };

  /** A clock that was set back must not stop the screen. */
  const earliest = (gap: number): number => (last > now() ? now() : last + gap);

  return {
    soon() {
      plan(Math.max(now(), earliest(background)));
    },
    atOnce() {
      if (earliest(personal) <= now()) run();
      else plan(earliest(personal));
    },
    close() {
      cancel();
      due = Number.NEGATIVE_INFINITY;
    },
  };
}

const background = 1000 / 30;
const personal = 8;
const mostBacklog = 64 * 1024;

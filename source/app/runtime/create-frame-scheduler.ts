import type {After} from '../app-contract.ts';

export type FrameScheduler = {
  /** For background changes: at most 30 frames a second. */
  readonly soon: () => void;
  /**
   * For input of the person and its echo: without delay, but on average no more often than a screen
   * can show.
   */
  readonly atOnce: () => void;
  readonly close: () => void;
};

export type FrameSchedulerOptions = {
  /** Whether anything was drawn. A frame without changes does not delay the next one. */
  readonly draw: () => boolean;
  readonly now: () => number;
  readonly after: After;
  /** Bytes written to the terminal but not yet flushed. */
  readonly backlog: () => number;
};

/** Decides when to draw. Without requests, no timer runs. */
export function createFrameScheduler({
  draw,
  now,
  after,
  backlog,
}: FrameSchedulerOptions): FrameScheduler {
  /** When `draw` ran last, and until when the frame budget is used: each frame takes its share. */
  let drawnAt = Number.NEGATIVE_INFINITY;
  let usedUntil = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let cancel = (): void => undefined;

  const run = (): void => {
    cancel();
    due = Number.POSITIVE_INFINITY;
    // A slow terminal gets the latest frame once it has caught up, and skips those in between.
    if (backlog() > maxBacklogBytes) {
      schedule(now() + backgroundMs);
      return;
    }

    drawnAt = now();
    if (draw()) usedUntil = Math.max(usedUntil, drawnAt) + personalMs;
  };

  const schedule = (at: number): void => {
    if (at >= due) return;
    cancel();
    due = at;
    cancel = after(Math.max(0, at - now()), run);
  };

  /** A clock that was set back must not stop the screen. */
  const earliest = (at: number, maxWaitMs: number): number => (at - now() > maxWaitMs ? now() : at);

  return {
    soon() {
      schedule(Math.max(now(), earliest(drawnAt + backgroundMs, backgroundMs)));
    },
    atOnce() {
      const at = Math.max(
        earliest(usedUntil - creditMs, personalMs),
        earliest(drawnAt + minGapMs, minGapMs),
      );
      if (at <= now()) run();
      else schedule(at);
    },
    close() {
      cancel();
      due = Number.NEGATIVE_INFINITY;
    },
  };
}

const backgroundMs = 1000 / 30;
const personalMs = 8;
/** A few frames may follow each other without delay, so that two quick keys do not wait. */
const creditMs = 3 * personalMs;
/**
 * The gap after a frame without changes: the frame of a key must not delay the frame of its echo.
 */
const minGapMs = 1;
const maxBacklogBytes = 64 * 1024;

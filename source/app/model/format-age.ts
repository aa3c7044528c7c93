import {formatDuration, formatShortDuration} from '../../shared/index.ts';

/** The clock of the screens: running times and ages change together, at its steps. */
export const clockStepMs = 10_000;

/**
 * How long something has been running or waiting at a step of the clock: `<10s`, `10s`, `2m10`.
 * It grows by the same amount at every step, whenever it began.
 */
export function formatRunningTime(ms: number): string {
  return ms > 0 ? formatDuration(toSteps(ms)) : beforeFirstStep;
}

/** The same in its largest unit: `<10s`, `50s`, `2m`, `3h`. */
export function formatWaitingTime(ms: number): string {
  return ms > 0 ? formatShortDuration(toSteps(ms)) : beforeFirstStep;
}

/** How long a task took so far; exactly, once it is over. */
export function formatTaskTime({
  sign,
  elapsedMs,
}: {
  readonly sign: string;
  readonly elapsedMs: number;
}): string {
  return overSigns.has(sign) ? formatDuration(elapsedMs) : formatRunningTime(elapsedMs);
}

const overSigns: ReadonlySet<string> = new Set(['merged', 'stopped', 'discarded']);

/** Steps since it began: the clock was at the step before. */
function toSteps(ms: number): number {
  return Math.ceil(ms / clockStepMs) * clockStepMs;
}

const beforeFirstStep = '<10s';

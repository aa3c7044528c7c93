import {readdirSync} from 'node:fs';
import {readIfThere} from '../sessions/world.ts';

/** In hundredths of a second, of processes that are there. */
export function getTicks(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields =
      readIfThere(`/proc/${pid}/stat`)
        ?.replace(/^.*\) /s, '')
        .split(' ') ?? [];
    return sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }, 0);
}

/** PSS in MiB. */
export function toUiState(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) =>
      sum +
      Number(/^Pss: +(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) /
        1024,
    0,
  );
}

/** Milliseconds of processor time so far, of all threads: finer than ticks. */
export function getRunMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) =>
      sum + Number(readIfThere(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[0] ?? 0) / 1e6,
    0,
  );
}

import {isCount, isRecord} from './fields.ts';

/** In the state directory: the daemons that were started of late and were not asked to end. Whoever has the daemon's lock writes it. */
export const daemonStartsFile = 'starts.json';

/** `at` is wall clock, in milliseconds. */
export type DaemonStart = {readonly pid: number; readonly at: number};

/** So long a start counts. */
export const startsWindowMs = 60_000;

export function readDaemonStarts(text: string): DaemonStart[] {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value.filter(isStart).map(({pid, at}) => ({pid, at})) : [];
  } catch {
    return [];
  }
}

function isStart(value: unknown): value is DaemonStart {
  return isRecord(value) && isCount(value['pid']) && isCount(value['at']);
}

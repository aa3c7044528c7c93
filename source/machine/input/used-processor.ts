import {isSameProcess, type Process} from '../process/process.ts';
import type {Sample} from '../process/usage-between.ts';

/** A shorter time shows nothing: processor time is counted in ticks of 10 ms. */
const shortestMs = 1000;

/** A tick may fall due for a microsecond's work. */
const noiseMs = 10;

/** Whether the processes used the processor between the samples; nothing when these cannot tell. */
export function usedProcessor(
  processes: readonly Process[],
  sample: Sample,
  earlier: Sample | undefined,
): boolean | undefined {
  if (earlier === undefined || sample.at - earlier.at < shortestMs) return undefined;
  let used = 0;
  for (const {identity, cpuMs} of processes) {
    const before = earlier.processes.find((process) => isSameProcess(process.identity, identity));
    if (before === undefined) return undefined;
    used += cpuMs - before.cpuMs;
  }

  return used > noiseMs;
}

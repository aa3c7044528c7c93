import {isSameProcess, type Process} from './process.ts';

/** Some processes as they were at one moment. */
export type Sample = {readonly at: number; readonly processes: readonly Process[]};

export type Usage = {
  /** Processors kept busy: 1 is one whole core. */
  readonly cpu: number;
  /** Resident bytes; what processes share is counted for each. */
  readonly memory: number;
};

/** What the later processes used since the earlier moment. One that ended in between has taken its figures along. */
export function usageBetween(earlier: Sample, later: Sample): Usage {
  const elapsed = later.at - earlier.at;
  const used = later.processes.map((process) => process.cpuMs - cpuBefore(process, earlier));
  return {
    cpu: elapsed > 0 ? sum(used) / elapsed : 0,
    memory: sum(later.processes.map(({memory}) => memory)),
  };
}

/** One that was there but not looked at counts as idle. */
function cpuBefore({identity, startedAt, cpuMs}: Process, {at, processes}: Sample): number {
  const same = processes.find((process) => isSameProcess(process.identity, identity));
  return same?.cpuMs ?? (startedAt < at ? cpuMs : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

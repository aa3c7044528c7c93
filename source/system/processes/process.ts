/** A pid is reused; together with its start time and the boot it is unique. */
export type ProcessKey = {
  readonly pid: number;
  /**
   * In the kernel's own unit: on Linux ticks since boot (field 22 of `/proc/<pid>/stat`), on macOS
   * seconds since 1970.
   */
  readonly startTime: number;
  readonly bootId: string;
};

export type Process = {
  readonly identity: ProcessKey;
  readonly uid: number;
  readonly parent: number;
  readonly group: number;
  /**
   * The kernel session: the pid of the ancestor that called setsid. 0 on macOS, where `ps` does not
   * report it.
   */
  readonly session: number;
  /** The controlling terminal, as `/dev/pts/3`. */
  readonly terminal?: string;
  /** The process group in the foreground of that terminal; -1 without one. */
  readonly foreground: number;
  /** One letter: R runs, S sleeps, D waits for a disk, T is stopped, Z is dead and not reaped. */
  readonly state: string;
  /** Processor time used so far, in milliseconds; grows in ticks of 10. */
  readonly cpuMs: number;
  /** Processor time of its reaped children. Absent where the kernel does not report it. */
  readonly reapedMs?: number;
  /** Resident bytes. */
  readonly memory: number;
  /** Wall clock, in milliseconds. */
  readonly startedAt: number;
  readonly name: string;
};

export function isSameProcessKey(a: ProcessKey, b: ProcessKey): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
}

/** True for a zombie as well: dead, but not reaped. */
export function isDead({state}: Pick<Process, 'state'>): boolean {
  return state === 'Z' || state === 'X';
}

export function isStopped({state}: Pick<Process, 'state'>): boolean {
  return state === 'T' || state === 't';
}

/** Processes at one point in time. */
export type ProcessSample = {readonly at: number; readonly processes: readonly Process[]};

export type ProcessUsage = {
  /** Processor usage: 1 is one full core. */
  readonly cpu: number;
  /** Resident bytes; shared memory counts for each process. */
  readonly memory: number;
};

/**
 * Usage of the later processes since the earlier sample. Processes that ended in between do not
 * count.
 */
export function usageBetween(earlier: ProcessSample, later: ProcessSample): ProcessUsage {
  const elapsed = later.at - earlier.at;
  const used = later.processes.map((process) => process.cpuMs - cpuBefore(process, earlier));
  return {
    cpu: elapsed > 0 ? sum(used) / elapsed : 0,
    memory: sum(later.processes.map(({memory}) => memory)),
  };
}

/** A process that existed but is not in the earlier sample counts as idle. */
function cpuBefore({identity, startedAt, cpuMs}: Process, {at, processes}: ProcessSample): number {
  const same = processes.find((process) => isSameProcessKey(process.identity, identity));
  return same?.cpuMs ?? (startedAt < at ? cpuMs : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The visible ancestors of a process, nearest first. A child is never older than its parent. */
export function getAncestors(process: Process, processes: readonly Process[]): Process[] {
  const ancestors: Process[] = [];
  for (let child = process; ;) {
    const parent = processes.find(({identity}) => identity.pid === child.parent);
    if (
      parent === undefined ||
      parent.identity.startTime > child.identity.startTime ||
      ancestors.includes(parent)
    )
      return ancestors;
    ancestors.push(parent);
    child = parent;
  }
}

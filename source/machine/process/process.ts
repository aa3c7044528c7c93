/** A pid is used again; together with the moment of its start and the boot it is not. */
export type ProcessIdentity = {
  readonly pid: number;
  /** In the kernel's own unit: on Linux ticks since boot (field 22 of `/proc/<pid>/stat`), on macOS seconds since 1970. */
  readonly startTime: number;
  readonly bootId: string;
};

export type Process = {
  readonly identity: ProcessIdentity;
  readonly uid: number;
  readonly parent: number;
  readonly group: number;
  /** The kernel's session: the pid of the ancestor that called setsid. 0 on macOS, where `ps` does not tell. */
  readonly session: number;
  /** The controlling terminal, as `/dev/pts/3`. */
  readonly terminal?: string;
  /** The process group in the foreground of that terminal; -1 without one. */
  readonly foreground: number;
  /** One letter: R runs, S sleeps, D waits for a disk, T is stopped, Z is dead, with all its threads, and not yet reaped. */
  readonly state: string;
  /** Processor time used so far, in milliseconds; grows in ticks of 10. */
  readonly cpuMs: number;
  /** The same of its children that have ended and that it has waited for. Absent where the kernel does not tell. */
  readonly reapedMs?: number;
  /** Resident bytes. */
  readonly memory: number;
  /** Wall clock, in milliseconds. */
  readonly startedAt: number;
  readonly name: string;
};

export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
}

/** Dead, though its parent has not asked for its exit status yet. */
export function isDead({state}: Pick<Process, 'state'>): boolean {
  return state === 'Z' || state === 'X';
}

export function isStopped({state}: Pick<Process, 'state'>): boolean {
  return state === 'T' || state === 't';
}

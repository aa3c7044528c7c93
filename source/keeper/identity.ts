import fs from 'node:fs';

/** Field 22 of /proc/<pid>/stat: with it, a number that was given to a new process is not taken for the old one. */
export function startTimeOf(pid: number): number | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name, in parentheses; it may itself hold spaces and parentheses.
  const ticks = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isSafeInteger(ticks) ? ticks : null;
}

export function readBootId(): string | null {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

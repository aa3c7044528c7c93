import {readFileSync} from 'node:fs';
import type {ProcessIdentity} from '../protocol/index.ts';

export function identityOf(pid: number): ProcessIdentity {
  return {pid, startTime: startTimeOf(pid)};
}

/** Whether it is there and is no other one that was given the same number. Where the system can't tell, it is believed. */
export function isStill({pid, startTime}: ProcessIdentity): boolean {
  return startTime === null ? startTimeOf(process.pid) === null : startTime === startTimeOf(pid);
}

export function readBootId(): string | null {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function startTimeOf(pid: number): number | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // Field 22. The second one is the program's name in parentheses, and may itself hold spaces and parentheses.
  const ticks = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isSafeInteger(ticks) ? ticks : null;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

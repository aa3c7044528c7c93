import {printable} from '../printable.ts';
import type {Process} from './process.ts';
import type {Boot} from './read-boot.ts';

/** PF_KTHREAD of include/linux/sched.h. */
const kernelThread = 0x20_00_00;

/**
 * Reads `/proc/<pid>/stat`; the kernel's own threads are no processes. The name stands in parentheses and may hold
 * anything, parentheses, spaces and newlines among it; behind the last parenthesis there are only numbers.
 */
export function readStat(text: string, boot: Boot): Omit<Process, 'uid'> | undefined {
  const nameStart = text.indexOf('(') + 1;
  const nameEnd = text.lastIndexOf(')');
  // Fields 3 to 24 of proc(5): field n is numbers[n - 4].
  const [state = '', ...rest] = text.slice(nameEnd + 2).split(' ', 22);
  const numbers = rest.map(Number);
  const field = (number: number): number => numbers[number - 4] ?? Number.NaN;
  const pid = Number.parseInt(text, 10);
  if (
    nameStart === 0 ||
    Number.isNaN(pid) ||
    Number.isNaN(field(24)) ||
    (field(9) & kernelThread) !== 0
  )
    return undefined;
  const terminal = terminalOf(field(7));
  const milliseconds = (ticks: number): number => (ticks * 1000) / boot.ticksPerSecond;
  return {
    identity: {pid, startTime: field(22), bootId: boot.bootId},
    parent: field(4),
    group: field(5),
    session: field(6),
    ...(terminal === undefined ? {} : {terminal}),
    foreground: field(8),
    // Of the first thread. It may have ended while others go on; the process is dead when it is the last one.
    state: state === 'Z' && field(20) > 1 ? 'S' : state,
    cpuMs: milliseconds(field(14) + field(15)),
    reapedMs: milliseconds(field(16) + field(17)),
    memory: field(24) * boot.pageSize,
    startedAt: Math.round(boot.bootedAt + milliseconds(field(22))),
    name: printable(text.slice(nameStart, nameEnd)),
  };
}

/** The kernel gives a device number: 136 is the major number of pseudo terminals, 4 that of consoles and serial lines. */
function terminalOf(device: number): string | undefined {
  if (device === 0) return undefined;
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major === 136) return `/dev/pts/${minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : `device ${major}:${minor}`;
}

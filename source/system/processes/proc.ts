import path from 'node:path';
import {readFileSync, readdirSync, statSync, readlinkSync} from 'node:fs';
import {getValue, type Kernel, mapInSlices, printable, tryRead} from '../kernel.ts';
import {isDead, type Process} from './process.ts';

/** Units and offsets of the numbers in `/proc/<pid>/stat`. */
export type Boot = {
  readonly bootId: string;
  /** Wall clock, in milliseconds. */
  readonly bootedAt: number;
  readonly ticksPerSecond: number;
  readonly pageSize: number;
};

/**
 * Keys of the auxiliary vector (`getauxval(3)`), the only source of both values without a system
 * call.
 */
const pageSizeKey = 6n;
const ticksKey = 17n;

export function readBoot(kernel: Kernel): Boot | undefined {
  const text = (file: string): string | undefined =>
    getValue(tryRead(() => readFileSync(path.join(kernel.proc, file), 'utf8')));
  const bootId = text('sys/kernel/random/boot_id')?.trim();
  const uptime = Number.parseFloat(text('uptime') ?? '');
  if (bootId === undefined || bootId === '' || Number.isNaN(uptime)) return undefined;
  const vector = parseAuxVector(
    getValue(tryRead(() => readFileSync(path.join(kernel.proc, 'self/auxv')))),
  );
  return {
    bootId,
    bootedAt: kernel.now() - uptime * 1000,
    ticksPerSecond: vector.get(ticksKey) ?? 100,
    pageSize: vector.get(pageSizeKey) ?? 4096,
  };
}

function parseAuxVector(bytes: Buffer | undefined): ReadonlyMap<bigint, number> {
  const pairs = new Map<bigint, number>();
  for (let offset = 0; bytes !== undefined && offset + 16 <= bytes.length; offset += 16) {
    pairs.set(bytes.readBigUInt64LE(offset), Number(bytes.readBigUInt64LE(offset + 8)));
  }

  return pairs;
}

/** PF_KTHREAD of include/linux/sched.h. */
const kernelThread = 0x20_00_00;

/**
 * Parses `/proc/<pid>/stat`; undefined for kernel threads. The name is in parentheses and can
 * contain anything, also parentheses, spaces and newlines; after the last parenthesis there are
 * only numbers.
 */
export function parseStat(text: string, boot: Boot): Omit<Process, 'uid'> | undefined {
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
  const terminal = toTerminalPath(field(7));
  const milliseconds = (ticks: number): number => (ticks * 1000) / boot.ticksPerSecond;
  return {
    identity: {pid, startTime: field(22), bootId: boot.bootId},
    parent: field(4),
    group: field(5),
    session: field(6),
    ...(terminal === undefined ? {} : {terminal}),
    foreground: field(8),
    // The state is the first thread's. With other threads left, the process is not dead.
    state: state === 'Z' && field(20) > 1 ? 'S' : state,
    cpuMs: milliseconds(field(14) + field(15)),
    reapedMs: milliseconds(field(16) + field(17)),
    memory: field(24) * boot.pageSize,
    startedAt: Math.round(boot.bootedAt + milliseconds(field(22))),
    name: printable(text.slice(nameStart, nameEnd)),
  };
}

/**
 * The kernel reports a device number: major 136 is a pseudo terminal, 4 a console or serial line.
 */
function toTerminalPath(device: number): string | undefined {
  if (device === 0) return undefined;
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major === 136) return `/dev/pts/${minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : `device ${major}:${minor}`;
}

/** Environment variable that every process of a session inherits. */
export const cookieName = 'ORCH_SESSION';

const cookiePattern = new RegExp(String.raw`(?:^|\0)${cookieName}=(?<cookie>[^\0]*)`);

/**
 * pid → the cookie that the process was started with. Processes without one, or with an unreadable
 * environment, are absent.
 */
export type Cookies = ReadonlyMap<number, string>;

/**
 * Empty on macOS: `ps -E` mixes environment and arguments there, so any process could claim a
 * cookie.
 */
export async function readCookies(processes: readonly Process[], kernel: Kernel): Promise<Cookies> {
  if (kernel.platform !== 'linux') return new Map();
  const candidates = processes.filter(
    (process) => !isDead(process) && (kernel.uid === 0 || process.uid === kernel.uid),
  );
  const found = await mapInSlices(
    candidates,
    ({identity: {pid}}): readonly [number, string] | undefined => {
      const cookie = parseCookie(fromAnyThread(pid, kernel, readEnvironment) ?? '');
      return cookie === undefined ? undefined : [pid, cookie];
    },
  );
  return new Map(found);
}

function readEnvironment(directory: string): string | undefined {
  const text = getValue(tryRead(() => readFileSync(`${directory}/environ`, 'utf8')));
  return text === '' ? undefined : text;
}

/** The first match counts, as for getenv(3). */
function parseCookie(environment: string): string | undefined {
  return cookiePattern.exec(environment)?.groups?.['cookie'];
}

/**
 * `audit`: the audit session of the process's login; absent when it is not set. `uids`: real,
 * effective, saved and file system.
 */
export type Credentials = {readonly audit?: number; readonly uids: readonly number[]};

/** The kernel's value for "not set". */
const unsetLogin = 4_294_967_295;

/**
 * Reads `status`, not the owner of the directory: that is root for every process that made itself
 * non-dumpable. A process without an audit login can set one; once set, it and its children keep it
 * (`audit_set_loginuid_perm` of the kernel).
 */
export function readCredentials(pid: number, kernel: Kernel): Credentials {
  const text = (file: string): string =>
    getValue(tryRead(() => readFileSync(`${kernel.proc}/${pid}/${file}`, 'utf8'))) ?? '';
  const audit = Number(text('sessionid').trim() || unsetLogin);
  const [, uids = ''] = /^Uid:\s*(.*)$/m.exec(text('status')) ?? [];
  return {
    uids: uids
      .split(/\s+/)
      .filter((one) => one !== '')
      .map(Number),
    ...(Number.isInteger(audit) && audit !== unsetLogin && {audit}),
  };
}

/** Undefined when the process is gone. The owner of the directory is the process's user. */
export function readFromProc(pid: number, boot: Boot, kernel: Kernel): Process | undefined {
  const directory = `${kernel.proc}/${pid}`;
  const uid = statSync(directory, {throwIfNoEntry: false})?.uid;
  const text = getValue(tryRead(() => readFileSync(`${directory}/stat`, 'utf8')));
  if (uid === undefined || text === undefined) return undefined;
  const stat = parseStat(text, boot);
  return stat === undefined ? undefined : {...stat, uid};
}

/** Reads all processes in one pass; one that ends meanwhile is left out. */
export function readAllFromProc(boot: Boot, kernel: Kernel): Promise<Process[]> {
  const pids = readdirSync(kernel.proc)
    .map(Number)
    .filter((pid) => Number.isInteger(pid));
  return mapInSlices(pids, (pid) => readFromProc(pid, boot, kernel));
}

/**
 * The command line for display, which the process can overwrite; the process name when it is empty.
 */
export function readCommand(process: Process, kernel: Kernel): string {
  const command = printable(readArguments(process, kernel).join(' '));
  return command === '' ? process.name : command;
}

/** The command line as it is, the program first; empty when it cannot be read. */
export function readArguments({identity}: Process, kernel: Kernel): string[] {
  const text =
    getValue(
      tryRead(() => readFileSync(path.join(kernel.proc, String(identity.pid), 'cmdline'), 'utf8')),
    ) ?? '';
  return text.replace(/\0+$/, '').split('\0');
}

/** The name of the program file. A process can change its own name, and Node's is `MainThread`. */
export function readProgram({identity, name}: Process, kernel: Kernel): string {
  const file = getValue(
    tryRead(() => readlinkSync(path.join(kernel.proc, String(identity.pid), 'exe'))),
  );
  return file === undefined ? name : printable(path.basename(file.replace(/ \(deleted\)$/, '')));
}

/**
 * Reads from `/proc/<pid>`, which shows the first thread. That directory is empty when the first
 * thread ended before the others (by itself, or for a moment while the process is killed); then the
 * other threads are tried.
 */
export function fromAnyThread<T>(
  pid: number,
  kernel: Kernel,
  read: (directory: string) => T | undefined,
): T | undefined {
  const directory = `${kernel.proc}/${pid}`;
  const first = read(directory);
  if (first !== undefined) return first;
  for (const thread of getValue(tryRead(() => readdirSync(`${directory}/task`))) ?? []) {
    const found = Number(thread) === pid ? undefined : read(`${directory}/task/${thread}`);
    if (found !== undefined) return found;
  }

  return undefined;
}

/**
 * Inodes of the sockets that a process has open, from its `fd` directory; undefined when no open
 * file can be read. For `fromAnyThread`.
 */
export function readSocketInodes(directory: string): readonly number[] | undefined {
  const files = getValue(tryRead(() => readdirSync(`${directory}/fd`)));
  if (files === undefined || files.length === 0) return undefined;
  return files.flatMap((file) => {
    const link = getValue(tryRead(() => readlinkSync(`${directory}/fd/${file}`)));
    return link?.startsWith('socket:[') === true ? Number.parseInt(link.slice(8), 10) : [];
  });
}

/**
 * Voluntary context switches of a process: the count does not change while it sleeps. Undefined
 * where the kernel does not report it.
 */
export function readSwitches(pid: number, {proc}: Kernel): number | undefined {
  try {
    const count = /^voluntary_ctxt_switches:\s*(?<count>\d+)$/m.exec(
      readFileSync(path.join(proc, String(pid), 'status'), 'utf8'),
    )?.groups?.['count'];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}

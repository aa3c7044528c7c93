import path from 'node:path';
import {closeSync, openSync, readFileSync, readSync} from 'node:fs';
import {getValue, type Kernel, tryRead} from '../kernel.ts';

/**
 * System calls that matter here. In any other call a thread waits for something else than the
 * terminal.
 */
export type SystemCall =
  'read' | 'poll' | 'ppoll' | 'select' | 'pselect' | 'epoll' | 'futex' | 'sigwait' | 'unclear';

/**
 * `unclear`: restart_syscall, which hides the call that it resumes, and io_uring_enter, which waits
 * for anything.
 */
const x64: Readonly<Record<number, SystemCall>> = {
  0: 'read',
  19: 'read',
  7: 'poll',
  271: 'ppoll',
  23: 'select',
  270: 'pselect',
  232: 'epoll',
  281: 'epoll',
  441: 'epoll',
  202: 'futex',
  128: 'sigwait',
  219: 'unclear',
  426: 'unclear',
};

/** The numbers of asm-generic/unistd.h. */
const generic: Readonly<Record<number, SystemCall>> = {
  63: 'read',
  65: 'read',
  73: 'ppoll',
  72: 'pselect',
  22: 'epoll',
  441: 'epoll',
  98: 'futex',
  137: 'sigwait',
  128: 'unclear',
  426: 'unclear',
};

/** System call numbers by architecture; unknown architectures have none. */
export const systemCalls: Readonly<Record<string, Readonly<Record<number, SystemCall>>>> = {
  x64,
  arm64: generic,
  riscv64: generic,
  loong64: generic,
};

/** The files that a thread waits for in poll, select or epoll. */
export type WaitedFiles = {
  /** File descriptors that it waits to read from. */
  readonly toRead: readonly number[];
  /** It also waits to write. */
  readonly writes: boolean;
  readonly hasTimeLimit: boolean;
};

/** Larger sets are not read: no program that waits for a person has more. */
const maxFiles = 1024;

/**
 * The same bits in poll and epoll: POLLIN, POLLPRI, POLLRDNORM and POLLRDBAND are for reading,
 * POLLOUT for writing.
 */
const readBits = 0x00_c3;
const writeBits = 0x03_04;

type Interest = {readonly file: number; readonly bits: number};

/**
 * Reads the sets from the memory of the process, because the arguments are pointers. Undefined when
 * it cannot be read.
 */
export function readWaitedFiles(
  call: SystemCall,
  argv: readonly bigint[],
  pid: number,
  kernel: Kernel,
): WaitedFiles | undefined {
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = argv;
  switch (call) {
    case 'poll':
      return toWaitedFiles(readPollSet(pid, first, Number(second), kernel), !isForever(third));
    case 'ppoll':
      return toWaitedFiles(readPollSet(pid, first, Number(second), kernel), third !== 0n);
    case 'select':
    case 'pselect': {
      const sets = (
        [
          [second, readBits],
          [third, writeBits],
          [fourth, readBits],
        ] as const
      ).map(([address, bits]) => readBitSet(pid, address, Number(first), bits, kernel));
      return toWaitedFiles(
        sets.includes(undefined) ? undefined : sets.flatMap((set) => set ?? []),
        fifth !== 0n,
      );
    }

    default:
      return toWaitedFiles(readEpollSet(pid, first, kernel), !isForever(fourth));
  }
}

function toWaitedFiles(
  interests: readonly Interest[] | undefined,
  hasTimeLimit: boolean,
): WaitedFiles | undefined {
  if (interests === undefined) return undefined;
  const toRead = new Set(
    interests.filter(({bits}) => (bits & readBits) !== 0).map(({file}) => file),
  );
  return {
    toRead: [...toRead],
    writes: interests.some(({bits}) => (bits & writeBits) !== 0),
    hasTimeLimit,
  };
}

/** Whether the lower half of a register is a negative int; the upper half can have any value. */
function isForever(milliseconds: bigint): boolean {
  return BigInt.asIntN(32, milliseconds) < 0n;
}

/** `struct pollfd {int fd; short events, revents}`; a negative fd is skipped by the kernel. */
function readPollSet(
  pid: number,
  address: bigint,
  count: number,
  kernel: Kernel,
): Interest[] | undefined {
  const bytes = count > maxFiles ? undefined : readMemory(pid, address, count * 8, kernel);
  return (
    bytes &&
    Array.from({length: count}, (_, index) => ({
      file: bytes.readInt32LE(index * 8),
      bits: bytes.readUInt16LE(index * 8 + 4),
    })).filter(({file}) => file >= 0)
  );
}

/** `fd_set`: one bit per file, in words of 64. */
function readBitSet(
  pid: number,
  address: bigint,
  count: number,
  bits: number,
  kernel: Kernel,
): Interest[] | undefined {
  if (address === 0n) return [];
  const bytes =
    count > maxFiles ? undefined : readMemory(pid, address, Math.ceil(count / 64) * 8, kernel);
  return (
    bytes &&
    Array.from({length: count}, (_, file) => ({file, bits})).filter(
      ({file}) => ((bytes[file >> 3] ?? 0) & (1 << (file & 7))) !== 0,
    )
  );
}

/** `tfd:       18 events:       19 data: …`, the events in hexadecimal. */
function readEpollSet(pid: number, file: bigint, kernel: Kernel): Interest[] | undefined {
  const text = getValue(
    tryRead(() =>
      readFileSync(path.join(kernel.proc, String(pid), 'fdinfo', String(file)), 'utf8'),
    ),
  );
  const rows = text?.matchAll(/^tfd: *(?<file>\d+) events: *(?<bits>[\da-f]+)/gm);
  return (
    rows &&
    Array.from(rows, ({groups}) => ({
      file: Number(groups?.['file']),
      bits: Number.parseInt(groups?.['bits'] ?? '', 16),
    }))
  );
}

function readMemory(
  pid: number,
  address: bigint,
  length: number,
  kernel: Kernel,
): Buffer | undefined {
  const memory = getValue(tryRead(() => openSync(path.join(kernel.proc, String(pid), 'mem'), 'r')));
  if (memory === undefined) return undefined;
  const bytes = Buffer.alloc(length);
  const count = getValue(tryRead(() => readSync(memory, bytes, 0, length, address)));
  closeSync(memory);
  return count === length ? bytes : undefined;
}

import {closeSync, openSync, readFileSync, readSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import type {SystemCall} from './system-calls.ts';

/** What a thread waits for in poll, select or epoll. */
export type WaitedFiles = {
  /** Of which it waits for something to read. */
  readonly toRead: readonly number[];
  /** It also waits until it can write somewhere. */
  readonly writes: boolean;
  readonly hasTimeLimit: boolean;
};

/** More than any program that waits for a person has; a larger set is not looked into. */
const mostFiles = 1024;

/** The same bits in poll and epoll: POLLIN, POLLPRI, POLLRDNORM and POLLRDBAND are for reading, POLLOUT for writing. */
const readBits = 0x00_c3;
const writeBits = 0x03_04;

type Interest = {readonly file: number; readonly bits: number};

/** The arguments only point to the sets, which lie in the memory of the process. Nothing when they cannot be read. */
export function readWaitedFiles(
  call: SystemCall,
  argv: readonly bigint[],
  pid: number,
  kernel: Kernel,
): WaitedFiles | undefined {
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = argv;
  switch (call) {
    case 'poll':
      return waitedOf(readPollSet(pid, first, Number(second), kernel), !isForever(third));
    case 'ppoll':
      return waitedOf(readPollSet(pid, first, Number(second), kernel), third !== 0n);
    case 'select':
    case 'pselect': {
      const sets = (
        [
          [second, readBits],
          [third, writeBits],
          [fourth, readBits],
        ] as const
      ).map(([address, bits]) => readBitSet(pid, address, Number(first), bits, kernel));
      return waitedOf(
        sets.includes(undefined) ? undefined : sets.flatMap((set) => set ?? []),
        fifth !== 0n,
      );
    }

    default:
      return waitedOf(readEpollSet(pid, first, kernel), !isForever(fourth));
  }
}

function waitedOf(
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

/** A negative int, of which the upper half of the register may hold anything. */
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
  const bytes = count > mostFiles ? undefined : readMemory(pid, address, count * 8, kernel);
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
    count > mostFiles ? undefined : readMemory(pid, address, Math.ceil(count / 64) * 8, kernel);
  return (
    bytes &&
    Array.from({length: count}, (_, file) => ({file, bits})).filter(
      ({file}) => ((bytes[file >> 3] ?? 0) & (1 << (file & 7))) !== 0,
    )
  );
}

/** `tfd:       18 events:       19 data: …`, the events in hexadecimal. */
function readEpollSet(pid: number, file: bigint, kernel: Kernel): Interest[] | undefined {
  const text = valueOf(
    lookAt(() => readFileSync(path.join(kernel.proc, String(pid), 'fdinfo', String(file)), 'utf8')),
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
  const memory = valueOf(lookAt(() => openSync(path.join(kernel.proc, String(pid), 'mem'), 'r')));
  if (memory === undefined) return undefined;
  const bytes = Buffer.alloc(length);
  const count = valueOf(lookAt(() => readSync(memory, bytes, 0, length, address)));
  closeSync(memory);
  return count === length ? bytes : undefined;
}

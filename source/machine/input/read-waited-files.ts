import {closeSync, openSync, readFileSync, readSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import type {SystemCall} from './system-calls.ts';

/** What a thread waits for in poll, select or epoll. */
export type WaitedFiles = {
  readonly files: readonly number[];
  readonly hasTimeLimit: boolean;
};

/** More than any program that waits for a person has; a larger set is not looked into. */
const mostFiles = 1024;

/** The arguments only point to the sets, which lie in the memory of the process. Nothing when they cannot be read. */
export function readWaitedFiles(call: SystemCall, argv: readonly bigint[], pid: number, kernel: Kernel): WaitedFiles | undefined {
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = argv;
  if (call === 'poll' || call === 'ppoll') {
    const files = readPollSet(pid, first, Number(second), kernel);
    return files && {files, hasTimeLimit: call === 'poll' ? !isForever(third) : third !== 0n};
  }

  if (call === 'select' || call === 'pselect') {
    const sets = [second, third, fourth].filter((address) => address !== 0n).map((address) => readBitSet(pid, address, Number(first), kernel));
    const files = [...new Set(sets.flatMap((set) => set ?? []))];
    return sets.includes(undefined) ? undefined : {files, hasTimeLimit: fifth !== 0n};
  }

  const text = valueOf(lookAt(() => readFileSync(path.join(kernel.proc, String(pid), 'fdinfo', String(first)), 'utf8')));
  return text === undefined ? undefined : {files: Array.from(text.matchAll(/^tfd: *(?<file>\d+)/gm), ({groups}) => Number(groups?.['file'])), hasTimeLimit: !isForever(fourth)};
}

/** A negative int, of which the upper half of the register may hold anything. */
function isForever(milliseconds: bigint): boolean {
  return BigInt.asIntN(32, milliseconds) < 0n;
}

/** `struct pollfd {int fd; short events, revents}`; a negative fd is skipped by the kernel. */
function readPollSet(pid: number, address: bigint, count: number, kernel: Kernel): number[] | undefined {
  const bytes = count > mostFiles ? undefined : readMemory(pid, address, count * 8, kernel);
  return bytes && Array.from({length: count}, (_, index) => bytes.readInt32LE(index * 8)).filter((file) => file >= 0);
}

/** `fd_set`: one bit per file, in words of 64. */
function readBitSet(pid: number, address: bigint, count: number, kernel: Kernel): number[] | undefined {
  const bytes = count > mostFiles ? undefined : readMemory(pid, address, Math.ceil(count / 64) * 8, kernel);
  return bytes && Array.from({length: count}, (_, file) => file).filter((file) => ((bytes[file >> 3] ?? 0) & (1 << (file & 7))) !== 0);
}

function readMemory(pid: number, address: bigint, length: number, kernel: Kernel): Buffer | undefined {
  const memory = valueOf(lookAt(() => openSync(path.join(kernel.proc, String(pid), 'mem'), 'r')));
  if (memory === undefined) return undefined;
  const bytes = Buffer.alloc(length);
  const count = valueOf(lookAt(() => readSync(memory, bytes, 0, length, address)));
  closeSync(memory);
  return count === length ? bytes : undefined;
}

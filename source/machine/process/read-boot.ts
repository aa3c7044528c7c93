import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';

/** What turns the numbers of `/proc/<pid>/stat` into times and sizes. */
export type Boot = {
  readonly bootId: string;
  /** Wall clock, in milliseconds. */
  readonly bootedAt: number;
  readonly ticksPerSecond: number;
  readonly pageSize: number;
};

/** Keys of the vector that the kernel hands to every program (`getauxval(3)`): the only way to both without a system call. */
const pageSizeKey = 6n;
const ticksKey = 17n;

export function readBoot(kernel: Kernel): Boot | undefined {
  const text = (file: string): string | undefined =>
    valueOf(lookAt(() => readFileSync(path.join(kernel.proc, file), 'utf8')));
  const bootId = text('sys/kernel/random/boot_id')?.trim();
  const uptime = Number.parseFloat(text('uptime') ?? '');
  if (bootId === undefined || bootId === '' || Number.isNaN(uptime)) return undefined;
  const vector = readVector(
    valueOf(lookAt(() => readFileSync(path.join(kernel.proc, 'self/auxv')))),
  );
  return {
    bootId,
    bootedAt: kernel.now() - uptime * 1000,
    ticksPerSecond: vector.get(ticksKey) ?? 100,
    pageSize: vector.get(pageSizeKey) ?? 4096,
  };
}

function readVector(bytes: Buffer | undefined): ReadonlyMap<bigint, number> {
  const pairs = new Map<bigint, number>();
  for (let offset = 0; bytes !== undefined && offset + 16 <= bytes.length; offset += 16) {
    pairs.set(bytes.readBigUInt64LE(offset), Number(bytes.readBigUInt64LE(offset + 8)));
  }

  return pairs;
}

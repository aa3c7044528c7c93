import {readlinkSync, statSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import type {Process} from '../process/process.ts';

/** A terminal is its device number in the file system that it stands in: a sandbox may have a `/dev/pts/0` of its own. */
export type Terminal = {
  readonly path: string;
  readonly device: number;
  readonly fileSystem: number;
};

/** `/dev/tty`: whatever terminal controls the process that opens it. */
const controlling = 5 * 256;

export function readTerminal(file: string): Terminal | undefined {
  const stat = valueOf(lookAt(() => statSync(file)));
  return stat?.isCharacterDevice() === true
    ? {path: file, device: stat.rdev, fileSystem: stat.dev}
    : undefined;
}

/** Whether an open file of the process is the terminal. The link is followed to what it is, not to what it is called. */
export function isTerminal(
  file: number,
  process: Process,
  terminal: Terminal,
  kernel: Kernel,
): boolean {
  const stat = valueOf(lookAt(() => statSync(pathOf(file, process, kernel))));
  if (stat?.isCharacterDevice() !== true) return false;
  if (stat.rdev === controlling) return process.terminal === terminal.path;
  return stat.rdev === terminal.device && stat.dev === terminal.fileSystem;
}

/** Signals that are read like a file: they say nothing of the world outside. */
export function isSignals(file: number, process: Process, kernel: Kernel): boolean {
  return (
    valueOf(lookAt(() => readlinkSync(pathOf(file, process, kernel)))) === 'anon_inode:[signalfd]'
  );
}

function pathOf(file: number, {identity}: Process, kernel: Kernel): string {
  return path.join(kernel.proc, String(identity.pid), 'fd', String(file));
}

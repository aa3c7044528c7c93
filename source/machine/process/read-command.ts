import {readFileSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {printable} from '../printable.ts';
import type {Process} from './process.ts';

/** The command line for display; a process may have written anything over it. Its name where it has none. */
export function readCommand(process: Process, kernel: Kernel): string {
  const command = printable(readArguments(process, kernel).join(' '));
  return command === '' ? process.name : command;
}

/** The command line as it is, the program first; empty where it cannot be read. */
export function readArguments({identity}: Process, kernel: Kernel): string[] {
  const text =
    valueOf(
      lookAt(() => readFileSync(path.join(kernel.proc, String(identity.pid), 'cmdline'), 'utf8')),
    ) ?? '';
  return text.replace(/\0+$/, '').split('\0');
}

/** The name of the program file: a process calls itself what it likes, and Node's call themselves `MainThread`. */
export function readProgram({identity, name}: Process, kernel: Kernel): string {
  const file = valueOf(
    lookAt(() => readlinkSync(path.join(kernel.proc, String(identity.pid), 'exe'))),
  );
  return file === undefined ? name : printable(path.basename(file.replace(/ \(deleted\)$/, '')));
}

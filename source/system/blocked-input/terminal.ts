import path from 'node:path';
import {closeSync, constants, openSync, readlinkSync, statSync} from 'node:fs';
import {askProgram} from '../programs.ts';
import {getValue, type Kernel, tryRead} from '../kernel.ts';
import type {Process} from '../processes/process.ts';

export type TerminalModes = {
  /** The kernel edits lines and passes them to the program when they are complete. */
  readonly isCanonical: boolean;
  /** The terminal echoes typed input. */
  readonly echoes: boolean;
  /** Reads have a timeout (VTIME), as in programs that draw while they wait for keys. */
  readonly readsForATime: boolean;
};

const timeoutMs = 2000;

/**
 * Runs `stty`, because Node cannot read the modes. The opened terminal is its standard input: the
 * options that name a terminal differ between Linux and macOS, and `stty` as a session leader would
 * make a terminal that it opens its controlling terminal.
 */
export async function readTerminalModes(
  file: string,
  kernel: Kernel,
): Promise<TerminalModes | undefined> {
  const terminal = getValue(
    tryRead(() => openSync(file, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)),
  );
  if (terminal === undefined) return undefined;
  const {outcome} = await askProgram('stty', ['-a'], {
    env: {PATH: kernel.path, LC_ALL: 'C'},
    stdin: terminal,
    timeoutMs,
  });
  closeSync(terminal);
  return outcome?.at === 'exited' && outcome.code === 0
    ? parseTerminalModes(outcome.stdout)
    : undefined;
}

/** `echo` is on, `-echo` is off, among others such as `echoe`; the same on Linux and macOS. */
export function parseTerminalModes(text: string): TerminalModes | undefined {
  const flags = new Set(text.split(/[\s;]+/));
  const getMode = (name: string): boolean | undefined => {
    if (flags.has(name)) return true;
    return flags.has(`-${name}`) ? false : undefined;
  };
  const [isCanonical, echoes] = [getMode('icanon'), getMode('echo')];
  if (isCanonical === undefined || echoes === undefined) return undefined;
  return {isCanonical, echoes, readsForATime: !isCanonical && !/\btime = 0;/.test(text)};
}

/**
 * Identifies a terminal by device number and file system: a sandbox can have a `/dev/pts/0` of its
 * own.
 */
export type TerminalFile = {
  readonly path: string;
  readonly device: number;
  readonly fileSystem: number;
};

/** Device number of `/dev/tty`, the controlling terminal of the process that opens it. */
const controllingDevice = 5 * 256;

export function readTerminal(file: string): TerminalFile | undefined {
  const stat = getValue(tryRead(() => statSync(file)));
  return stat?.isCharacterDevice() === true
    ? {path: file, device: stat.rdev, fileSystem: stat.dev}
    : undefined;
}

/** Whether an open file of the process is the terminal, by device and not by name. */
export function isTerminal(
  file: number,
  process: Process,
  terminal: TerminalFile,
  kernel: Kernel,
): boolean {
  const stat = getValue(tryRead(() => statSync(descriptorPath(file, process, kernel))));
  if (stat?.isCharacterDevice() !== true) return false;
  if (stat.rdev === controllingDevice) return process.terminal === terminal.path;
  return stat.rdev === terminal.device && stat.dev === terminal.fileSystem;
}

/** A signalfd, which brings no input from outside. */
export function isSignalFile(file: number, process: Process, kernel: Kernel): boolean {
  return (
    getValue(tryRead(() => readlinkSync(descriptorPath(file, process, kernel)))) ===
    'anon_inode:[signalfd]'
  );
}

function descriptorPath(file: number, {identity}: Process, kernel: Kernel): string {
  return path.join(kernel.proc, String(identity.pid), 'fd', String(file));
}

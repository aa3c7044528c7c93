import {closeSync, constants, openSync} from 'node:fs';
import {askProgram} from '../ask-program.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';

export type TerminalModes = {
  /** Lines are edited by the kernel and given to the program when they are finished. */
  readonly isCanonical: boolean;
  /** What is typed is shown. */
  readonly echoes: boolean;
  /** A read ends by itself after some time (VTIME), as in programs that draw while they wait for keys. */
  readonly readsForATime: boolean;
};

const timeoutMs = 2000;

/**
 * Asks `stty`, because Node cannot. The terminal is opened here and handed over: so one way serves Linux and macOS, which
 * name it by different options, and `stty`, a session's leader of its own, does not make it its controlling terminal.
 */
export async function readTerminalModes(
  file: string,
  kernel: Kernel,
): Promise<TerminalModes | undefined> {
  const terminal = valueOf(
    lookAt(() => openSync(file, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)),
  );
  if (terminal === undefined) return undefined;
  const {outcome} = await askProgram('stty', ['-a'], {
    env: {PATH: kernel.path, LC_ALL: 'C'},
    stdin: terminal,
    timeoutMs,
  });
  closeSync(terminal);
  return outcome?.at === 'exited' && outcome.code === 0 ? modesIn(outcome.stdout) : undefined;
}

/** `echo` is on, `-echo` is off; between others like `echoe`. Linux and macOS say it with the same words. */
export function modesIn(text: string): TerminalModes | undefined {
  const words = new Set(text.split(/[\s;]+/));
  const modeOf = (name: string): boolean | undefined =>
    words.has(name) ? true : words.has(`-${name}`) ? false : undefined;
  const [isCanonical, echoes] = [modeOf('icanon'), modeOf('echo')];
  if (isCanonical === undefined || echoes === undefined) return undefined;
  return {isCanonical, echoes, readsForATime: !isCanonical && !/\btime = 0;/.test(text)};
}

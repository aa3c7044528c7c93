import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import type {Process} from '../process/process.ts';
import {readWaitedFiles} from './read-waited-files.ts';
import {systemCalls} from './system-calls.ts';
import {isSignals, isTerminal, type Terminal} from './terminal.ts';

/** What one thread of a sleeping process does. */
export type ThreadDoing =
  | 'runs'
  /** Sleeps in a read from the terminal. */
  | 'reads-terminal'
  /** Sleeps in poll or select until the terminal has something to read, with no other file and no limit of time. */
  | 'awaits-terminal'
  /** Sleeps, and the terminal is among the things that would wake it. */
  | 'attends-terminal'
  /** Sleeps until another thread wakes it. */
  | 'waits-for-thread'
  | 'waits-for-signal'
  | 'waits-elsewhere'
  | 'is-unreadable';

export type ThreadWait = {
  readonly doing: ThreadDoing;
  /** The call and the place in the kernel, for people. */
  readonly words: string;
  /** All that the kernel said. The same twice: it slept on. */
  readonly mark: string;
};

/** In which function of the kernel a reader of a terminal sleeps: the one after the other, as kernels went. */
const terminalSleeps = new Set(['n_tty_read', 'wait_woken']);

/** By `/proc/<pid>/task/<thread>/syscall`, which only those may read who could debug the process. Nothing when it has gone. */
export function readThread(
  thread: string,
  process: Process,
  terminal: Terminal,
  kernel: Kernel,
): ThreadWait | undefined {
  const file = (name: string): string =>
    path.join(kernel.proc, String(process.identity.pid), 'task', thread, name);
  const line = lookAt(() => readFileSync(file('syscall'), 'utf8').trim());
  if ('missing' in line)
    return line.missing === 'gone'
      ? undefined
      : {doing: 'is-unreadable', words: 'its system call is hidden from us', mark: ''};
  const sleepsIn = valueOf(lookAt(() => readFileSync(file('wchan'), 'utf8').trim())) ?? '';
  const [number = '', ...rest] = line.value.split(' ');
  const argv = rest.map(BigInt);
  const calls = systemCalls[kernel.arch];
  const wait = (doing: ThreadDoing, call: string): ThreadWait => ({
    doing,
    words: `${call}, sleeps in ${sleepsIn}`,
    mark: `${line.value} ${sleepsIn}`,
  });
  // -1: it sleeps outside of any call, for a page from the disk.
  if (number === 'running' || number === '-1')
    return {doing: 'runs', words: 'runs', mark: line.value};
  if (calls === undefined) return wait('is-unreadable', `system call ${number} of ${kernel.arch}`);
  const call = calls[Number(number)];
  switch (call) {
    case undefined:
      return wait('waits-elsewhere', `system call ${number}`);
    case 'unclear':
      return wait('is-unreadable', `system call ${number}`);
    case 'futex':
      return wait(argv[3] === 0n ? 'waits-for-thread' : 'waits-elsewhere', call);
    case 'sigwait':
      return wait(argv[2] === 0n ? 'waits-for-signal' : 'waits-elsewhere', call);
    case 'read': {
      const isReader = isTerminal(Number(argv[0]), process, terminal, kernel);
      const reads = terminalSleeps.has(sleepsIn) ? 'reads-terminal' : 'attends-terminal';
      return wait(
        isReader ? reads : 'waits-elsewhere',
        `read from ${isReader ? terminal.path : 'another file'} (${Number(argv[0])})`,
      );
    }

    default: {
      const waited = readWaitedFiles(call, argv, process.identity.pid, kernel);
      if (waited === undefined) return wait('is-unreadable', call);
      const isOne = (one: number): boolean => isTerminal(one, process, terminal, kernel);
      const words = `${call}${waited.hasTimeLimit ? ' for a time' : ''}, files to read: ${waited.toRead.length}`;
      if (!waited.toRead.some(isOne)) return wait('waits-elsewhere', words);
      const isAlone =
        call !== 'epoll' &&
        !waited.hasTimeLimit &&
        !waited.writes &&
        waited.toRead.every((one) => isOne(one) || isSignals(one, process, kernel));
      return wait(
        isAlone ? 'awaits-terminal' : 'attends-terminal',
        `${words}, ${terminal.path} among them`,
      );
    }
  }
}

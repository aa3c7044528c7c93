import path from 'node:path';
import {readFileSync, readdirSync} from 'node:fs';
import {getValue, type Kernel, tryRead} from '../kernel.ts';
import {isDead, isSameProcessKey, isStopped, type Process} from '../processes/process.ts';
import {readWaitedFiles, systemCalls} from './read-waited-files.ts';
import {isSignalFile, isTerminal, type TerminalFile} from './terminal.ts';
import {readBoot, readFromProc} from '../processes/proc.ts';

/** What one thread of a sleeping process waits for. */
export type ThreadActivity =
  | 'runs'
  /** Sleeps in a read from the terminal. */
  | 'reads-terminal'
  /** Sleeps in poll or select for the terminal alone, without a timeout. */
  | 'awaits-terminal'
  /** Sleeps, and the terminal is one of several things that can wake it. */
  | 'attends-terminal'
  /** Sleeps until another thread wakes it. */
  | 'waits-for-thread'
  | 'waits-for-signal'
  | 'waits-elsewhere'
  | 'is-unreadable';

export type ThreadWait = {
  readonly activity: ThreadActivity;
  /** The system call and the kernel function, for people. */
  readonly text: string;
  /** Everything that the kernel reported. Equal marks mean that it slept on. */
  readonly mark: string;
};

/** Kernel functions in which a terminal read sleeps, of older and newer kernels. */
const terminalSleeps = new Set(['n_tty_read', 'wait_woken']);

/**
 * Reads `/proc/<pid>/task/<thread>/syscall`, which needs the permission to debug the process.
 * Undefined when the thread is gone.
 */
export function readThread(
  thread: string,
  process: Process,
  terminal: TerminalFile,
  kernel: Kernel,
): ThreadWait | undefined {
  const file = (name: string): string =>
    path.join(kernel.proc, String(process.identity.pid), 'task', thread, name);
  const line = tryRead(() => readFileSync(file('syscall'), 'utf8').trim());
  if ('missing' in line)
    return line.missing === 'gone'
      ? undefined
      : {activity: 'is-unreadable', text: 'its system call is hidden from us', mark: ''};
  const sleepsIn = getValue(tryRead(() => readFileSync(file('wchan'), 'utf8').trim())) ?? '';
  const [number = '', ...rest] = line.value.split(' ');
  const argv = rest.map(BigInt);
  const calls = systemCalls[kernel.arch];
  const wait = (activity: ThreadActivity, call: string): ThreadWait => ({
    activity,
    text: `${call}, sleeps in ${sleepsIn}`,
    mark: `${line.value} ${sleepsIn}`,
  });
  // -1: it sleeps outside of any system call, for a page from the disk.
  if (number === 'running' || number === '-1')
    return {activity: 'runs', text: 'runs', mark: line.value};
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
      const text = `${call}${waited.hasTimeLimit ? ' for a time' : ''}, files to read: ${waited.toRead.length}`;
      if (!waited.toRead.some(isOne)) return wait('waits-elsewhere', text);
      const isOnly =
        call !== 'epoll' &&
        !waited.hasTimeLimit &&
        !waited.writes &&
        waited.toRead.every((one) => isOne(one) || isSignalFile(one, process, kernel));
      return wait(
        isOnly ? 'awaits-terminal' : 'attends-terminal',
        `${text}, ${terminal.path} among them`,
      );
    }
  }
}

/**
 * What a process does now. With several threads, `reads-terminal` and `awaits-terminal` mean that
 * no other thread can wake by itself.
 */
export type ProcessActivity =
  Exclude<ThreadActivity, 'waits-for-thread' | 'waits-for-signal'> | 'is-stopped' | 'is-gone';

export type Wait = {
  readonly process: Process;
  readonly activity: ProcessActivity;
  readonly text: string;
  readonly mark: string;
};

export function readWait(process: Process, terminal: TerminalFile, kernel: Kernel): Wait {
  const state = kernel.platform === 'linux' ? readStateNow(process, kernel) : process.state;
  const wait = (activity: ProcessActivity, text: string): Wait => ({
    process,
    activity,
    text,
    mark: text,
  });
  if (state === undefined || isDead({state})) return wait('is-gone', 'has ended');
  if (isStopped({state})) return wait('is-stopped', 'is stopped by a signal');
  // macOS has U for D.
  if (['R', 'D', 'U'].includes(state)) return wait('runs', `state ${state}`);
  if (kernel.platform !== 'linux')
    return wait('is-unreadable', `sleeps; ${kernel.platform} does not show for what`);
  const threads =
    getValue(
      tryRead(() => readdirSync(path.join(kernel.proc, String(process.identity.pid), 'task'))),
    ) ?? [];
  const waits = threads.flatMap((thread) => readThread(thread, process, terminal, kernel) ?? []);
  const activity = combineActivities(waits.map((one) => one.activity));
  const output =
    waits.find((one) => one.activity === activity) ??
    waits.find((one) => one.activity === 'reads-terminal' || one.activity === 'awaits-terminal');
  return {
    process,
    activity,
    text: `${output?.text ?? 'sleeps'}${waits.length > 1 ? `, one of ${waits.length} threads` : ''}`,
    mark: waits.map(({mark}) => mark).join('\n'),
  };
}

/** Undefined when the process is gone, also when its pid was reused. */
function readStateNow({identity}: Process, kernel: Kernel): string | undefined {
  const boot = readBoot(kernel);
  const now = boot && readFromProc(identity.pid, boot, kernel);
  return now !== undefined && isSameProcessKey(now.identity, identity) ? now.state : undefined;
}

/**
 * Combines the threads of a process. A server can have a thread that reads commands from the
 * terminal, which is not a question.
 */
export function combineActivities(threads: readonly ThreadActivity[]): ProcessActivity {
  const others = (activity: ThreadActivity): readonly ThreadActivity[] =>
    threads.toSpliced(threads.indexOf(activity), 1);
  if (threads.includes('runs')) return 'runs';
  if (threads.includes('reads-terminal')) {
    return others('reads-terminal').every((other) => other === 'waits-for-thread')
      ? 'reads-terminal'
      : 'attends-terminal';
  }

  if (threads.includes('awaits-terminal')) {
    return others('awaits-terminal').every(
      (other) => other === 'waits-for-thread' || other === 'waits-for-signal',
    )
      ? 'awaits-terminal'
      : 'attends-terminal';
  }

  if (threads.includes('attends-terminal')) return 'attends-terminal';
  return threads.length === 0 || threads.includes('is-unreadable')
    ? 'is-unreadable'
    : 'waits-elsewhere';
}

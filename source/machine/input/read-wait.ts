import {readdirSync} from 'node:fs';
import path from 'node:path';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {isDead, isSameProcess, isStopped, type Process} from '../process/process.ts';
import {readBoot} from '../process/read-boot.ts';
import {readFromProc} from '../process/read-proc.ts';
import {readThread, type ThreadDoing} from './read-thread.ts';
import type {Terminal} from './terminal.ts';

/** What a process does at this moment. Of several threads, `reads-terminal` and `awaits-terminal` mean that no other can wake by itself. */
export type Doing =
  Exclude<ThreadDoing, 'waits-for-thread' | 'waits-for-signal'> | 'is-stopped' | 'is-gone';

export type Wait = {
  readonly process: Process;
  readonly doing: Doing;
  readonly words: string;
  readonly mark: string;
};

export function readWait(process: Process, terminal: Terminal, kernel: Kernel): Wait {
  const state = kernel.platform === 'linux' ? stateNow(process, kernel) : process.state;
  const wait = (doing: Doing, words: string): Wait => ({process, doing, words, mark: words});
  if (state === undefined || isDead({state})) return wait('is-gone', 'has ended');
  if (isStopped({state})) return wait('is-stopped', 'is stopped by a signal');
  // U is what macOS calls D.
  if (['R', 'D', 'U'].includes(state)) return wait('runs', `state ${state}`);
  if (kernel.platform !== 'linux')
    return wait('is-unreadable', `sleeps; ${kernel.platform} does not show for what`);
  const threads =
    valueOf(
      lookAt(() => readdirSync(path.join(kernel.proc, String(process.identity.pid), 'task'))),
    ) ?? [];
  const waits = threads.flatMap((thread) => readThread(thread, process, terminal, kernel) ?? []);
  const doing = together(waits.map((one) => one.doing));
  const said =
    waits.find((one) => one.doing === doing) ??
    waits.find((one) => one.doing === 'reads-terminal' || one.doing === 'awaits-terminal');
  return {
    process,
    doing,
    words: `${said?.words ?? 'sleeps'}${waits.length > 1 ? `, one of ${waits.length} threads` : ''}`,
    mark: waits.map(({mark}) => mark).join('\n'),
  };
}

/** Nothing when the process has gone, whoever has its number now. */
function stateNow({identity}: Process, kernel: Kernel): string | undefined {
  const boot = readBoot(kernel);
  const now = boot && readFromProc(identity.pid, boot, kernel);
  return now !== undefined && isSameProcess(now.identity, identity) ? now.state : undefined;
}

/** What the threads do as one. A server may well have a thread that reads commands from the terminal: that is no question. */
export function together(threads: readonly ThreadDoing[]): Doing {
  const others = (doing: ThreadDoing): readonly ThreadDoing[] =>
    threads.toSpliced(threads.indexOf(doing), 1);
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

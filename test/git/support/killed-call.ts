import path from 'node:path';
import {spawn} from 'node:child_process';
import type {RemovalOptions, WorktreeOptions} from '../../../source/git/index.ts';
import type {TestRepository} from './repository.ts';

export type Call =
  | {readonly do: 'ensure'; readonly options: WorktreeOptions}
  | {
      readonly do: 'prepare';
      readonly commands: readonly {readonly owner: string; readonly from: string}[];
    }
  | {readonly do: 'remove'; readonly options: RemovalOptions};

const caller = path.join(import.meta.dirname, 'call-runner.ts');

/**
 * Calls in a process of its own and ends it without warning so many milliseconds after it began,
 * with its git; or without, so that a git goes on that belongs to nobody. Gives how long it lived,
 * and whether it came to its end.
 */
export function killedCall(
  {home, root}: TestRepository,
  call: Call,
  after?: number,
  isOrphaning = false,
): Promise<{readonly ms: number; readonly isDone: boolean}> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [caller, JSON.stringify({home, root, call})], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(isOrphaning ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has come to its end by itself.
      }
    };
    let began = 0;
    let timer: NodeJS.Timeout | undefined;
    let message = '';
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (began !== 0 || !out.includes('go\n')) return;
      began = performance.now();
      if (after !== undefined) timer = setTimeout(kill, after);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      message += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code !== 0 && signal !== 'SIGKILL')
        reject(new Error(`the caller ended with ${code ?? signal ?? 'nothing'}: ${message}`));
      else resolve({ms: performance.now() - began, isDone: out.includes('done\n')});
    });
  });
}

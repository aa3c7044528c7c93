import path from 'node:path';
import {spawn} from 'node:child_process';
import type {
  AcceptIntoBranchOptions,
  CommitOptions,
  MergeOptions,
  PublishOptions,
  UndoAcceptOptions,
} from '../../../source/git/index.ts';
import type {TestRepository} from './repository.ts';

/** One of the steps from a change to the person's branch. */
export type Step =
  | {
      readonly do: 'capture-and-commit';
      readonly directory: string;
      readonly options: Omit<CommitOptions, 'tree'>;
    }
  | {
      readonly do: 'merge-and-publish';
      readonly merge: MergeOptions;
      readonly branch: PublishOptions['branch'];
    }
  | {readonly do: 'accept'; readonly options: AcceptIntoBranchOptions}
  | {readonly do: 'undo'; readonly options: UndoAcceptOptions};

const runner = path.join(import.meta.dirname, 'step-runner.ts');

/**
 * Does a step in a process of its own, and ends it with its git, without warning, so many
 * milliseconds after it began. Gives how long it lived, and what it said when it came to its end.
 */
export function killedStep(
  {home, root}: TestRepository,
  step: Step,
  after?: number,
): Promise<{readonly ms: number; readonly text: unknown}> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', runner, JSON.stringify({home, root, step})],
      {detached: true, stdio: ['ignore', 'pipe', 'pipe']},
    );
    let [began, out, message] = [0, '', ''];
    let timer: NodeJS.Timeout | undefined;
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has come to its end by itself.
      }
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (began !== 0 || !out.startsWith('go\n')) return;
      began = performance.now();
      if (after !== undefined) timer = setTimeout(killGroup, after);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      message += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      // Later its number may be somebody else's.
      clearTimeout(timer);
      killGroup();
      if (code !== 0 && signal !== 'SIGKILL') {
        reject(new Error(`the step ended with ${code ?? signal ?? 'nothing'}: ${message}`));
        return;
      }

      const text = out.split('\n').find((line) => line.startsWith('{'));
      resolve({
        ms: performance.now() - began,
        text: text === undefined ? undefined : (JSON.parse(text) as unknown),
      });
    });
  });
}

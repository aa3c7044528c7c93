import {spawn} from 'node:child_process';
import {sanitizeText} from '../base/index.ts';
import {cookieName} from '../machine/index.ts';

export type ToldEnd = {readonly isOk: boolean; readonly words: string};

export type Telling = {
  /** Goes to its standard input as JSON. */
  readonly told: object;
  /** How it is called in words: `the hook on-need`. */
  readonly what: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What we start ourselves is known by it, with all that comes of it: who could write such a program must not approve by it. */
  readonly mark: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

const mostWords = 4000;

/** Runs a program of the person's own, tells it something, and gives what it said. It never throws. */
export function runTold(
  [file = '', ...argv]: readonly string[],
  {told, what, cwd, env, mark, timeoutMs, signal}: Telling,
): Promise<ToldEnd> {
  return new Promise((resolve) => {
    const child = spawn(file, argv, {
      cwd,
      env: {...env, [cookieName]: mark},
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...(signal === undefined ? {} : {signal}),
    });
    let words = '';
    const hear = (chunk: Buffer): void => {
      if (words.length < mostWords) words += chunk.toString('utf8');
    };
    const end = (isOk: boolean, more = ''): void => {
      clearTimeout(late);
      resolve({isOk, words: sanitizeText(`${words}${more}`).trim().slice(0, mostWords)});
    };
    const late = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      end(false, `\n${what} took longer than ${timeoutMs / 1000} s`);
    }, timeoutMs);
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(told));
    child.once('error', (error) => {
      end(false, error.message);
    });
    // Not `close`: what it leaves running must not hold up the daemon.
    child.once('exit', (code, by) => {
      setImmediate(() => {
        end(code === 0, code === 0 ? '' : `\n${what} ended with ${code ?? by ?? 'nothing'}`);
      });
    });
  });
}

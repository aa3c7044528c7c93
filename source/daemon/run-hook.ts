import {spawn} from 'node:child_process';
import {accessSync, constants, lstatSync} from 'node:fs';
import path from 'node:path';
import {sanitizeText} from '../base/index.ts';

/** `before-…` can say no; the others are told and cannot change anything. */
export type HookName = 'after-plan' | 'before-work' | 'after-attempt' | 'after-validate' | 'before-accept' | 'on-need';

export type HookEnd = {readonly isOk: boolean; readonly words: string};

export type HookOptions = {
  /** The person's own checkout: what an agent puts into its worktree is not run. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

const usualMs = 60_000;
const mostWords = 4000;

/** Runs `.orchestra/hooks/<name>` with a JSON on its standard input. Nothing when there is none. */
export async function runHook(name: HookName, data: object, {root, env, signal, timeoutMs = usualMs}: HookOptions): Promise<HookEnd | undefined> {
  const file = path.join(root, '.orchestra', 'hooks', name);
  if (!isRunnable(file)) return undefined;
  return new Promise((resolve) => {
    const child = spawn(file, [], {cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...(signal === undefined ? {} : {signal})});
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
      end(false, `\nthe hook ${name} took longer than ${timeoutMs / 1000} s`);
    }, timeoutMs);
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify({hook: name, ...data}));
    child.once('error', (error) => { end(false, error.message); });
    // Not `close`: what a hook leaves running must not hold up the daemon.
    child.once('exit', (code, by) => { setImmediate(() => { end(code === 0, code === 0 ? '' : `\nthe hook ${name} ended with ${code ?? by ?? 'nothing'}`); }); });
  });
}

/** A file of the person's own that nobody else may write. */
function isRunnable(file: string): boolean {
  try {
    const facts = lstatSync(file);
    accessSync(file, constants.X_OK);
    return facts.isFile() && (facts.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

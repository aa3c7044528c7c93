import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type {RefusalReason} from './allow-list.ts';
import type {Target} from './parse-target.ts';
import {refusalText, shownHost} from './refusal-text.ts';
import {maxRefusals, type Refusal} from './refusal.ts';

export type RefusalsOptions = {
  /** Where they are kept for the daemon; in a directory that no agent sees. */
  readonly file: string;
  /** Shows one line where a person looks at the session. */
  readonly show: (line: string) => void;
};

export type Refusals = {
  readonly add: (target: Target, why: RefusalReason) => void;
  /** Writes down what has not been written yet. */
  readonly flush: () => void;
};

const writeEveryMs = 250;

/** Of each host and port the first refusal is shown, and how often it came is kept; after so many different ones, no more. */
export function createRefusals({file, show}: RefusalsOptions): Refusals {
  const known = new Map<string, Refusal>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    try {
      writeFileSync(`${file}.new`, JSON.stringify([...known.values()]), {mode: 0o600});
      renameSync(`${file}.new`, file);
    } catch {
      // What cannot be kept is refused all the same.
    }
  };

  const add: Refusals['add'] = (target, why) => {
    const isFull = known.size >= maxRefusals - 1;
    const [host, port] = [shownHost(target.host), target.port];
    const key = `${host}:${port}`;
    const before = known.get(key);
    const kept =
      before === undefined && isFull
        ? {key: '', host: '*', port: 0, why: 'too-many' as const}
        : {key, host, port, why};
    const earlier = known.get(kept.key);
    known.set(kept.key, {
      host: kept.host,
      port: kept.port,
      why: kept.why,
      times: Math.min((earlier?.times ?? 0) + 1, 1e9),
    });
    if (earlier === undefined) show(refusalText({host: kept.host, port: kept.port}, kept.why));
    timer ??= setTimeout(flush, writeEveryMs);
  };

  return {add, flush};
}

/**
 * One line on the terminal that this process was started on, as long as nobody else has the foreground: a shell with jobs, or a
 * program that stopped us from writing, would be disturbed. A terminal that takes nothing is not waited for.
 */
export function showOnTerminal(line: string): void {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (group !== foreground) return;
    const terminal = openSync(
      '/dev/tty',
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    try {
      writeSync(terminal, `${line}\r\n`);
    } finally {
      closeSync(terminal);
    }
  } catch {
    // There is no terminal, or it is full.
  }
}

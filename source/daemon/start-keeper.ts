import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import path from 'node:path';
import {tryReadText} from '../files/index.ts';

/** Its program gets another one. One arena for malloc is enough for one thread, and what is free goes back to the system: 0.3 MB less. */
const ownEnv = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_TOP_PAD_: String(16 * 1024),
};

/** A keeper is there within a tenth of a second; a machine that swaps may take long. */
const mostMs = 120_000;

/**
 * Starts a keeper in a session of its own, so that nothing that ends us ends it. It is told nothing but where its
 * directory is. Rejects with its own last words if it ends before `isReady` says so.
 */
export async function startKeeper(
  program: readonly string[],
  directory: string,
  isReady: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const [file, ...argv] = program;
  if (file === undefined) throw new Error('expected the program of the keeper, got nothing');
  const log = path.join(directory, 'keeper.log');
  const fd = openSync(log, 'a', 0o600);
  const child = spawn(file, [...argv, directory], {
    detached: true,
    stdio: ['ignore', fd, fd],
    cwd: '/',
    env: ownEnv,
  });
  closeSync(fd);
  child.unref();
  let end: string | undefined;
  child.once('exit', (code, by) => {
    end = by ?? `exit ${code ?? ''}`;
  });
  child.once('error', (error) => {
    end = error.message;
  });
  for (const late = performance.now() + mostMs; !isReady();) {
    if (end !== undefined)
      throw new Error(`its keeper did not start: ${end}. ${lastWords(log)}`.trim());
    signal.throwIfAborted();
    if (performance.now() > late) {
      child.kill('SIGKILL');
      throw new Error(
        `its keeper did not answer within ${mostMs / 1000} s of its start. ${lastWords(log)} Look at the load of the machine, then go on.`,
      );
    }

    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function lastWords(log: string): string {
  return (tryReadText(log, {maxBytes: 1024 * 1024}) ?? '').trim().split('\n').slice(-3).join(' ');
}

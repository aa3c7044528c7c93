import {spawn} from 'node:child_process';

/**
 * A shell starts a child and exits; the child waits until its parent pid (the fourth field) has
 * changed, and prints the new one.
 */
const orphanScript =
  'me=$$; (while read -r _ _ _ parent _ < /proc/self/stat && [ "$parent" = "$me" ]; do ' +
  ':; done; echo "$parent") & exit 0';

/**
 * The process that adopts our orphaned descendants: the nearest ancestor that is a subreaper
 * (PR_SET_CHILD_SUBREAPER), or pid 1. The kernel does not report subreapers, so it is found by an
 * experiment. Undefined when that fails.
 */
export async function findAdopter({
  timeoutMs = 5000,
  shellScript = orphanScript,
}: {readonly timeoutMs?: number; /** For tests. */ readonly shellScript?: string} = {}): Promise<
  number | undefined
> {
  const child = spawn('/bin/sh', ['-c', shellScript], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    cwd: '/',
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, timeoutMs);
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    child.once('error', end);
    child.stdout.once('close', end);
  });
  child.stdout.destroy();
  killGroup(child.pid);
  const pid = Number.parseInt(Buffer.concat(output).toString('latin1'), 10);
  return Number.isInteger(pid) ? pid : undefined;
}

/** Kills the shell and its child, which have a process group of their own. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

import {spawn} from 'node:child_process';

/** The child of a shell waits until that shell has ended, and says whose child it is then. The kernel names it in the fourth field. */
const script =
  'me=$$; (while read -r _ _ _ parent _ < /proc/self/stat && [ "$parent" = "$me" ]; do :; done; echo "$parent") & exit 0';

/**
 * Who becomes the parent of our descendants when their own has ended: the nearest of our ancestors that has asked the kernel for it
 * (PR_SET_CHILD_SUBREAPER), or the first process. The kernel tells of no process whether it has, so it is tried out.
 * Nothing where it cannot be tried.
 */
export async function findAdopter({
  timeoutMs = 5000,
  shellScript = script,
}: {readonly timeoutMs?: number; /** For tests. */ readonly shellScript?: string} = {}): Promise<
  number | undefined
> {
  const child = spawn('/bin/sh', ['-c', shellScript], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    cwd: '/',
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
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
  end(child.pid);
  const pid = Number.parseInt(Buffer.concat(said).toString('latin1'), 10);
  return Number.isInteger(pid) ? pid : undefined;
}

/** Both are in a group of their own. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

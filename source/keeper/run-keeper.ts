import {createKeeper} from './create-keeper.ts';

/**
 * The life of a keeper's process. No signal but KILL takes the terminal from under a running program; TERM is kept in
 * mind and ends the keeper once the exit is on the disk, so that a machine that shuts down does not wait for it.
 */
export async function runKeeper(directory: string): Promise<void> {
  // Agents do run `pkill node`.
  process.title = 'orchestra-keeper';
  // Left alone, USR1 would open a debugger.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(signal, () => undefined);
  // The function is there when Node was started with --expose-gc.
  const keeper = await createKeeper(directory, undefined, () =>
    globalThis.gc?.({type: 'major', execution: 'sync', flavor: 'last-resort'}),
  );
  process.on('SIGTERM', keeper.leave);
  process.on('uncaughtException', (error) => {
    console.error(error);
  });
  await keeper.ended;
}

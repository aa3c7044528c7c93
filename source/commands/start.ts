import path from 'node:path';
import type {Event} from '../domain/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** Any command as a session. Prints its id; the process goes on without us. */
export async function start(command: readonly string[], options: {readonly name?: string; readonly cwd?: string; readonly prompt?: string; readonly json?: boolean}, surroundings: Surroundings): Promise<ExitCode> {
  const {env, cwd, columns, rows, isTerminal} = surroundings;
  return withDaemon(surroundings, async (daemon) => {
    const directory = path.resolve(cwd, options.cwd ?? '.');
    const {events} = (await daemon.ask({
      about: 'wish',
      wish: {type: 'start-session', name: options.name ?? path.basename(command[0] ?? ''), command, directory, ...(options.prompt === undefined ? {} : {prompt: options.prompt})},
      env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
      ...(isTerminal && columns !== undefined && rows !== undefined ? {size: {columns, rows}} : {}),
    })) as {readonly events: readonly Event[]};
    const asked = events.find((event) => event.type === 'session-asked');
    if (asked === undefined) throw new Error('the daemon took the wish but named no session');
    surroundings.out(options.json === true ? `${JSON.stringify({session: asked.session})}\n` : `${asked.session}\n`);
    return 0;
  });
}

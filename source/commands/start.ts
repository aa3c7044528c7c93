import {Buffer} from 'node:buffer';
import path from 'node:path';
import type {Event} from '../domain/index.ts';
import {longestFrame} from '../protocol/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {variablesIn} from './variables-in.ts';
import {withDaemon} from './with-daemon.ts';

/** Any command as a session. Prints its id; the process goes on without us. */
export async function start(
  command: readonly string[],
  options: {
    readonly name?: string;
    readonly cwd?: string;
    readonly prompt?: string;
    readonly json?: boolean;
  },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const {env, cwd, columns, rows, isTerminal} = surroundings;
  checkSize([command, env]);
  return withDaemon(surroundings, async (daemon) => {
    const directory = path.resolve(cwd, options.cwd ?? '.');
    const {events} = (await daemon.ask({
      about: 'wish',
      wish: {
        type: 'start-session',
        name: options.name ?? path.basename(command[0] ?? ''),
        command,
        directory,
        ...(options.prompt === undefined ? {} : {prompt: options.prompt}),
      },
      env: variablesIn(surroundings),
      ...(isTerminal && columns !== undefined && rows !== undefined ? {size: {columns, rows}} : {}),
    })) as {readonly events: readonly Event[]};
    const asked = events.find((event) => event.type === 'session-asked');
    if (asked === undefined) throw new Error('the daemon took the wish but named no session');
    surroundings.out(
      options.json === true
        ? `${JSON.stringify({session: asked.session})}\n`
        : `${asked.session}\n`,
    );
    return 0;
  });
}

/** What the rest of the question takes at most. */
const restBytes = 16 * 1024;

/** A session gets the environment and the arguments that it was started with, and these go to the daemon in one piece. */
function checkSize(given: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(given));
  if (bytes > longestFrame - restBytes)
    throw new Impossible(
      `expected a command and an environment of at most ${Math.floor((longestFrame - restBytes) / 1024)} kB together, got ${Math.ceil(bytes / 1024)} kB. Start it with fewer variables: env -u NAME orchestra start …`,
    );
}

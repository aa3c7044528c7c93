import path from 'node:path';
import {Buffer} from 'node:buffer';
import type {Event} from '../domain/index.ts';
import {maxFrameBytes} from '../protocol/index.ts';
import {UsageError} from './repo-paths.ts';
import {type CliContext, type ExitCode, variablesIn} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

/** Runs any command as a session and prints its id; the process keeps running without us. */
export async function start(
  command: readonly string[],
  options: {
    readonly name?: string;
    readonly cwd?: string;
    readonly prompt?: string;
    readonly json?: boolean;
  },
  cli: CliContext,
): Promise<ExitCode> {
  const {env, cwd, columns, rows, isTerminal} = cli;
  checkSize([command, env]);
  return withDaemon(cli, async (daemon) => {
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
      env: variablesIn(cli),
      ...(isTerminal && columns !== undefined && rows !== undefined ? {size: {columns, rows}} : {}),
    })) as {readonly events: readonly Event[]};
    const asked = events.find((event) => event.type === 'session-asked');
    if (asked === undefined)
      throw new Error('the daemon accepted the command but returned no session');
    cli.out(
      options.json === true
        ? `${JSON.stringify({session: asked.session})}\n`
        : `${asked.session}\n`,
    );
    return 0;
  });
}

/** Upper bound for the rest of the request. */
const restBytes = 16 * 1024;

/**
 * A session gets this environment and these arguments, which are sent to the daemon in one message.
 */
function checkSize(given: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(given));
  if (bytes > maxFrameBytes - restBytes)
    throw new UsageError(
      `expected a command and an environment of at most ${Math.floor((maxFrameBytes - restBytes) / 1024)} kB together, got ${Math.ceil(bytes / 1024)} kB. Start it with fewer variables: env -u NAME orchestra start …`,
    );
}

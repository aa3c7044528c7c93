import path from 'node:path';
import {Buffer} from 'node:buffer';
import {formatSessions, type OrphanSession, type SessionLine} from '../reports/index.ts';
import {type CliContext, type ExitCode, variablesIn} from './cli-context.ts';
import {followEvents, withDaemon} from './with-daemon.ts';
import {type Event, isRunId, isSessionId, isTaskId} from '../domain/index.ts';
import {maxFrameBytes} from '../protocol/index.ts';
import {UsageError} from './repo-paths.ts';

export async function sessions(
  options: {readonly all?: boolean; readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    const answer = (await daemon.ask({about: 'sessions'})) as {
      readonly sessions: readonly SessionLine[];
      readonly strangers: readonly OrphanSession[];
    };
    cli.out(
      options.json === true
        ? `${JSON.stringify(answer)}\n`
        : formatSessions(answer.sessions, answer.strangers, {
            now: Date.now(),
            all: options.all === true,
            width: cli.columns,
          }),
    );
    return 0;
  });
}

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
      'expected a command and an environment of at most ' +
        `${Math.floor((maxFrameBytes - restBytes) / 1024)} kB together, got ` +
        `${Math.ceil(bytes / 1024)} kB. Start it with fewer variables: env -u NAME ` +
        'orchestra start …',
    );
}

/** Stops until a person resumes. For a session it waits until all its processes are gone. */
export async function stop(
  what: string,
  options: {readonly reason?: string; readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  if (!isRunId(what) && !isTaskId(what) && !isSessionId(what))
    throw new UsageError(
      `expected a run, task or session such as r1, r1.t2 or s7, got ${JSON.stringify(what)}`,
    );
  return withDaemon(cli, async (daemon, repoPaths) => {
    const events = await followEvents(repoPaths, daemon.welcome.seq);
    try {
      await daemon.ask({
        about: 'wish',
        wish: {
          type: 'stop',
          what,
          ...(options.reason === undefined ? {} : {reason: options.reason}),
        },
      });
      const end = isSessionId(what)
        ? await events.until(
            (event) =>
              (event.type === 'session-exited' || event.type === 'session-lost') &&
              event.session === what,
          )
        : undefined;
      const result = {
        what,
        ...(end?.type === 'session-exited' ? {code: end.code, signal: end.signal} : {}),
      };
      cli.out(options.json === true ? `${JSON.stringify(result)}\n` : `${what} is stopped\n`);
      return 0;
    } finally {
      events.close();
    }
  });
}

import {isRunId, isSessionId, isTaskId} from '../domain/index.ts';
import {followEvents, withDaemon} from './with-daemon.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';

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

import {isRunId, isSessionId, isTaskId} from '../domain/index.ts';
import {followEvents} from './follow-events.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** A person's stop: it stands until a person resumes. For a session it waits until nothing of it is left. */
export async function stop(
  what: string,
  options: {readonly reason?: string; readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (!isRunId(what) && !isTaskId(what) && !isSessionId(what))
    throw new Impossible(
      `expected a run, task or session such as r1, r1.t2 or s7, got ${JSON.stringify(what)}`,
    );
  return withDaemon(surroundings, async (daemon, here) => {
    const events = await followEvents(here, daemon.welcome.seq);
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
      surroundings.out(
        options.json === true ? `${JSON.stringify(result)}\n` : `${what} is stopped\n`,
      );
      return 0;
    } finally {
      events.close();
    }
  });
}

import {formatSessions, type SessionLine, type Stranger} from '../documents/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

export async function sessions(
  options: {readonly all?: boolean; readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const answer = (await daemon.ask({about: 'sessions'})) as {
      readonly sessions: readonly SessionLine[];
      readonly strangers: readonly Stranger[];
    };
    surroundings.out(
      options.json === true
        ? `${JSON.stringify(answer)}\n`
        : formatSessions(answer.sessions, answer.strangers, {
            now: Date.now(),
            all: options.all === true,
            width: surroundings.columns,
          }),
    );
    return 0;
  });
}

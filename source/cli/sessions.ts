import {formatSessions, type OrphanSession, type SessionLine} from '../reports/index.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

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
